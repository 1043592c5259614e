COLUMNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'


class Quixo:

    def __init__(self, n, faces=None):
        if type(n) is not int:
            raise AssertionError('ongeldig rooster')
        if n < 1:
            raise AssertionError('ongeldig rooster')
        if n > 26:
            raise AssertionError('ongeldig rooster')
        if faces is None:
            faces = '-' * (n * n)
        if not isinstance(faces, str):
            raise AssertionError('ongeldig rooster')
        if len(faces) != n * n:
            raise AssertionError('ongeldig rooster')
        if not set(faces) <= set('-XO'):
            raise AssertionError('ongeldig rooster')
        self.n = n
        self.rows = [list(faces[r * n:r * n + n]) for r in range(n)]

    def __str__(self):
        lines = []
        for row in self.rows:
            lines.append(''.join(row))
        return '\n'.join(lines)

    def positie(self, positie):
        letter = positie[:1]
        number = positie[1:]
        if letter == '' or letter not in COLUMNS:
            raise AssertionError('ongeldige positie')
        if not number.isdecimal():
            raise AssertionError('ongeldige positie')
        row = int(number) - 1
        column = COLUMNS.index(letter)
        if not 0 <= row < self.n:
            raise AssertionError('ongeldige positie')
        if not 0 <= column < self.n:
            raise AssertionError('ongeldige positie')
        return [row, column]

    def beurt(self, symbool, van, naar):
        r1, c1 = self.positie(van)
        r2, c2 = self.positie(naar)
        last = self.n - 1
        ends = (0, last)
        if symbool not in ('X', 'O'):
            raise AssertionError('ongeldige beurt')
        if r1 not in ends and c1 not in ends:
            raise AssertionError('ongeldige beurt')
        if self.rows[r1][c1] not in ('-', symbool):
            raise AssertionError('ongeldige beurt')
        if (r1, c1) == (r2, c2):
            raise AssertionError('ongeldige beurt')
        if r1 != r2 and c1 != c2:
            raise AssertionError('ongeldige beurt')
        if r1 == r2 and c2 not in ends:
            raise AssertionError('ongeldige beurt')
        if c1 == c2 and r2 not in ends:
            raise AssertionError('ongeldige beurt')
        if r1 == r2 and c2 < c1:
            for c in range(c1, c2, -1):
                self.rows[r1][c] = self.rows[r1][c - 1]
        elif r1 == r2:
            for c in range(c1, c2):
                self.rows[r1][c] = self.rows[r1][c + 1]
        elif r2 < r1:
            for r in range(r1, r2, -1):
                self.rows[r][c1] = self.rows[r - 1][c1]
        else:
            for r in range(r1, r2):
                self.rows[r][c1] = self.rows[r + 1][c1]
        self.rows[r2][c2] = symbool
        return self
