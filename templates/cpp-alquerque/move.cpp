#include "move.hpp"

#include <stdexcept>

Move make_move(int src, int trg) {
    throw std::logic_error("ikke skrevet endnu");
}

int source(const Move &m) {
    throw std::logic_error("ikke skrevet endnu");
}

int target(const Move &m) {
    throw std::logic_error("ikke skrevet endnu");
}
