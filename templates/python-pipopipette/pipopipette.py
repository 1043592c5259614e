class Pipopipette:
    """Eén spelletje op een raster van stippen."""

    def __init__(self, m, n=None):
        """Tekent m rijen van n stippen; zonder n zijn het er evenveel als rijen."""
        raise NotImplementedError("nog niet geschreven")

    def score(self):
        """Geeft de punten van A en van B."""
        raise NotImplementedError("nog niet geschreven")

    def player(self):
        """Geeft de speler die aan zet is: A of B."""
        raise NotImplementedError("nog niet geschreven")

    def claim(self, pos):
        """Trekt de lijn met naam pos en geeft het spel zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def __str__(self):
        """Tekent de stippen, de lijnen en de eigenaars van de vakjes."""
        raise NotImplementedError("nog niet geschreven")
