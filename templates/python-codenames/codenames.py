class Spelbord:
    """Het bord van één spelletje Codenames, met de kaarten en de sleutel."""

    def __init__(self, m, n, sleutel):
        """Legt m rijen van n dichte kaarten klaar; de sleutel noemt hun kleuren, rij na rij."""
        raise NotImplementedError("nog niet geschreven")

    def beurt(self):
        """Geeft het team dat aan zet is: R of B."""
        raise NotImplementedError("nog niet geschreven")

    def stoppen(self):
        """Geeft de beurt door en geeft het bord zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def aanduiden(self, r, k):
        """Draait de kaart op rij r en kolom k om en geeft het bord zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def isafgelopen(self):
        """Zegt of het spel gedaan is."""
        raise NotImplementedError("nog niet geschreven")

    def __str__(self):
        """Toont het bord, rij na rij, met een vraagteken voor elke dichte kaart."""
        raise NotImplementedError("nog niet geschreven")
