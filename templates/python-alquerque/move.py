"""Træk i Alquerque: fra hvilket felt, og til hvilket."""


def make_move(src, trg):
    """Laver trækket fra feltet src til feltet trg, lovligt eller ej."""
    raise NotImplementedError("ikke skrevet endnu")


def source(m):
    """Giver feltet, som trækket m går ud fra."""
    raise NotImplementedError("ikke skrevet endnu")


def target(m):
    """Giver feltet, som trækket m ender på."""
    raise NotImplementedError("ikke skrevet endnu")
