// What a submission in C++ is compiled with that includes the whole standard library.
#pragma once

#include "keur-library.hpp"
#include "keur.hpp"
