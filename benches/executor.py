#!/usr/bin/env python3
"""Measures the executor as whole processes and writes the table in docs/performance.md.

Run it from the repository after `cargo build --release`, and `cargo build --profile dist` for the size:

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

# The numbers of submissions in the runs that are compared: of a class, in the strict form, and for memory.
CLASS = 300
STRICT = 100
FEW, MANY = 2_000, 20_000

# Two cases of each exercise: with fewer there is no quick pass.
TWO_CASES = {PYTHON_FILE: ['one_row', 'one_column'], NODE_FILE: ['zero_is_no_size', 'corners']}

# Submissions with one mistake each.
BROKEN = ROOT / 'fixtures/submissions/codenames/python'

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
               *cases(PYTHON_FILE)]
    for process in [subprocess.Popen(command) for _ in range(2)]:
        if process.wait() != 0:
            sys.exit('the bare loop failed')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def copies(folder, count, source=PYTHON_FILE):
    """A folder with this many submissions, all the same."""
    name = 'codenames.py' if source == PYTHON_FILE else 'quixo.js'
    folder.mkdir()
    for index in range(count):
        (folder / f's{index:05}').mkdir()
        shutil.copy(source, folder / f's{index:05}' / name)
    return folder


def cases(source):
    """The names of the cases that a submission is graded on."""
    text = subprocess.run([KEUR, 'grade', source, '--format', 'json'], capture_output=True, text=True).stdout
    return [case['name'] for case in json.loads(text)['submissions'][0]['cases']]


def per_case(folder, source, *options):
    """Processor milliseconds for each further right case, over the submissions in a folder; the median of three runs."""
    command = [KEUR, 'grade', '--each', folder, '--format', 'csv', *options]
    few = [option for case in TWO_CASES[source] for option in ('--case', case)]
    further = len(list(folder.iterdir())) * (len(cases(source)) - len(TWO_CASES[source]))
    return statistics.median((once(command)[1] - once([*command, *few])[1]) / further * 1e3 for _ in range(3))


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
    size = (ROOT / 'target/dist/keur').stat().st_size
    yield 'size of the stripped binary, `--profile dist`', f'{size / 2**20:.1f} MB', 'under 15 MB'
    empty_python, empty_node = [python, '-I', '-S', '-c', 'pass'], [node, '-e', '0']
    quickjs, strict = ['--engine', 'quickjs'], ['--isolation', 'case']
    for what, command, start, aim in [
        (f'one right Python submission, {len(cases(PYTHON_FILE))} cases, against `python3 -I -S -c pass`',
         [PYTHON_FILE], empty_python, 'at most 4'),
        ('the same, strictly', [PYTHON_FILE, *strict], empty_python, ''),
        (f'one right JavaScript submission, {len(cases(NODE_FILE))} cases, against `node -e 0`', [NODE_FILE], empty_node,
         'at most 1.15'),
        ('the same, strictly', [NODE_FILE, *strict], empty_node, ''),
        ('the same on QuickJS', [NODE_FILE, *quickjs], empty_node, 'at most 0.4'),
        ('the same on QuickJS, strictly', [NODE_FILE, *quickjs, *strict], empty_node, ''),
    ]:
        a, b, ratio = paired([KEUR, 'grade', *command], start)
        yield what, f'{a * 1e3:.0f} ms / {b * 1e3:.1f} ms = {ratio:.2f}', aim
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        pythons, nodes = copies(own / 'python', CLASS), copies(own / 'node', CLASS, NODE_FILE)
        few_pythons, few_nodes = copies(own / 'few', STRICT), copies(own / 'few-node', STRICT, NODE_FILE)
        for engine, quick, few, source, options in [
            ('Python', pythons, few_pythons, PYTHON_FILE, []),
            ('node', nodes, few_nodes, NODE_FILE, []),
            ('QuickJS', nodes, few_nodes, NODE_FILE, quickjs),
        ]:
            yield (f'processor time per further right case, {engine}; strictly',
                   f'{per_case(quick, source, *options):.2f} ms; {per_case(few, source, *options, *strict):.2f} ms',
                   'at most 0.3 ms')
        runs = [(once([KEUR, 'grade', '--each', nodes])[1] / CLASS, once(empty_node)[1]) for _ in range(3)]
        yield (f'processor time per right submission on node, a class of {CLASS}, against `node -e 0`',
               f'{statistics.median(a / b for a, b in runs):.2f}', 'at most 1.2')
        for engine, each, options in [('Python', pythons, []), ('QuickJS', nodes, quickjs)]:
            wall, cpu, _ = sorted(once([KEUR, 'grade', '--each', each, *options]) for _ in range(3))[1]
            strictly = once([KEUR, 'grade', '--each', each, *options, *strict])[0]
            yield (f'right submissions a second, {engine}; strictly; processors busy',
                   f'{CLASS / wall:.0f}; {CLASS / strictly:.0f}; {cpu / wall / os.cpu_count() * 100:.0f} %', 'at least 150')
        runs = [(once([KEUR, 'grade', '--each', few_pythons, *strict])[1], bare_loop(python, STRICT)) for _ in range(3)]
        yield (f'processor time of {STRICT} Python submissions, strictly, against a bare loop of forks',
               f'{statistics.median(a / b for a, b in runs):.2f}', 'at most 1.3')
        wrong = [KEUR, 'grade', '--each', BROKEN, '--exercise', 'codenames']
        runs = [(once(wrong)[1], once([*wrong, *strict])[1]) for _ in range(5)]
        yield (f'{len(list(BROKEN.iterdir())) - 1} submissions, nearly all with a mistake, against the strict form',
               f'{statistics.median(a / b for a, b in runs):.2f}', 'at most 1.1')
        for what, path in [('one right Python submission', PYTHON_FILE), ('the folder of those with a mistake', BROKEN),
                           ('20 right Python submissions', copies(own / 'twenty', 20))]:
            each = ['--each'] if path.is_dir() else []
            test, grade = [KEUR, 'test', path], [KEUR, 'grade', *each, path, '--exit-zero']
            # Folders take turns on all cores, as those of `keur grade` do.
            a, b, ratio = paired(test, grade, 7)
            yield f'`keur test` against `keur grade`: {what}', f'{a:.2f} s / {b:.2f} s = {ratio:.2f}', 'at most 1.3'
        one = [KEUR, 'test', BROKEN, '--', '--exact', 'correct::codenames::spec_session']
        bare = [PYTHON_FILE, '--case', 'spec_session']
        runs = [(once(one)[1], once([KEUR, 'grade', *bare])[1]) for _ in range(RUNS)]
        yield ('processor time of one test of that folder by its exact name, as nextest runs it; of `keur grade --case`',
               f'{statistics.median(a for a, _ in runs) * 1e3:.0f} ms; {statistics.median(b for _, b in runs) * 1e3:.0f} ms',
               'at most 20 ms more')
        memory_few, memory_many = [
            once([KEUR, 'grade', '--each', copies(own / str(count), count), '--format', 'csv'])[2] for count in (FEW, MANY)]
        yield (f'memory of keur over {MANY:,} submissions; each one more', f'{memory_many / 2**10:.0f} MB; '
               f'{(memory_many - memory_few) / (MANY - FEW):.1f} KiB', 'at most 10 KiB')
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
