/** Brættet i Alquerque, og reglerne for det. */

export { makeMove, source, target } from "./move.js";

/** Laver brættet, som et spil begynder med. */
export function makeBoard() {
  throw new Error("ikke skrevet endnu");
}

/** Siger, om det er hvids tur. */
export function whitePlays(b) {
  throw new Error("ikke skrevet endnu");
}

/** Giver felterne med hvide brikker. */
export function white(b) {
  throw new Error("ikke skrevet endnu");
}

/** Giver felterne med sorte brikker. */
export function black(b) {
  throw new Error("ikke skrevet endnu");
}

/** Siger, om spilleren må udføre trækket m på brættet b. */
export function isLegal(m, b) {
  throw new Error("ikke skrevet endnu");
}

/** Giver alle træk, som spilleren må udføre. */
export function legalMoves(b) {
  throw new Error("ikke skrevet endnu");
}

/** Udfører trækket m, så brættet b ændres. */
export function move(m, b) {
  throw new Error("ikke skrevet endnu");
}

/** Siger, om spillet er slut. */
export function isGameOver(b) {
  throw new Error("ikke skrevet endnu");
}

/** Giver et bræt for sig, som ligner b. */
export function copy(b) {
  throw new Error("ikke skrevet endnu");
}
