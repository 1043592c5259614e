/** Træk i Alquerque: fra hvilket felt, og til hvilket. */

/** Laver trækket fra feltet src til feltet trg, lovligt eller ej. */
export function makeMove(src, trg) {
  throw new Error("ikke skrevet endnu");
}

/** Giver feltet, som trækket m går ud fra. */
export function source(m) {
  throw new Error("ikke skrevet endnu");
}

/** Giver feltet, som trækket m ender på. */
export function target(m) {
  throw new Error("ikke skrevet endnu");
}
