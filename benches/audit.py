#!/usr/bin/env python3
"""Counts which mutants of the right fixtures in Python and JavaScript the cases of the games kill: the cases of steps
alone, the case of random sessions, a hunt, or none of them.

Run it from the repository after `cargo build --release`:

    python3 benches/audit.py                    # all five games
    python3 benches/audit.py quixo --hunt 100000
    python3 benches/audit.py alquerque --only correct_modules

Below the table are the survivors that the hunt tells from the right program, each with the session that does.
"""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target' / 'release' / 'keur'
FIXTURES = ROOT / 'fixtures' / 'submissions'


def right_fixtures(exercise, only):
    found = sorted(path for language in ('python', 'javascript')
                   for path in (FIXTURES / exercise / language).glob('correct*'))
    return [path for path in found if path.stem in (only or [path.stem])]


def audit(keur, exercise, hunt, only):
    """The exercise of the report of `keur audit`, and the seconds that it took."""
    command = [keur, 'audit', exercise, '--hunt', str(hunt), '--format', 'json']
    for path in right_fixtures(exercise, only):
        command += ['--mutate', path.relative_to(ROOT)]
    began = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return json.loads(done.stdout)['exercises'][0], time.monotonic() - began


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('exercises', nargs='*')
    parser.add_argument('--hunt', type=int, default=10_000, help='sessions for each survivor')
    parser.add_argument('--only', action='append', help='only the fixtures of this name')
    parser.add_argument('--keur', type=Path, default=KEUR, help='the program, built with --release')
    asked = parser.parse_args()
    exercises = asked.exercises or sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    told = []
    print(f'| game | mutants | killed by cases alone | by the random case too | by a hunt of {asked.hunt} sessions '
          '| not at all | cases alone, of what is told apart |')
    print('|---|---|---|---|---|---|---|')
    for exercise in exercises:
        report, seconds = audit(asked.keur, exercise, asked.hunt, asked.only)
        mutants = [program for program in report['programs'] if program['kind'] == 'generic']
        fates = [program['fate'] for program in mutants]
        hunted = [program for program in mutants if 'case' in program.get('hunt', {})]
        cases, random = fates.count('killed'), fates.count('killed at random')
        apart = cases + random + len(hunted)
        print(f'| {exercise} | {len(mutants)} | {cases} | {random} | {len(hunted)} | {len(mutants) - apart} '
              f'| {cases / apart:.1%} |', flush=True)
        print(f'{exercise}: {seconds:.0f} s', file=sys.stderr)
        told += [(exercise, program) for program in hunted]
        told += [(exercise, program) for program in mutants if program['fate'] == 'killed at random']
    for exercise, program in told:
        print(f'\n{exercise}: {program["name"]} ({program["place"]})', *program['patch'], sep='\n')
        print(program.get('hunt', {}).get('case', 'killed by random sessions'))


if __name__ == '__main__':
    main()
