import re


class Pipopipette:

    def __init__(self, m, n=None):
        if n is None:
            n = m
        if m < 2:
            raise ValueError('invalid dimensions')
        if n < 2:
            raise ValueError('invalid dimensions')
        self.m = m
        self.n = n
        self.points = [0, 0]
        self.turn = 0
        self.horizontal = [[False] * (n - 1) for _ in range(m)]
        self.vertical = [[False] * n for _ in range(m - 1)]
        self.boxes = [['?'] * (n - 1) for _ in range(m - 1)]

    def score(self):
        return list(self.points)

    def player(self):
        return 'AB'[self.turn]

    def claim(self, pos):
        if not isinstance(pos, str):
            raise ValueError('invalid position')
        found = re.fullmatch(r'([HV])(0|[1-9][0-9]*),(0|[1-9][0-9]*)', pos)
        if found is None:
            raise ValueError('invalid position')
        letter = found[1]
        r = int(found[2])
        k = int(found[3])
        if letter == 'H':
            if r >= self.m:
                raise ValueError('invalid position')
            if k >= self.n - 1:
                raise ValueError('invalid position')
            if self.horizontal[r][k]:
                raise ValueError('dots already connected')
            self.horizontal[r][k] = True
        else:
            if r >= self.m - 1:
                raise ValueError('invalid position')
            if k >= self.n:
                raise ValueError('invalid position')
            if self.vertical[r][k]:
                raise ValueError('dots already connected')
            self.vertical[r][k] = True
        before = sum(self.points)
        if letter == 'H' and r > 0:
            self.close(r - 1, k)
        if letter == 'H' and r < self.m - 1:
            self.close(r, k)
        if letter == 'V' and k > 0:
            self.close(r, k - 1)
        if letter == 'V' and k < self.n - 1:
            self.close(r, k)
        if sum(self.points) == before:
            self.turn = 1 - self.turn
        return self

    def close(self, r, k):
        top = self.horizontal[r][k]
        bottom = self.horizontal[r + 1][k]
        left = self.vertical[r][k]
        right = self.vertical[r][k + 1]
        if top and bottom and left and right:
            self.boxes[r][k] = self.player()
            self.points[self.turn] += 1

    def __str__(self):
        lines = []
        for r in range(self.m):
            line = '+'
            for k in range(self.n - 1):
                line += '-' if self.horizontal[r][k] else '.'
                line += '+'
            lines.append(line)
            if r < self.m - 1:
                line = ''
                for k in range(self.n):
                    line += '|' if self.vertical[r][k] else '.'
                    if k < self.n - 1:
                        line += self.boxes[r][k]
                lines.append(line)
        return '\n'.join(lines)
