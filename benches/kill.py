#!/usr/bin/env python3
"""Kills runs of a class at random instants, and checks that nothing is lost.

Run it from the repository after `cargo build --release`, on Linux:

    python3 benches/kill.py                       # 500 submissions, 200 kills
    python3 benches/kill.py --students 50 --kills 40 --seed 7

A class is graded once undisturbed. Then it is graded again in rounds: each round kills its runs with SIGKILL, one after
the other, and lets the last one finish. After every kill the database must be whole and have all verdicts that it had
before; after every round the report must be that of the undisturbed run, byte for byte. Only kills that hit a run which was
still going count.
"""
import argparse
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / 'fixtures/submissions/quixo/python'

# The number of kills in a round.
IN_A_ROUND = 20


def download(folder, students):
    """Submissions as Moodle names them: the fixtures in turn, no two the same."""
    fixtures = sorted(FIXTURES.glob('*.py'))
    for number in range(students):
        place = folder / f'Student {number:04}_{10_000 + number}_assignsubmission_file_'
        place.mkdir(parents=True)
        text = fixtures[number % len(fixtures)].read_bytes()
        (place / 'quixo.py').write_bytes(text + f'\n# {number}\n'.encode())


def verdicts(database):
    """The verdicts of a database, which must be whole."""
    # A journal of the run that was killed is taken back first, as by any reader.
    connection = sqlite3.connect(database)
    assert connection.execute('PRAGMA integrity_check').fetchone() == ('ok',)
    found = set(connection.execute('SELECT files, "case", judge, verdict, share, outcome FROM verdict'))
    connection.close()
    return found


class Bench:
    def __init__(self, keur, home):
        self.keur, self.home, self.folder = keur, home, home / 'class'

    def command(self, *arguments):
        return [self.keur, 'class', *arguments]

    def run(self):
        subprocess.run(self.command('run', 'class'), cwd=self.home, check=True, stdout=subprocess.DEVNULL)

    def report(self):
        command = self.command('report', 'class', '--format', 'json')
        done = subprocess.run(command, cwd=self.home, stdout=subprocess.PIPE)
        assert done.returncode in (0, 1), done
        return done.stdout

    def killed(self, instant):
        """Starts a run and kills it after so many seconds; whether it was still going."""
        run = subprocess.Popen(self.command('run', 'class'), cwd=self.home, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        time.sleep(instant)
        run.kill()
        return run.wait() == -signal.SIGKILL


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--keur', type=Path, default=ROOT / 'target/release/keur')
    parser.add_argument('--students', type=int, default=500)
    parser.add_argument('--kills', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    instants = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix='keur-kill-') as home:
        home = Path(home)
        bench = Bench(options.keur.resolve(), home)
        download(home / 'download', options.students)
        init = bench.command('init', 'class', '--each', 'download', '--exercise', 'quixo')
        subprocess.run(init, cwd=home, check=True, stdout=subprocess.DEVNULL)
        fresh = home / 'fresh.db'
        shutil.copy(bench.folder / 'class.db', fresh)
        start = time.perf_counter()
        bench.run()
        whole = time.perf_counter() - start
        expected, count = bench.report(), len(verdicts(bench.folder / 'class.db'))
        print(f'{options.students} submissions, {count} verdicts: {whole:.1f} s undisturbed', flush=True)
        kills = rounds = journals = 0
        while kills < options.kills:
            rounds += 1
            shutil.copy(fresh, bench.folder / 'class.db')
            known, hit = set(), 0
            while hit < min(IN_A_ROUND, options.kills - kills):
                if not bench.killed(instants.uniform(0, 2 * whole / IN_A_ROUND)):
                    break
                hit += 1
                journals += (bench.folder / 'class.db-journal').exists()
                now = verdicts(bench.folder / 'class.db')
                assert known <= now, f'round {rounds}: {len(known - now)} verdicts are lost'
                known = now
            kills += hit
            bench.run()
            assert bench.report() == expected, f'round {rounds}: the report differs'
            assert len(verdicts(bench.folder / 'class.db')) == count
            print(f'round {rounds}: {kills} kills, {journals} of them while storing; the report is the same', flush=True)


if __name__ == '__main__':
    sys.exit(main())
