#pragma once

/** Et træk i Alquerque: fra hvilket felt, og til hvilket. */
struct Move {
};

/** Laver trækket fra feltet src til feltet trg, lovligt eller ej. */
Move make_move(int src, int trg);

/** Giver feltet, som trækket m går ud fra. */
int source(const Move &m);

/** Giver feltet, som trækket m ender på. */
int target(const Move &m);
