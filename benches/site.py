#!/usr/bin/env python3
"""Measures a site of `keur site` in Chromium: what a visitor downloads, and the seconds until a verdict is on the page.

Needs Chromium with its driver, and a keur that has keur.wasm (docs/site.md) or --module:

    python3 benches/site.py --pyodide node_modules/pyodide [--keur PATH] [--module keur.wasm] [--times 3]

Cold is a browser that has never been there; again is the same page opened once more, from the browser's own store.
"""
import argparse
import contextlib
import gzip
import json
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / 'fixtures' / 'submissions' / 'codenames'
# The second has eleven failing cases or more. The first prints nothing when it is loaded: what does is graded case by case.
SUBMISSIONS = {'python': ('correct.py', 'rows_as_stride.py'), 'javascript': ('correct.js', 'commas_between_the_cells.js')}
# The most seconds that a verdict may take.
PATIENCE = 120

DONE = """
const [progress, report, trouble] = ['progress', 'report', 'trouble'].map((id) => document.getElementById(id));
if (!trouble.hidden) throw new Error(trouble.textContent);
return progress.hidden && report.children.length > 0;
"""


class Browser:
    """A fresh Chromium, driven by the protocol WebDriver."""

    def __init__(self):
        port = free_port()
        self.driver = subprocess.Popen(['chromedriver', f'--port={port}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.address = f'http://127.0.0.1:{port}'
        options = {'args': ['--headless=new', '--no-sandbox', '--disable-gpu', '--window-size=1300,900']}
        capabilities = {'alwaysMatch': {'browserName': 'chrome', 'goog:chromeOptions': options}}
        until(self.is_ready)
        self.address += '/session/' + self.ask('POST', '/session', {'capabilities': capabilities})['sessionId']

    def is_ready(self):
        with contextlib.suppress(OSError):
            return self.ask('GET', '/status')['ready']

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, method=method, data=data, headers={'Content-Type': 'application/json'})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)['value']

    def open(self, address):
        self.ask('POST', '/url', {'url': address})

    def grade(self, path):
        """Gives the page a file, and waits until its report is there."""
        self.ask('POST', '/execute/sync', {'script': 'document.getElementById("report").replaceChildren()', 'args': []})
        found = self.ask('POST', '/element', {'using': 'css selector', 'value': '#files'})
        self.ask('POST', f'/element/{next(iter(found.values()))}/value', {'text': str(path)})
        until(lambda: self.ask('POST', '/execute/sync', {'script': DONE, 'args': []}))

    def end(self):
        self.ask('DELETE', '')
        self.driver.terminate()
        self.driver.wait()


def until(holds):
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError
        time.sleep(0.01)


def free_port():
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        return found.getsockname()[1]


def timed(*acts):
    begun = time.monotonic()
    for act in acts:
        act()
    return time.monotonic() - begun


def measured(address, language):
    """The seconds of one visitor: cold, again, a further submission, and one with many failing cases."""
    right, wrong = (FIXTURES / language / name for name in SUBMISSIONS[language])
    browser = Browser()
    try:
        visit = [lambda: browser.open(address), lambda: browser.grade(right)]
        return [timed(*visit), timed(*visit), timed(lambda: browser.grade(right)), timed(lambda: browser.grade(wrong))]
    finally:
        browser.end()


def megabytes(files):
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--keur', default=ROOT / 'target/release/keur')
    parser.add_argument('--module', type=Path)
    parser.add_argument('--pyodide', type=Path, required=True)
    parser.add_argument('--times', type=int, default=3)
    arguments = parser.parse_args()
    module = ['--module', arguments.module] if arguments.module else []
    print('| | MB, gzipped | cold | again | a further submission | many failing cases |\n|---|---|---|---|---|---|')
    # A site that grades Python starts Pyodide at once, whatever is handed in.
    for language, more in [('python', ['--pyodide', arguments.pyodide]), ('javascript', [])]:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([arguments.keur, 'site', folder, *module, *more], check=True, capture_output=True)
            size = megabytes(file for file in Path(folder).rglob('*') if file.is_file())
            port = free_port()
            server = subprocess.Popen([arguments.keur, 'site', folder, '--serve', '--port', str(port)], stdout=subprocess.DEVNULL)
            try:
                times = [measured(f'http://127.0.0.1:{port}/?exercise=codenames', language) for _ in range(arguments.times)]
            finally:
                server.terminate()
                server.wait()
        seconds = ' | '.join(f'{statistics.median(each):.1f} s' for each in zip(*times))
        print(f'| {language} | {size:.2f} | {seconds} |')


if __name__ == '__main__':
    main()
