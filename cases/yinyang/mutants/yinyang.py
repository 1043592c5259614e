class YinYang:

    def __init__(self, dimensie, wit, zwart):
        for r, k in wit:
            if not 0 <= r < dimensie:
                raise AssertionError('ongeldige puzzel')
            if not 0 <= k < dimensie:
                raise AssertionError('ongeldige puzzel')
        for row, col in zwart:
            if not 0 <= row < dimensie:
                raise AssertionError('ongeldige puzzel')
            if not 0 <= col < dimensie:
                raise AssertionError('ongeldige puzzel')
        for p in wit:
            if p in zwart:
                raise AssertionError('ongeldige puzzel')
        for r, k in wit:
            if (r, k + 1) in wit and (r + 1, k) in wit and (r + 1, k + 1) in wit:
                raise AssertionError('ongeldige puzzel')
        for row, col in zwart:
            if (row, col + 1) in zwart and (row + 1, col) in zwart and (row + 1, col + 1) in zwart:
                raise AssertionError('ongeldige puzzel')
        self.n = dimensie
        self.white_givens = set(wit)
        self.black_givens = set(zwart)
        self.white = set(wit)
        self.black = set(zwart)

    def is_inside(self, p):
        r, k = p
        return 0 <= r < self.n and 0 <= k < self.n

    def is_empty(self, p):
        return p not in self.white and p not in self.black

    def makes_square(self, p, cells):
        r, k = p
        if {(r - 1, k - 1), (r - 1, k), (r, k - 1)} <= cells:
            return True
        if {(r - 1, k), (r - 1, k + 1), (r, k + 1)} <= cells:
            return True
        if {(r, k - 1), (r + 1, k - 1), (r + 1, k)} <= cells:
            return True
        if {(r, k + 1), (r + 1, k), (r + 1, k + 1)} <= cells:
            return True
        return False

    def maak_wit(self, p):
        if not self.is_inside(p):
            raise AssertionError('ongeldige actie')
        if not self.is_empty(p):
            raise AssertionError('ongeldige actie')
        if self.makes_square(p, self.white):
            raise AssertionError('ongeldige actie')
        self.white.add(p)
        return self

    def maak_zwart(self, p):
        if not self.is_inside(p):
            raise AssertionError('ongeldige actie')
        if not self.is_empty(p):
            raise AssertionError('ongeldige actie')
        if self.makes_square(p, self.black):
            raise AssertionError('ongeldige actie')
        self.black.add(p)
        return self

    def maak_leeg(self, p):
        if not self.is_inside(p):
            raise AssertionError('ongeldige actie')
        if self.is_empty(p):
            raise AssertionError('ongeldige actie')
        if p in self.white_givens:
            raise AssertionError('ongeldige actie')
        if p in self.black_givens:
            raise AssertionError('ongeldige actie')
        self.white.discard(p)
        self.black.discard(p)
        return self

    def aaneengesloten_gebied(self, p):
        if not self.is_inside(p):
            return set()
        if self.is_empty(p):
            return set()
        if p in self.white:
            cells = self.white
        else:
            cells = self.black
        region = {p}
        todo = [p]
        while todo:
            r, k = todo.pop()
            for q in [(r - 1, k), (r + 1, k), (r, k - 1), (r, k + 1)]:
                if q in cells and q not in region:
                    region.add(q)
                    todo.append(q)
        return region

    def isopgelost(self):
        if len(self.white) + len(self.black) != self.n * self.n:
            return False
        for p in self.white:
            if self.aaneengesloten_gebied(p) != self.white:
                return False
        for p in self.black:
            if self.aaneengesloten_gebied(p) != self.black:
                return False
        return True

    def __str__(self):
        lines = []
        for r in range(self.n):
            line = ''
            for k in range(self.n):
                if (r, k) in self.white_givens:
                    line += 'W'
                elif (r, k) in self.black_givens:
                    line += 'B'
                elif (r, k) in self.white:
                    line += 'w'
                elif (r, k) in self.black:
                    line += 'b'
                else:
                    line += '-'
            lines.append(line)
        return '\n'.join(lines)
