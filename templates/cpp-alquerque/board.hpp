#pragma once

#include "move.hpp"

#include <vector>

/** Brættet i Alquerque. */
struct Board {
};

/** Laver brættet, som et spil begynder med. */
Board make_board();

/** Siger, om det er hvids tur. */
bool white_plays(const Board &b);

/** Giver felterne med hvide brikker. */
std::vector<int> white(const Board &b);

/** Giver felterne med sorte brikker. */
std::vector<int> black(const Board &b);

/** Siger, om spilleren må udføre trækket m på brættet b. */
bool is_legal(const Move &m, const Board &b);

/** Giver alle træk, som spilleren må udføre. */
std::vector<Move> legal_moves(const Board &b);

/** Udfører trækket m, så brættet b ændres. */
void move(const Move &m, Board &b);

/** Siger, om spillet er slut. */
bool is_game_over(const Board &b);

/** Giver et bræt for sig, som ligner b. */
Board copy(const Board &b);
