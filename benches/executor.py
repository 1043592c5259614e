#!/usr/bin/env python3
"""Measures the executor as whole processes and writes the table in docs/performance.md.

Run it from the repository after `cargo build --release`:

    python3 benches/executor.py            # prints the table
    python3 benches/executor.py --write    # and writes it between the marks of docs/performance.md

Every figure is a ratio of two things measured in turn in one run, so that a noisy machine moves both; the medians are
shown. Linux only: processor time and memory come from the kernel's accounting of each finished process.
"""
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target/release/keur'
PYTHON_FILE = ROOT / 'fixtures/submissions/codenames/python/correct.py'
NODE_FILE = ROOT / 'fixtures/submissions/quixo/javascript/correct_flat.js'
RUNS = 15


def interpreters():
    """The real interpreters, as `keur doctor` found them."""
    text = subprocess.run([KEUR, 'doctor'], capture_output=True, text=True).stdout
    return [re.search(rf'{name}: [\d.]+, (.*)', text).group(1) for name in ('Python', 'JavaScript')]


def once(command):
    """Wall and processor seconds, and the peak memory in KiB, of one run of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return wall, cpu, usage.ru_maxrss


def paired(command, against, runs=RUNS):
    """Medians of wall seconds of both, run in turn, and the median of their ratios."""
    once(command), once(against)
    pairs = [(once(command)[0], once(against)[0]) for _ in range(runs)]
    return (statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
            statistics.median(a / b for a, b in pairs))


def copies(folder, count):
    for index in range(count):
        (folder / f's{index:04}').mkdir()
        shutil.copy(PYTHON_FILE, folder / f's{index:04}/codenames.py')
    return folder


def cases(exercise):
    text = subprocess.run([KEUR, 'grade', PYTHON_FILE if exercise == 'codenames' else NODE_FILE, '--format', 'json'],
                          capture_output=True, text=True).stdout
    return len(json.loads(text)['submissions'][0]['cases'])


def rows():
    python, node = interpreters()
    startup, _, _ = zip(*[once([KEUR, '--version']) for _ in range(RUNS)])
    yield 'start of `keur --version`', f'{statistics.median(startup) * 1e3:.1f} ms', 'under 3 ms'
    yield 'size of the stripped binary', f'{KEUR.stat().st_size / 2**20:.1f} MB', 'under 15 MB'
    a, b, ratio = paired([KEUR, 'grade', PYTHON_FILE], [python, '-I', '-S', '-c', 'pass'])
    yield (f'one Python submission, {cases("codenames")} cases, against `python3 -I -S -c pass`',
           f'{a * 1e3:.0f} ms / {b * 1e3:.1f} ms = {ratio:.1f}', 'at most 10')
    a, b, ratio = paired([KEUR, 'grade', NODE_FILE], [node, '-e', '0'])
    yield (f'one JavaScript submission, {cases("quixo")} cases, against `node -e 0`',
           f'{a * 1e3:.0f} ms / {b * 1e3:.0f} ms = {ratio:.2f}', 'at most 2')
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        few, many = copies(Path(few), 20), copies(Path(many), 220)
        _, cpu_few, memory_few = once([KEUR, 'grade', '--each', few])
        wall, cpu, memory = once([KEUR, 'grade', '--each', many])
        _, _, json_few = once([KEUR, 'grade', '--each', few, '--format', 'json'])
        _, _, json_many = once([KEUR, 'grade', '--each', many, '--format', 'json'])
        count = cases('codenames')
        yield ('processor time per further Python case (fork, load, calls)',
               f'{(cpu - cpu_few) / 200 / count * 1e3:.2f} ms', 'at most 2 ms')
        yield ('processors busy over 220 submissions', f'{cpu / wall / os.cpu_count() * 100:.0f} %', 'over 90 %')
        yield ('submissions a second', f'{220 / wall:.0f}', '')
        yield ('memory of keur per further passing submission', f'{(memory - memory_few) / 200:.1f} KiB',
               'at most 10 KiB')
        yield ('the same with a JSON report, whose text is held until its end', f'{(json_many - json_few) / 200:.1f} KiB',
               '')


def main():
    table = ['| measured | figure | aim |', '|---|---|---|']
    for row in rows():
        table.append('| ' + ' | '.join(row) + ' |')
        print(table[-1], flush=True)
    if '--write' in sys.argv:
        path = ROOT / 'docs/performance.md'
        before, _, rest = path.read_text().partition('<!-- table -->\n')
        _, _, after = rest.partition('<!-- end of table -->')
        path.write_text(before + '<!-- table -->\n' + '\n'.join(table) + '\n<!-- end of table -->' + after)


main()
