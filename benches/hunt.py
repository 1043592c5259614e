#!/usr/bin/env python3
"""Measures `keur hunt` over the fixtures: which broken ones it finds and how soon, how short the sessions are that it
shows, against the shortest of the cases by hand that the fixture fails, how many sessions one core replays in a second,
and whether a correct fixture is ever said to differ.

Run it from the repository after `cargo build --release`, on an idle machine:

    python3 benches/hunt.py                     # everything; about half an hour
    python3 benches/hunt.py codenames quixo     # these exercises
    python3 benches/hunt.py --language python --correct 1000

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

# The longest search, in seconds; starting and shrinking come on top.
PATIENCE = 2

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
    command = [keur, 'hunt', path, '--exercise', exercise, *options]
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('exercises', nargs='*')
    parser.add_argument('--language', action='append')
    parser.add_argument('--correct', type=int, default=20_000, help='sessions for each correct fixture')
    parser.add_argument('--keur', type=Path, default=KEUR, help='the program, built with --release')
    parser.add_argument('--broken', action='store_true', help='only the broken fixtures')
    asked = parser.parse_args()
    exercises = asked.exercises or sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    languages = asked.language or ['python', 'javascript', 'typescript', 'java']
    # Everything runs on one core, keur and what it starts.
    on_one_core()
    rows, apart, lost, wrong = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / 'found.toml'
        for exercise in exercises:
            cases = cases_of(exercise)
            for language in languages:
                for name, path, entry in fixtures(exercise, language):
                    label = f'{exercise}/{language}/{name}'
                    if 'defect' not in entry:
                        continue
                    fewest = shortest(entry, cases)
                    if fewest is None and not is_load_error(entry):
                        apart.append(label)
                        continue
                    save.unlink(missing_ok=True)
                    code, said, (seconds, _) = hunt(asked.keur, path, exercise, '--time', f'{PATIENCE}s', save=save)
                    if code == 0:
                        lost.append(label)
                        rows.append((language, False, seconds, None, None))
                    elif code != 1:
                        wrong.append(f'{label}: exit {code}: {said.strip()}')
                    else:
                        length = sum(steps(tomllib.loads(save.read_text()))) if save.exists() else None
                        rows.append((language, True, seconds, length, fewest))
                        if length and fewest and length > fewest + 1:
                            print(f'  longer than by hand: {label}: {length} lines, {fewest} by hand')
        print_found(rows)
        print('not found:', *(lost or ['none']), sep='\n  ')
        print('apart, since only rulings, programs or matches show them:', *(apart or ['none']), sep='\n  ')
        if not asked.broken:
            correct(asked.keur, exercises, languages, asked.correct, wrong)
    print('errors:', *(wrong or ['none']), sep='\n  ')


def print_found(rows):
    print('| language | broken | found | shown within 2 s | median; slowest | lines, median | by hand, median | longer by, median |')
    print('|---|---|---|---|---|---|---|---|')
    for language in [*dict.fromkeys(row[0] for row in rows), 'all']:
        of = [row for row in rows if language in (row[0], 'all')]
        found = [row for row in of if row[1]]
        both = [(row[3], row[4]) for row in found if row[3] and row[4]]
        if not both:
            continue
        times = [row[2] for row in found]
        print(f'| {language} | {len(of)} | {len(found)} ({len(found) / len(of):.1%}) '
              f'| {sum(time <= PATIENCE for time in times) / len(of):.1%} '
              f'| {statistics.median(times):.2f} s; {max(times):.2f} s '
              f'| {statistics.median(mine for mine, _ in both):g} | {statistics.median(hand for _, hand in both):g} '
              f'| {statistics.median(mine - hand for mine, hand in both):g} |')
    print(f'aim: {AIM_FOUND:.0%} found within {PATIENCE} s, longer by at most 1\n')


def correct(keur, exercises, languages, sessions, wrong):
    print(f'\n| correct fixture | sessions | a second of a processor (aim: {AIM_SPEED}) | result |')
    print('|---|---|---|---|')
    for exercise in exercises:
        for language in languages:
            for name, path, entry in fixtures(exercise, language):
                if 'defect' in entry:
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
