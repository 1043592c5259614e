#!/usr/bin/env python3
"""Measures the executor as whole processes and writes the table in docs/performance.md.

Run it from the repository after `cargo build --release`:

    python3 benches/executor.py            # prints the table
    python3 benches/executor.py --write    # and writes it between the marks of docs/performance.md

Every comparison is a ratio of two things measured in turn in one run, so that noise affects both; the medians are
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
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target/release/keur'
PYTHON_FILE = ROOT / 'fixtures/submissions/codenames/python/correct.py'
NODE_FILE = ROOT / 'fixtures/submissions/quixo/javascript/correct_flat.js'
RUNS = 15

# The number of submissions in the run whose processor time is compared.
SOME = 500

# A case of the exercise that `NODE_FILE` answers.
ONE_CASE = 'zero_is_no_size'

# The exercise of the hostile submissions, and the case in which they attack.
ATTACKED = ROOT / 'fixtures/hostile/cases'
ATTACK = 'attack'


def interpreters():
    """The real interpreters, as `keur doctor` found them."""
    text = subprocess.run([KEUR, 'doctor'], capture_output=True, text=True).stdout
    return [re.search(rf'{name}: [\d.]+, (.*)', text).group(1) for name in ('Python', r'JavaScript \(Node\)')]


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


def median_cpu(command):
    once(command)
    return statistics.median(once(command)[1] for _ in range(RUNS))


# The minimum: a server that forks for each case, runs the file's compiled code, and makes the case's calls, without
# confinement, limits, a second process or comparisons.
BARE = """
import marshal, os, sys, tomllib
source, folder, submissions = sys.argv[1], sys.argv[2], int(sys.argv[3])
code = marshal.dumps(compile(open(source, 'rb').read(), source, 'exec'))
cases = []
for name in sys.argv[4:]:
    steps = tomllib.load(open(os.path.join(folder, name + '.toml'), 'rb'))['step']
    lines = []
    for step in steps:
        do = step['do'] if isinstance(step['do'], list) else [step['do']]
        for index, line in enumerate(do):
            target, is_bound, value = line.partition(' = ')
            bound = target if is_bound and target.isidentifier() else None
            shown = 'shows' in step and index + 1 == len(do)
            lines.append((bound, marshal.dumps(compile(value if bound else line, 'line', 'eval')), shown))
    cases.append(lines)
for _ in range(submissions):
    for lines in cases:
        child = os.fork()
        if child == 0:
            names = {}
            exec(marshal.loads(code), names)
            for bound, line, shown in lines:
                try:
                    value = eval(marshal.loads(line), names)
                    if bound:
                        names[bound] = value
                    if shown:
                        str(value)
                except Exception:
                    pass
            os._exit(0)
        os.waitpid(child, 0)
"""


def bare_loop(python, submissions):
    """Processor seconds of the bare loop over the Codenames suite, half of the submissions on each of two processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [python, '-I', '-S', '-c', BARE, PYTHON_FILE, ROOT / 'cases/codenames', str(submissions // 2),
               *cases('codenames')]
    for process in [subprocess.Popen(command) for _ in range(2)]:
        if process.wait() != 0:
            sys.exit('the bare loop failed')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def copies(folder, count):
    folder.mkdir()
    for index in range(count):
        (folder / f's{index:04}').mkdir()
        shutil.copy(PYTHON_FILE, folder / f's{index:04}/codenames.py')
    return folder


def cases(exercise):
    """The names of the cases that a submission is graded on."""
    text = subprocess.run([KEUR, 'grade', PYTHON_FILE if exercise == 'codenames' else NODE_FILE, '--format', 'json'],
                          capture_output=True, text=True).stdout
    return [case['name'] for case in json.loads(text)['submissions'][0]['cases']]


def attacks():
    """The hostile submissions: the files and folders beside their `verdicts.toml`."""
    for language in ('python', 'javascript'):
        folder = ROOT / 'fixtures/hostile/submissions' / language
        yield from sorted(path for path in folder.iterdir() if path.name != 'verdicts.toml')


def slowest_attack():
    """Wall seconds of the slowest attack, each graded by a separate keur; its file; the number of attacks."""
    tried = [(once([KEUR, 'grade', path, '--cases', ATTACKED, '--case', ATTACK])[0], path.name) for path in attacks()]
    return (*max(tried), len(tried))


def rows():
    python, node = interpreters()
    startup, _, _ = zip(*[once([KEUR, '--version']) for _ in range(RUNS)])
    yield 'start of `keur --version`', f'{statistics.median(startup) * 1e3:.1f} ms', 'under 3 ms'
    yield 'size of the stripped binary', f'{KEUR.stat().st_size / 2**20:.1f} MB', 'under 15 MB'
    a, b, ratio = paired([KEUR, 'grade', PYTHON_FILE], [python, '-I', '-S', '-c', 'pass'])
    yield (f'one Python submission, {len(cases("codenames"))} cases, against `python3 -I -S -c pass`',
           f'{a * 1e3:.0f} ms / {b * 1e3:.1f} ms = {ratio:.1f}', 'at most 10')
    a, b, ratio = paired([KEUR, 'grade', NODE_FILE], [node, '-e', '0'])
    yield (f'one JavaScript submission, {len(cases("quixo"))} cases, against `node -e 0`',
           f'{a * 1e3:.0f} ms / {b * 1e3:.0f} ms = {ratio:.2f}', 'at most 2')
    a, b, ratio = paired([KEUR, 'grade', NODE_FILE, '--engine', 'quickjs'], [node, '-e', '0'])
    yield (f'the same on the embedded engine, against `node -e 0`',
           f'{a * 1e3:.0f} ms / {b * 1e3:.0f} ms = {ratio:.2f}', '')
    for engine in ('node', 'quickjs'):
        whole = median_cpu([KEUR, 'grade', NODE_FILE, '--engine', engine])
        single = median_cpu([KEUR, 'grade', NODE_FILE, '--engine', engine, '--case', ONE_CASE])
        yield (f'processor time per further JavaScript case, {engine}',
               f'{(whole - single) / (len(cases("quixo")) - 1) * 1e3:.2f} ms', 'at most 1 ms')
    with tempfile.TemporaryDirectory() as folder:
        few, some, many = [copies(Path(folder) / str(count), count) for count in (50, SOME, 2000)]
        count = len(cases('codenames'))
        _, cpu_few, memory_few = once([KEUR, 'grade', '--each', few])
        keur_runs, bare_runs = [], []
        for _ in range(3):
            keur_runs.append(once([KEUR, 'grade', '--each', some]))
            bare_runs.append(bare_loop(python, SOME))
        wall, cpu, _ = sorted(keur_runs)[1]
        bare = sorted(bare_runs)[1]
        yield ('processor time per further Python case (fork, load, calls)',
               f'{(cpu - cpu_few) / (SOME - 50) / count * 1e3:.2f} ms', 'at most 2 ms')
        alone_few, alone = [once([KEUR, 'grade', '--each', folder, '--jobs', '1'])[1] for folder in (few, some)]
        yield ('the same with one worker (`--jobs 1`)', f'{(alone - alone_few) / (SOME - 50) / count * 1e3:.2f} ms',
               'at most 2 ms')
        yield (f'processor time of {SOME} submissions × {count} cases, against a bare loop of forks',
               f'{cpu:.1f} s / {bare:.1f} s = {statistics.median(k[1] / b for k, b in zip(keur_runs, bare_runs)):.2f}',
               'at most 1.3')
        yield (f'processors busy over {SOME} submissions', f'{cpu / wall / os.cpu_count() * 100:.0f} %', 'over 90 %')
        yield ('submissions per second', f'{SOME / wall:.0f}', '')
        _, _, memory = once([KEUR, 'grade', '--each', many])
        _, _, json_few = once([KEUR, 'grade', '--each', few, '--format', 'json'])
        _, _, json_many = once([KEUR, 'grade', '--each', many, '--format', 'json'])
        yield ('memory of keur per further passing submission, 50 to 2,000', f'{(memory - memory_few) / 1950:.1f} KiB',
               'at most 10 KiB')
        yield ('the same with a JSON report', f'{(json_many - json_few) / 1950:.1f} KiB', '')
    seconds, name, count = slowest_attack()
    limit = tomllib.loads((ATTACKED / 'target/exercise.toml').read_text())['limits']['wall']
    yield (f'the slowest of {count} attacks, `{name}`, whole `keur` process', f'{seconds:.1f} s',
           f'the wall-clock limit, {limit}, plus 1 s')


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


if __name__ == '__main__':
    main()
