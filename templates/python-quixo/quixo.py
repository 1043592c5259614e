class Quixo:
    """Het bord van één spelletje Quixo."""

    def __init__(self, n, str=None):
        """Legt n rijen van n dobbelstenen klaar, blanco of zoals de tekst str ze beschrijft."""
        raise NotImplementedError("nog niet geschreven")

    def positie(self, positie):
        """Zet een naam zoals B1 om in rij en kolom, geteld vanaf nul."""
        raise NotImplementedError("nog niet geschreven")

    def beurt(self, symbool, van, naar):
        """Neemt de dobbelsteen op van, duwt hem met dit symbool bij naar weer in het bord, en geeft het bord terug."""
        raise NotImplementedError("nog niet geschreven")

    def __str__(self):
        """Toont het bord: een regel voor elke rij."""
        raise NotImplementedError("nog niet geschreven")
