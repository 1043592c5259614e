#!/usr/bin/env python3
"""Measures a class as whole processes and writes its table in docs/performance.md.

Run it from the repository after `cargo build --release`:

    python3 benches/class.py            # prints the table
    python3 benches/class.py --write    # and writes it between the marks of docs/performance.md

A class of 2,000 different submissions of Codenames is graded, every second one with a mistake; then its database is
multiplied to 20,000, which is reported in each format. Linux only: memory comes from the kernel's accounting.
"""
import hashlib
import multiprocessing
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEUR = ROOT / 'target/release/keur'
FIXTURES = ROOT / 'fixtures/submissions/codenames/python'

# The submissions that are graded, and how often the database holds each of them for the reports.
CLASS, TIMES = 2_000, 10

FORMATS = ['csv', 'json', 'html', 'junit']


def once(*command):
    """The wall and processor seconds, the peak memory in MiB and the output of one run of keur with these arguments."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([KEUR, *map(str, command)], stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        out.seek(0)
        text = out.read().decode(errors='replace')
    if process.returncode != 0:
        sys.exit(f'keur {" ".join(map(str, command))} exits with {process.returncode}:\n{text[-2000:]}')
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def wrong():
    """The fixtures with a mistake that are one file, and do not run into a limit of time."""
    slow = re.compile('asks|ever|slow|sleep|loop|limit|import|waits')
    found = sorted(path for path in FIXTURES.glob('*.py') if not path.stem.startswith('correct'))
    return [path for path in found if not slow.search(path.stem)]


def submissions(folder):
    """A folder with a class, no two submissions of which are the same."""
    right, wrongs = (FIXTURES / 'correct.py').read_text(), [path.read_text() for path in wrong()]
    for index in range(CLASS):
        place = folder / f'Student {index:05}'
        place.mkdir(parents=True)
        text = wrongs[index // 2 % len(wrongs)] if index % 2 else right
        (place / 'codenames.py').write_text(f'{text}\n# {index}\n')
    return folder


def checksum(table, values):
    """The checksum of a row, as src/class/store/sealed.rs has it."""
    digest = hashlib.sha256(table.encode())
    for value in values:
        if value is None:
            digest.update(b'\0' + bytes(8))
        elif isinstance(value, int):
            digest.update(b'\1' + value.to_bytes(8, 'little', signed=True))
        elif isinstance(value, float):
            digest.update(b'\2' + struct.pack('<d', value))
        else:
            text = value.encode()
            digest.update(b'\3' + len(text).to_bytes(8, 'little') + text)
    return int.from_bytes(digest.digest()[:8], 'little', signed=True)


def seal(database, table, columns):
    """Gives each row of a table its checksum, and tallies them."""
    tallies = {}
    rows = database.execute(f'SELECT * FROM {table}').fetchall()
    keys = [f'"{row[1]}" = ?' for row in database.execute(f'PRAGMA table_info({table})') if row[5]]
    for row in rows:
        values = row[:columns.index('sum')]
        total = checksum(table, values)
        database.execute(f'UPDATE {table} SET sum = ? WHERE {" AND ".join(keys)}', (total, *values[:len(keys)]))
        part = values[0] if table == 'verdict' else ''
        count, together = tallies.get(part, (0, 0))
        tallies[part] = count + 1, together ^ total
    database.execute('DELETE FROM tally WHERE name = ?', (table,))
    database.executemany('INSERT INTO tally VALUES (?, ?, ?, ?)',
                         [(table, part, *tally) for part, tally in tallies.items()])


def multiply(course):
    """Makes a graded class larger: each submission comes several times, under other names and with other files."""
    database = sqlite3.connect(course / 'class.db')
    columns = [[row[1] for row in database.execute(f'PRAGMA table_info({table})')]
               for table in ('student', 'submission', 'verdict')]
    folders = [row[0] for row in database.execute('SELECT folder FROM submission')]
    for time_of in range(1, TIMES):
        mark = f'{time_of} '
        changed = {'name': f"'{mark}' || name", 'student': f"'{mark}' || student", 'folder': f"'{mark}' || folder",
                   'files': f"'{mark}' || files"}
        for table, names in zip(('student', 'submission', 'verdict'), columns):
            values = ', '.join(changed.get(name, f'"{name}"') for name in names)
            first = {'student': "name LIKE 'Student%'", 'submission': "student LIKE 'Student%'",
                     'verdict': 'files IN (SELECT files FROM submission WHERE student LIKE \'Student%\')'}[table]
            database.execute(f'INSERT OR IGNORE INTO {table} SELECT {values} FROM {table} WHERE {first}')
        for name in folders:
            shutil.copytree(course / 'submissions' / name, course / 'submissions' / (mark + name),
                            copy_function=os.link)
    for table, names in zip(('student', 'submission', 'verdict'), columns):
        if 'sum' in names:
            seal(database, table, names)
    database.commit()
    counts = [database.execute(f'SELECT count(*) FROM {table}').fetchone()[0] for table in ('student', 'verdict')]
    database.close()
    return counts


def table(rows):
    lines = ['| measured | time | processor time | memory | aim |', '|---|---|---|---|---|']
    lines += [f'| {what} | {wall:.1f} s | {cpu:.1f} s | {memory:.0f} MB | {aim} |' for what, wall, cpu, memory, aim in rows]
    return '\n'.join(lines) + '\n'


def measured():
    rows = []

    def add(what, aim, *command):
        wall, cpu, memory, _ = once(*command)
        rows.append((what, wall, cpu, memory, aim))
        print(f'{what}: {wall:.1f} s, {cpu:.1f} s of processors, {memory:.0f} MB', file=sys.stderr)

    with tempfile.TemporaryDirectory(dir=ROOT / 'target') as place:
        place = Path(place)
        course = place / 'course'
        given = submissions(place / 'given')
        add(f'`init` of {CLASS:,} submissions', '', 'class', 'init', course, '--each', given, '--exercise', 'codenames')
        shutil.rmtree(given)
        add(f'`run`: {CLASS:,} submissions × 25 cases, half of them wrong', '', 'class', 'run', course)
        add('`run` again, with nothing to do', '1 s', 'class', 'run', course)
        # In a process of its own: the kernel counts the memory of this one for the programs that it starts.
        with multiprocessing.get_context('spawn').Pool(1) as pool:
            students, verdicts = pool.apply(multiply, (course,))
        print(f'{students:,} students, {verdicts:,} verdicts', file=sys.stderr)
        for format in FORMATS:
            out = place / f'report.{format}'
            add(f'`report` of {students:,} submissions as {format}', '10 s, 300 MB',
                'class', 'report', course, '--format', f'{format}={out}')
            print(f'  {out.stat().st_size / 1e6:.1f} MB written', file=sys.stderr)
            out.unlink()
        add(f'`report` of {students:,} submissions on the terminal', '10 s, 300 MB', 'class', 'report', course)
        add(f'`run` of {students:,} submissions, with nothing to do', '', 'class', 'run', course)
    return rows


def main():
    written = table(measured())
    print(written)
    if '--write' in sys.argv:
        page = ROOT / 'docs/performance.md'
        begin, end = '<!-- class -->\n', '<!-- end of class -->'
        before, rest = page.read_text().split(begin)
        page.write_text(before + begin + written + end + rest.split(end)[1])


if __name__ == '__main__':
    main()
