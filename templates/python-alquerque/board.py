"""Brættet i Alquerque, og reglerne for det."""

from move import make_move, source, target


def make_board():
    """Laver brættet, som et spil begynder med."""
    raise NotImplementedError("ikke skrevet endnu")


def white_plays(b):
    """Siger, om det er hvids tur."""
    raise NotImplementedError("ikke skrevet endnu")


def white(b):
    """Giver felterne med hvide brikker."""
    raise NotImplementedError("ikke skrevet endnu")


def black(b):
    """Giver felterne med sorte brikker."""
    raise NotImplementedError("ikke skrevet endnu")


def is_legal(m, b):
    """Siger, om spilleren må udføre trækket m på brættet b."""
    raise NotImplementedError("ikke skrevet endnu")


def legal_moves(b):
    """Giver alle træk, som spilleren må udføre."""
    raise NotImplementedError("ikke skrevet endnu")


def move(m, b):
    """Udfører trækket m, så brættet b ændres."""
    raise NotImplementedError("ikke skrevet endnu")


def is_game_over(b):
    """Siger, om spillet er slut."""
    raise NotImplementedError("ikke skrevet endnu")


def copy(b):
    """Giver et bræt for sig, som ligner b."""
    raise NotImplementedError("ikke skrevet endnu")
