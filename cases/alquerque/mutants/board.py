"""The board: its fields 1 to 25 in a list, and whose turn it is."""

from move import make_move, source, target

WHITE = "w"
BLACK = "b"
EMPTY = "."

# Rows and columns along the lines of the board.
STRAIGHT = [(-1, 0), (0, -1), (0, 1), (1, 0)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class Board:
    def __init__(self, fields, turn):
        self.fields = fields
        self.turn = turn


def make_board():
    fields = [None] + [BLACK] * 12 + [EMPTY] + [WHITE] * 12
    return Board(fields, WHITE)


def white_plays(b):
    return b.turn == WHITE


def pieces(colour, b):
    return [field for field in range(1, 26) if b.fields[field] == colour]


def white(b):
    return pieces(WHITE, b)


def black(b):
    return pieces(BLACK, b)


def opponent(colour):
    return BLACK if colour == WHITE else WHITE


def forward(colour):
    return -1 if colour == WHITE else 1


def directions(field):
    if field % 2 == 1:
        return STRAIGHT + DIAGONAL
    return STRAIGHT


def neighbour(field, rows, columns):
    """The next field in this direction, None at the edge."""
    row = (field - 1) // 5 + rows
    column = (field - 1) % 5 + columns
    if 0 <= row <= 4 and 0 <= column <= 4:
        return 5 * row + column + 1
    return None


def plain_moves(field, b):
    moves = []
    for rows, columns in directions(field):
        if rows != forward(b.turn):
            continue
        near = neighbour(field, rows, columns)
        if near is not None and b.fields[near] == EMPTY:
            moves.append(make_move(field, near))
    return moves


def captures(field, b):
    moves = []
    for rows, columns in directions(field):
        near = neighbour(field, rows, columns)
        if near is None or b.fields[near] != opponent(b.turn):
            continue
        far = neighbour(near, rows, columns)
        if far is not None and b.fields[far] == EMPTY:
            moves.append(make_move(field, far))
    return moves


def legal_moves(b):
    moves = []
    for field in range(1, 26):
        if b.fields[field] == b.turn:
            moves += plain_moves(field, b) + captures(field, b)
    return moves


def is_legal(m, b):
    field = source(m)
    if b.fields[field] != b.turn:
        return False
    return m in plain_moves(field, b) + captures(field, b)


def is_capture(m):
    return abs(source(m) - target(m)) in (2, 8, 10, 12)


def move(m, b):
    src, trg = source(m), target(m)
    b.fields[trg] = b.fields[src]
    b.fields[src] = EMPTY
    if is_capture(m):
        b.fields[(src + trg) // 2] = EMPTY
    b.turn = opponent(b.turn)


def is_game_over(b):
    return legal_moves(b) == []


def copy(b):
    return Board(list(b.fields), b.turn)
