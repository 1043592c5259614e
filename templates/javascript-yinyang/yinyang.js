/** Eén puzzel, met de gegeven en de ingevulde vakjes. */
class YinYang {
  /** Maakt de puzzel met de gegeven witte en zwarte vakjes. */
  constructor(dimensie, wit, zwart) {
    throw new Error("nog niet geschreven");
  }

  /** Kleurt het lege vakje p wit en geeft de puzzel zelf terug. */
  maakWit(p) {
    throw new Error("nog niet geschreven");
  }

  /** Kleurt het lege vakje p zwart en geeft de puzzel zelf terug. */
  maakZwart(p) {
    throw new Error("nog niet geschreven");
  }

  /** Wist het ingevulde vakje p en geeft de puzzel zelf terug. */
  maakLeeg(p) {
    throw new Error("nog niet geschreven");
  }

  /** Geeft de posities die met dezelfde kleur aan p vasthangen. */
  aaneengeslotenGebied(p) {
    throw new Error("nog niet geschreven");
  }

  /** Zegt of de puzzel af is. */
  isopgelost() {
    throw new Error("nog niet geschreven");
  }

  /** Toont het rooster: hoofdletters voor wat gegeven was, kleine letters voor wat ingevuld is. */
  toString() {
    throw new Error("nog niet geschreven");
  }
}

module.exports = { YinYang };
