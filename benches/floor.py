#!/usr/bin/env python3
"""Adds up the cost of a case of a Python submission, part by part: first the work of keur's driver without keur, then
keur as a whole. Each line includes the lines above it; the figures are milliseconds of processor time per case, for
the server and its children together, and page faults of a child. Everything runs on one core, and the parts take
turns, so that noise affects all of them; the medians are shown.

Run it from the repository after `cargo build --release`, on Linux:

    python3 benches/floor.py
"""
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
SUBMISSIONS = 20

# A program that speaks the protocol like the driver and records each request in a separate file, because a submission
# may only write small files.
RECORDER = """
import json, os, sys
driver, notes = sys.argv[1:3]
names = {'__name__': 'driver'}
exec(compile(open(driver).read().split('MODE = sys.argv[1]')[0], 'driver', 'exec'), names)
receive = names['Channel'].receive

def noted(channel):
    request = receive(channel)
    with open(os.path.join(notes, str(os.getpid())), 'a') as file:
        file.write(json.dumps(request) + '\\n')
    return request

names['Channel'].receive = noted
names['MODE'] = 'pipes'
names['main']()
"""

# The parts, in an interpreter without library modules, like the driver's.
PARTS = """
import _ctypes, _socket, array, binascii, gc, marshal, posix as system, resource, sys
driver, source, notes, submissions = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
names = {'__name__': 'driver'}
exec(compile(open(driver).read().split('MODE = sys.argv[1]')[0], 'driver', 'exec'), names)
pack, scan = names['pack'], names['scan']
code = marshal.dumps(compile(open(source, 'rb').read(), source, 'exec'))
handed = binascii.b2a_base64(code, newline=False).decode()
cases = []
for line in open(notes):
    request = scan(line, 0)[0]
    if request['op'] == 'start':
        cases.append([])
    if request['op'] == 'load':
        # As if an earlier child had compiled it.
        line = '{"code":{"%s":"%s"},%s' % (request['modules'][0], handed, line.replace('"compile": true, ', '')[1:])
    cases[-1].append(line.strip())
requests = [[scan(line, 0)[0] for line in lines] for lines in cases]
frames = [b''.join(pack('<I8s', len(line), b'........') + line.encode() for line in lines) for lines in cases]
limits = [(resource.RLIMIT_CPU, 4), (resource.RLIMIT_DATA, 1 << 30), (resource.RLIMIT_AS, 1 << 34),
          (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_NOFILE, 64), (resource.RLIMIT_CORE, 0)]

def code_alone(case):
    exec(marshal.loads(code), {})

def calls(case):
    submission = names['Submission'](None, None)
    for request in requests[case]:
        try:
            if request['op'] == 'load':
                submission.load(request)
            elif request['op'] == 'run':
                submission.run(request)
        except Exception as error:
            names['raised'](error, submission.files)

def served(case):
    names['serve'](names['Channel'](3, 3), names['flush_to_file'])

def limited(case):
    for limit, value in limits:
        resource.setrlimit(limit, (value, value))
    served(case)

def alone(child):
    def run(case):
        number = system.fork()
        if number == 0:
            child(case)
            system._exit(0)
        system.waitpid(number, 0)
    return run

def asked(child, in_step):
    def run(case):
        ours, theirs = _socket.socketpair()
        output, errors = system.memfd_create('output'), system.memfd_create('errors')
        number = system.fork()
        if number == 0:
            for descriptor, place in (output, 1), (errors, 2), (theirs.fileno(), 3):
                system.dup2(descriptor, place)
            system.closerange(4, 64)
            child(case)
            system._exit(0)
        theirs.close()
        if in_step:
            for line in cases[case]:
                ours.send(pack('<I8s', len(line), b'........') + line.encode())
                left = names['unpack']('<I8s', ours.recv(12))[0]
                while left:
                    left -= len(ours.recv(left))
        else:
            ours.send(frames[case])
        ours.shutdown(1)
        system.waitpid(number, 0)
        ours.close()
        system.close(output)
        system.close(errors)
    return run

parts = [alone(lambda case: None), alone(code_alone), alone(calls), asked(served, False), asked(limited, False),
         asked(limited, True)]
gc.collect()
gc.freeze()

def used():
    each = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in each), each[1].ru_minflt

for run in parts:
    (before, faults), count = used(), submissions * len(cases)
    for _ in range(submissions):
        for case in range(len(cases)):
            run(case)
    after, more = used()
    sys.stderr.write('%f %d\\n' % ((after - before) / count * 1e3, (more - faults) / count))
"""

NAMES = ['the fork and the end of a child', 'running the compiled code of the file', "the driver's own loading and calls",
         'requests and replies, over a socket', 'limits of resources', 'each request waits for its reply',
         'keur without confinement', 'keur']


def executor():
    """The module of the other bench."""
    spec = importlib.util.spec_from_file_location('executor', ROOT / 'benches/executor.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record(bench, python, folder):
    """Keur's requests to a submission of Codenames, one per line, and the number of cases."""
    recorder, asked, notes = folder / 'recorder.py', folder / 'asked', folder / 'notes'
    recorder.write_text(RECORDER)
    asked.mkdir()
    command = f'{python} -I -S {recorder} {ROOT}/crates/core/src/languages/python/driver.py {asked}'
    said = subprocess.run([bench.KEUR, 'grade', bench.PYTHON_FILE, '--exercise', 'codenames', '--jobs', '1',
                           '--command', command, '--format', 'json'], capture_output=True, text=True).stdout
    cases = json.loads(said)['submissions'][0]['cases']
    if any(case['verdict'] != 'passed' for case in cases):
        sys.exit('the recorded submission does not pass')
    notes.write_text(''.join(file.read_text() for file in sorted(asked.iterdir(), key=lambda file: int(file.name))))
    return notes, len(cases)


def of_keur(bench, few, some, more, tier):
    """Milliseconds of processor time per case, from what `some` take beyond `few`, for `more` cases in total."""
    runs = [bench.once([bench.KEUR, 'grade', '--each', folder, '--jobs', '1', '--isolation', 'case', '--confine', tier])[1]
            for folder in (few, some)]
    return (runs[1] - runs[0]) / more * 1e3


def main():
    bench = executor()
    python, _ = bench.interpreters()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        notes, count = record(bench, python, folder)
        few, some = (bench.copies(folder / str(size), size) for size in (5, 5 + 2 * SUBMISSIONS))
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        command = [python, '-I', '-S', '-c', PARTS, ROOT / 'crates/core/src/languages/python/driver.py', bench.PYTHON_FILE, notes,
                   str(SUBMISSIONS)]
        rounds = []
        for _ in range(ROUNDS):
            said = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True).stderr
            parts = [tuple(map(float, line.split())) for line in said.splitlines()]
            keur = [(of_keur(bench, few, some, 2 * SUBMISSIONS * count, tier), None)
                    for tier in ('portable', 'standard')]
            rounds.append(parts + keur)
    print('| a case has | ms | faults |\n|---|---|---|')
    for name, measured in zip(NAMES, zip(*rounds, strict=True), strict=True):
        faults = measured[0][1]
        print(f'| {name} | {statistics.median(ms for ms, _ in measured):.2f} | {"" if faults is None else int(faults)} |')


if __name__ == '__main__':
    main()
