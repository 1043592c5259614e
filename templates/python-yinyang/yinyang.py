class YinYang:
    """Eén puzzel, met de gegeven en de ingevulde vakjes."""

    def __init__(self, dimensie, wit, zwart):
        """Maakt de puzzel met de gegeven witte en zwarte vakjes."""
        raise NotImplementedError("nog niet geschreven")

    def maak_wit(self, p):
        """Kleurt het lege vakje p wit en geeft de puzzel zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def maak_zwart(self, p):
        """Kleurt het lege vakje p zwart en geeft de puzzel zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def maak_leeg(self, p):
        """Wist het ingevulde vakje p en geeft de puzzel zelf terug."""
        raise NotImplementedError("nog niet geschreven")

    def aaneengesloten_gebied(self, p):
        """Geeft de posities die met dezelfde kleur aan p vasthangen."""
        raise NotImplementedError("nog niet geschreven")

    def isopgelost(self):
        """Zegt of de puzzel af is."""
        raise NotImplementedError("nog niet geschreven")

    def __str__(self):
        """Toont het rooster: hoofdletters voor wat gegeven was, kleine letters voor wat ingevuld is."""
        raise NotImplementedError("nog niet geschreven")
