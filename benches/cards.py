#!/usr/bin/env python3
"""Counts the causes that reports show of each broken fixture of the games: cards of its page, and lines on the terminal.

Run it from the repository after `cargo build --release`; it takes some three minutes:

    python3 benches/cards.py                     # every fixture in Python and JavaScript
    python3 benches/cards.py codenames --keur PATH
"""
import argparse
import re
import statistics
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / 'fixtures' / 'submissions'
GAMES = ('codenames', 'quixo', 'yinyang', 'pipopipette', 'alquerque')
LANGUAGES = ('python', 'javascript')

# One defect is one card; nobody reads more than a few.
AIM_MEDIAN, AIM_MOST = 1, 4


def broken(games):
    """The game and the path of each broken fixture."""
    for game in games:
        for language in LANGUAGES:
            folder = FIXTURES / game / language
            entries = tomllib.loads((folder / 'verdicts.toml').read_text())
            for path in sorted(folder.iterdir()):
                if 'defect' in entries.get(path.stem, {}):
                    yield game, path


def shown(keur, game, path):
    """The cards of the page of a fixture, and the lines on the terminal with all its findings."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / 'page.html'
        command = [keur, 'grade', path, '--exercise', game, '--findings', 'all']
        command += ['--format', 'terminal', '--format', f'html={page}']
        done = subprocess.run(command, capture_output=True, text=True)
        return len(re.findall(r'<article id="c\d+"', page.read_text())), len(done.stdout.splitlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('games', nargs='*', metavar='game', choices=(*GAMES, []))
    parser.add_argument('--keur', type=Path, default=ROOT / 'target' / 'release' / 'keur', help='the program')
    asked = parser.parse_args()
    rows = [(*shown(asked.keur, game, path), path) for game, path in broken(asked.games or GAMES)]
    cards, lines = [row[0] for row in rows], [row[1] for row in rows]
    print('| broken fixtures | cards: median; mean; most | lines on the terminal: median; most |')
    print('|---|---|---|')
    print(f'| {len(rows)} | {statistics.median(cards):g}; {statistics.mean(cards):.2f}; {max(cards)} '
          f'| {statistics.median(lines):g}; {max(lines)} |')
    print(f'aim: median {AIM_MEDIAN}, most {AIM_MOST}')
    for count, _, path in sorted(rows, reverse=True):
        if count > AIM_MOST:
            print(f'  {count} cards: {path.relative_to(FIXTURES)}')


if __name__ == '__main__':
    main()
