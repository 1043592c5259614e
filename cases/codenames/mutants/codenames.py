class Spelbord:

    def __init__(self, m, n, sleutel):
        self.rows = m
        self.cols = n
        self.key = [list(sleutel[r * n:r * n + n]) for r in range(m)]
        self.open = [[False] * n for _ in range(m)]
        self.hidden = {'R': sleutel.count('R'), 'B': sleutel.count('B')}
        if self.hidden['R'] > self.hidden['B']:
            self.team = 'R'
        else:
            self.team = 'B'
        self.over = 0 in self.hidden.values()

    def beurt(self):
        if self.over:
            raise AssertionError('spel is afgelopen')
        return self.team

    def stoppen(self):
        if self.over:
            raise AssertionError('spel is afgelopen')
        self.pass_the_turn()
        return self

    def aanduiden(self, r, k):
        if self.over:
            raise AssertionError('spel is afgelopen')
        if not 0 <= r < self.rows:
            raise IndexError('no such row')
        if not 0 <= k < self.cols:
            raise IndexError('no such column')
        colour = self.key[r][k]
        if colour in self.hidden and not self.open[r][k]:
            self.hidden[colour] -= 1
        self.open[r][k] = True
        if colour != self.team:
            self.pass_the_turn()
        if colour == 'X':
            self.over = True
        if self.hidden['R'] == 0:
            self.over = True
        if self.hidden['B'] == 0:
            self.over = True
        return self

    def isafgelopen(self):
        return self.over

    def pass_the_turn(self):
        if self.team == 'R':
            self.team = 'B'
        else:
            self.team = 'R'

    def __str__(self):
        lines = []
        for r in range(self.rows):
            cells = []
            for k in range(self.cols):
                if self.open[r][k]:
                    cells.append(self.key[r][k])
                else:
                    cells.append('?')
            lines.append(' '.join(cells))
        return '\n'.join(lines)
