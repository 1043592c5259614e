// Containers that submissions use most. The driver has their code (containers.cpp), built with the same sanitizers, so that
// a library has only calls of it. A part of keur.hpp.
#pragma once

#ifndef KEUR_CONTAINER
#define KEUR_CONTAINER extern template class
#endif

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Since C++20 the standard library does not offer the code of texts either.
KEUR_CONTAINER std::basic_string<char>;
KEUR_CONTAINER std::vector<int>;
KEUR_CONTAINER std::vector<char>;
KEUR_CONTAINER std::vector<bool>;
KEUR_CONTAINER std::vector<std::string>;
KEUR_CONTAINER std::vector<std::vector<int>>;
KEUR_CONTAINER std::vector<std::vector<char>>;
KEUR_CONTAINER std::vector<std::pair<int, int>>;
KEUR_CONTAINER std::set<int>;
KEUR_CONTAINER std::set<std::string>;
KEUR_CONTAINER std::set<std::pair<int, int>>;
KEUR_CONTAINER std::map<std::string, int>;
