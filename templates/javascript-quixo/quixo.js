/** Het bord van één spelletje Quixo. */
class Quixo {
  /** Legt n rijen van n dobbelstenen klaar, blanco of zoals de tekst str ze beschrijft. */
  constructor(n, str) {
    throw new Error("nog niet geschreven");
  }

  /** Zet een naam zoals B1 om in rij en kolom, geteld vanaf nul. */
  positie(positie) {
    throw new Error("nog niet geschreven");
  }

  /** Neemt de dobbelsteen op van, duwt hem met dit symbool bij naar weer in het bord, en geeft het bord terug. */
  beurt(symbool, van, naar) {
    throw new Error("nog niet geschreven");
  }

  /** Toont het bord: een regel voor elke rij. */
  toString() {
    throw new Error("nog niet geschreven");
  }
}

module.exports = { Quixo };
