#!/usr/bin/env python3
"""Measures how much sooner two nodes of a Slurm grade a class than one, and what dividing it costs.

Each node has one processor. Runs on one node and on two alternate, and the figure is the median of their ratios: pairs of
one round see the same machine. As a limit, the same work is done by one and two keurs without Slurm, and as the cost, by one keur
that grades the whole class.

Run it as root from the repository after `cargo build --release`, on an idle machine with the packages slurmctld, slurmd,
slurm-client and munge; five to ten minutes:

    python3 benches/cluster.py [--write]      # --write: writes the table in docs/cluster.md
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target' / 'release' / 'keur'
SLURM = ROOT / 'tests' / 'it' / 'cluster' / 'slurm.sh'
TEMPLATE = ROOT / 'templates' / 'cluster' / 'slurm.sh'
DOCUMENT = ROOT / 'docs' / 'cluster.md'
FIXTURES = ROOT / 'fixtures' / 'submissions' / 'codenames' / 'python'

# The number of submissions, half of them wrong, and of shards.
SIZE = 400
SHARDS = 12
ROUNDS = 3

AIM = 1.8


def download(folder):
    """Writes a class: every other program is right, the others are each of the fixtures in turn."""
    right = FIXTURES / 'correct.py'
    wrong = sorted(file for file in FIXTURES.glob('*.py') if not file.name.startswith('correct'))
    for number in range(SIZE):
        place = folder / f'Student {number:03}_{1000 + number}_assignsubmission_file'
        place.mkdir(parents=True)
        source = right if number % 2 else wrong[number // 2 % len(wrong)]
        (place / 'codenames.py').write_bytes(source.read_bytes() + f'\n# student {number}\n'.encode())


def keur(*arguments, processors=None):
    """Starts keur, on some processors alone."""
    pinned = ['taskset', '--cpu-list', ','.join(map(str, processors))] if processors else []
    return subprocess.Popen([*pinned, KEUR, 'class', *arguments], stdout=subprocess.DEVNULL)


def done(processes):
    for process in processes:
        if process.wait():
            raise SystemExit(f'{process.args} failed')


class Round:
    """A fresh copy of the class."""

    def __init__(self, room):
        self.path = Path(tempfile.mkdtemp(dir=room)) / 'class'
        shutil.copytree(room / 'class', self.path)

    def report(self):
        done([keur('report', self.path, '--format', f'json={self.path}.json')])
        return json.loads(Path(f'{self.path}.json').read_text())


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def with_slurm(room, nodes, processors):
    """The time from submitting the class to the end of its shards, and the report."""
    one = Round(room)
    root = Path(tempfile.mkdtemp(dir=room)) / 'slurm'
    names = [f'n{number}' for number in range(1, nodes + 1)]
    environment = os.environ | {
        'CPUS': ' '.join(map(str, processors)), 'SLURM_CONF': str(root / 'slurm.conf'), 'PATH': f'{KEUR.parent}:{os.environ["PATH"]}',
    }
    subprocess.run([SLURM, 'up', root, *names], check=True, env=environment)
    try:
        def work():
            subprocess.run([TEMPLATE, one.path, str(SHARDS), '1'], check=True, env=environment, stdout=subprocess.DEVNULL)
            while subprocess.check_output(['squeue', '-h', '-n', 'keur'], env=environment):
                time.sleep(0.05)
        took = seconds(work)
        while subprocess.check_output(['squeue', '-h'], env=environment):
            time.sleep(0.1)
    finally:
        subprocess.run([SLURM, 'down', root], check=True, env=environment)
    return took, one.report()


def without_slurm(room, processors):
    """The time in which a keur on each processor grades its half of the class; with one processor, both halves."""
    one = Round(room)
    halves = [['run', one.path, '--jobs', '1', '--shard', f'{half}/2'] for half in (1, 2)]

    def work():
        if len(processors) == 1:
            for half in halves:
                done([keur(*half, processors=processors)])
        else:
            done([keur(*half, processors=[processor]) for half, processor in zip(halves, processors)])
    return seconds(work)


def undivided(room, processors):
    """The time in which one keur grades the class on one processor, and the report."""
    one = Round(room)
    took = seconds(lambda: done([keur('run', one.path, '--jobs', '1', processors=processors)]))
    return took, one.report()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--write', action='store_true', help='write the table in docs/cluster.md')
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))[:2]
    if len(processors) < 2:
        raise SystemExit('two processors are needed')
    rows = []
    with tempfile.TemporaryDirectory() as room:
        room = Path(room)
        download(room / 'downloads')
        done([keur('init', room / 'class', '--each', room / 'downloads')])
        whole, expected = undivided(room, processors[:1])
        for number in range(ROUNDS):
            one, report_of_one = with_slurm(room, 1, processors)
            two, report_of_two = with_slurm(room, 2, processors)
            limit_of_one, limit_of_two = without_slurm(room, processors[:1]), without_slurm(room, processors)
            assert report_of_one == report_of_two == expected, 'the reports differ'
            rows.append((one, two, limit_of_one, limit_of_two))
            print(f'round {number + 1}: one node {one:.1f} s, two {two:.1f} s: {one / two:.2f}; without Slurm {limit_of_one:.1f} s, '
                  f'{limit_of_two:.1f} s: {limit_of_one / limit_of_two:.2f}; undivided {whole:.1f} s', flush=True)
    one, two, limit_of_one, limit_of_two = (statistics.median(column) for column in zip(*rows))
    speed_up = statistics.median(row[0] / row[1] for row in rows)
    limit = statistics.median(row[2] / row[3] for row in rows)
    table = [
        f'| {SIZE} submissions, half of them wrong, {SHARDS} shards | one processor | two | ratio |',
        '|---|---|---|---|',
        f'| Slurm, nodes of one processor | {one:.1f} s | {two:.1f} s | {speed_up:.2f}; at least {AIM} is wanted |',
        f'| the limit of this machine: two shards without Slurm | {limit_of_one:.1f} s | {limit_of_two:.1f} s | {limit:.2f} |',
        f'| one keur, the class undivided | {whole:.1f} s | | |',
    ]
    print('\n'.join(table))
    if arguments.write:
        text = DOCUMENT.read_text()
        before, rest = text.split('<!-- table -->\n')
        _, after = rest.split('<!-- end of table -->')
        DOCUMENT.write_text(before + '<!-- table -->\n' + '\n'.join(table) + '\n<!-- end of table -->' + after)


if __name__ == '__main__':
    main()
