"""The automatic player: minimax with alpha-beta pruning."""

from board import *

WIN = 1000


def after(m, b):
    new = copy(b)
    move(m, new)
    return new


def balance(b, player):
    """How many pieces the player is ahead."""
    return b.fields.count(player) - b.fields.count(opponent(player))


def value(b, depth, player, alpha, beta):
    """What the board is worth to the player, looking depth moves ahead."""
    if b.turn not in b.fields:
        return -WIN if b.turn == player else WIN
    moves = legal_moves(b)
    if moves == []:
        return 0
    if depth == 0:
        return balance(b, player)
    if b.turn == player:
        for m in moves:
            alpha = max(alpha, value(after(m, b), depth - 1, player, alpha, beta))
            if alpha >= beta:
                break
        return alpha
    for m in moves:
        beta = min(beta, value(after(m, b), depth - 1, player, alpha, beta))
        if alpha >= beta:
            break
    return beta


def next_move(b, depth=3):
    best, most = None, -WIN - 1
    for m in legal_moves(b):
        worth = value(after(m, b), depth - 1, b.turn, most, WIN + 1)
        if worth > most:
            best, most = m, worth
    return best
