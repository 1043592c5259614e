// The code of the containers that submissions use most.
#define KEUR_CONTAINER template class
#include "keur-containers.hpp"
