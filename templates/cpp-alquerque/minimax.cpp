#include "board.hpp"

#include <stdexcept>

/** Vælger et træk ved at se depth træk frem; brættet b er uændret bagefter. */
Move next_move(const Board &b, int depth = 2) {
    throw std::logic_error("ikke skrevet endnu");
}
