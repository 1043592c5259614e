/** Het bord van één spelletje Codenames, met de kaarten en de sleutel. */
class Spelbord {
  /** Legt m rijen van n dichte kaarten klaar; de sleutel noemt hun kleuren, rij na rij. */
  constructor(m, n, sleutel) {
    throw new Error("nog niet geschreven");
  }

  /** Geeft het team dat aan zet is: R of B. */
  beurt() {
    throw new Error("nog niet geschreven");
  }

  /** Geeft de beurt door en geeft het bord zelf terug. */
  stoppen() {
    throw new Error("nog niet geschreven");
  }

  /** Draait de kaart op rij r en kolom k om en geeft het bord zelf terug. */
  aanduiden(r, k) {
    throw new Error("nog niet geschreven");
  }

  /** Zegt of het spel gedaan is. */
  isafgelopen() {
    throw new Error("nog niet geschreven");
  }

  /** Toont het bord, rij na rij, met een vraagteken voor elke dichte kaart. */
  toString() {
    throw new Error("nog niet geschreven");
  }
}

module.exports = { Spelbord };
