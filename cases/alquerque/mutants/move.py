"""Moves: pairs of fields."""


def make_move(src, trg):
    return (src, trg)


def source(m):
    return m[0]


def target(m):
    return m[1]
