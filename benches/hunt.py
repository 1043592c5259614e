#!/usr/bin/env python3
"""Measures `keur hunt` over the fixtures: which broken ones the cases find, the case of random sessions if the game has
one, and hunts of 2 s and 10 s; how soon; how short the sessions are that they show, against the shortest known: that of
the cases by hand that the fixture fails and of all hunts; how many sessions one core replays in a second, and whether a
correct fixture is ever said to differ.

Run it from the repository after `cargo build --release`, on an idle machine:

    python3 benches/hunt.py                     # everything; about half an hour
    python3 benches/hunt.py codenames quixo     # these exercises
    python3 benches/hunt.py --language python --correct 1000
    python3 benches/hunt.py --only correct_dict --correct 100000

Fixtures that only a ruling, a program or a match shows to be wrong are listed apart: a hunt asks nothing of those.
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target' / 'release' / 'keur'
FIXTURES = ROOT / 'fixtures' / 'submissions'

# The times of hunts, in seconds. Those that the first one finds are not hunted again.
TIMES = (2, 10)

# How much longer than asked for a hunt may take: its tenth, and the start of the program.
OVER = 0.2

# The share of the broken fixtures that should be found, and the sessions a second.
AIM_FOUND = 0.98
AIM_SPEED = 1000


def steps(table):
    """The number of lines of each step of a case."""
    lines = [step.get('do', []) for step in table.get('step', [])]
    return [1 if isinstance(do, (str, dict)) else len(do) for do in lines]


def cases_of(exercise):
    """The cases of an exercise, by name."""
    files = sorted((ROOT / 'cases' / exercise).glob('*.toml'))
    return {file.stem: tomllib.loads(file.read_text()) for file in files if file.stem != 'exercise'}


def is_hunted(case):
    """Whether a hunt asks what a case asks: only calls, and nothing that depends on a ruling."""
    calls = all('do' in step for step in case.get('step', []))
    return calls and 'ruling' not in case.get('tags', [])


def fixtures(exercise, language):
    """The name, path and entry of each fixture."""
    folder = FIXTURES / exercise / language
    if not folder.is_dir():
        return
    entries = tomllib.loads((folder / 'verdicts.toml').read_text())
    for path in sorted(folder.iterdir()):
        if path.name != 'verdicts.toml':
            yield path.stem, path, entries[path.stem]


def shortest(entry, cases):
    """The fewest lines up to the failing one, over the cases that a fixture fails and that a hunt could find."""
    found = []
    for name, verdict in entry.get('fails', {}).items():
        at = re.search(r' at step (\d+)$', verdict)
        case = cases.get(name.split('[')[0])
        if at and case and is_hunted(case):
            found.append(sum(steps(case)[:int(at[1])]))
    return min(found, default=None)


def is_load_error(entry):
    return any(verdict == 'load error' for verdict in entry.get('fails', {}).values())


def hunt(keur, path, exercise, *options, save=None):
    """Runs `keur hunt`: its exit code, what it says, and the seconds, of the clock and of the processor."""
    command = [keur, 'hunt', path, '--exercise', exercise, '--lang', 'en', *options]
    command += ['--save', save] if save else []
    began, used = time.monotonic(), processor_time()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - began, processor_time() - used
    return done.returncode, done.stdout + done.stderr, seconds


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def on_one_core():
    os.sched_setaffinity(0, {0})


def broken(keur, exercises, languages, only):
    """Hunts the broken fixtures, and prints which are found, and how."""
    rows, apart, lost, late, wrong = [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / 'found.toml'
        for exercise in exercises:
            cases = cases_of(exercise)
            random = {name for name, case in cases.items() if 'random' in case}
            for language in languages:
                for name, path, entry in fixtures(exercise, language):
                    label = f'{exercise}/{language}/{name}'
                    if 'defect' not in entry or name not in (only or [name]):
                        continue
                    fewest = shortest(entry, cases)
                    if fewest is None and not is_load_error(entry):
                        apart.append(label)
                        continue
                    fails = {case.split('[')[0] for case in entry.get('fails', {})}
                    row = Row(exercise, bool(fails - random), bool(fails & random) if random else None, fewest)
                    rows.append(row)
                    for time in TIMES:
                        save.unlink(missing_ok=True)
                        code, said, (seconds, _) = hunt(keur, path, exercise, '--time', f'{time}s', save=save)
                        if seconds > time * 1.1 + OVER:
                            late.append(f'{label}: {seconds:.2f} s of {time} s')
                        if code == 1 and 'no counterexample' not in said:
                            row.time, row.seconds = time, seconds
                            row.length = sum(steps(tomllib.loads(save.read_text()))) if save.exists() else None
                            break
                        if code not in (0, 1, 4):
                            wrong.append(f'{label}: exit {code}: {said.strip()}')
                    if row.time is None:
                        lost.append(label)
                    if row.length and fewest and row.length > fewest:
                        print(f'  longer than by hand: {label}: {row.length} lines, {fewest} by hand', flush=True)
    print_found(rows)
    print('not found:', *(lost or ['none']), sep='\n  ')
    print('later than a tenth:', *(late or ['none']), sep='\n  ')
    print('apart, since only rulings, programs or matches show them:', *(apart or ['none']), sep='\n  ')
    return wrong


class Row:
    """A broken fixture: what finds it, and the lines that show it."""

    def __init__(self, exercise, by_cases, by_random, fewest):
        self.exercise, self.by_cases, self.by_random, self.fewest = exercise, by_cases, by_random, fewest
        self.time = self.seconds = self.length = None


def print_found(rows):
    print('| exercise | broken | by cases | by `[random]` | hunt of 2 s | of 10 s | median; slowest '
          '| lines: median; longest | shortest known: median; longest | sum; of the shortest known |')
    print('|---|---|---|---|---|---|---|---|---|---|')
    for exercise in [*dict.fromkeys(row.exercise for row in rows), 'all']:
        of = [row for row in rows if exercise in (row.exercise, 'all')]
        found = [row for row in of if row.time]
        both = [row for row in found if row.length and row.fewest]
        if not both:
            continue
        within = [sum(row.time <= time for row in found) for time in TIMES]
        random = [row.by_random for row in of if row.by_random is not None]
        times = [row.seconds for row in found]
        shown, known = [row.length for row in both], [min(row.length, row.fewest) for row in both]
        print(f'| {exercise} | {len(of)} | {sum(row.by_cases for row in of)} | {sum(random) if random else "none"} '
              f'| {within[0]} ({within[0] / len(of):.1%}) | {within[1]} ({within[1] / len(of):.1%}) '
              f'| {statistics.median(times):.2f} s; {max(times):.2f} s '
              f'| {statistics.median(shown):g}; {max(shown)} | {statistics.median(known):g}; {max(known)} '
              f'| {sum(shown)}; {sum(known)} |')
    print(f'aim: {AIM_FOUND:.0%} found within {TIMES[0]} s\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('exercises', nargs='*')
    parser.add_argument('--language', action='append')
    parser.add_argument('--only', action='append', help='only the fixtures of this name')
    parser.add_argument('--correct', type=int, default=20_000, help='sessions for each correct fixture')
    parser.add_argument('--keur', type=Path, default=KEUR, help='the program, built with --release')
    parser.add_argument('--broken', action='store_true', help='only the broken fixtures')
    asked = parser.parse_args()
    exercises = asked.exercises or sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    languages = asked.language or ['python', 'javascript', 'typescript', 'java']
    # Everything runs on one core, keur and what it starts.
    on_one_core()
    wrong = broken(asked.keur, exercises, languages, asked.only)
    if not asked.broken:
        correct(asked.keur, exercises, languages, asked.only, asked.correct, wrong)
    print('errors:', *(wrong or ['none']), sep='\n  ')


def correct(keur, exercises, languages, only, sessions, wrong):
    print(f'\n| correct fixture | sessions | a second of a processor (aim: {AIM_SPEED}) | result |')
    print('|---|---|---|---|')
    for exercise in exercises:
        for language in languages:
            for name, path, entry in fixtures(exercise, language):
                if 'defect' in entry or name not in (only or [name]):
                    continue
                code, said, (_, seconds) = hunt(keur, path, exercise, '--sessions', str(sessions), '--budget', '60min')
                last = said.strip().splitlines()[-1] if said.strip() else ''
                done = re.search(r'no difference in (\d+) session', last)
                count = int(done[1]) if done else 0
                result = 'no difference' if code == 0 and count == sessions else f'exit {code}: {last}'
                print(f'| {exercise}/{language}/{name} | {count} | {count / seconds:.0f} | {result} |', flush=True)
                if code != 0:
                    wrong.append(f'{exercise}/{language}/{name}: {said.strip()}')


if __name__ == '__main__':
    main()
