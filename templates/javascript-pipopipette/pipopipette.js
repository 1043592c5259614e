/** Eén spelletje op een raster van stippen. */
class Pipopipette {
  /** Tekent m rijen van n stippen; zonder n zijn het er evenveel als rijen. */
  constructor(m, n) {
    throw new Error("nog niet geschreven");
  }

  /** Geeft de punten van A en van B. */
  score() {
    throw new Error("nog niet geschreven");
  }

  /** Geeft de speler die aan zet is: A of B. */
  player() {
    throw new Error("nog niet geschreven");
  }

  /** Trekt de lijn met naam pos en geeft het spel zelf terug. */
  claim(pos) {
    throw new Error("nog niet geschreven");
  }

  /** Tekent de stippen, de lijnen en de eigenaars van de vakjes. */
  toString() {
    throw new Error("nog niet geschreven");
  }
}

module.exports = { Pipopipette };
