# What an interpreter has of the packages that an exercise allows, as JSON. It runs in the interpreter itself, with its
# packages, before any submission: keur trusts both.
import json
import os
import re
import site
import sys
from importlib import metadata

wanted = sys.argv[1:]
folders = [folder for folder in dict.fromkeys(site.getsitepackages()) if os.path.isdir(folder)]


def normal(name):
    return re.sub('[-_.]+', '-', name).lower()


def module_of(entry):
    """The module that an entry of a folder of packages is; none if it is none."""
    name = entry.partition('.')[0] if entry.endswith(('.py', '.so', '.pyd')) else entry
    return name if name.isidentifier() and name != '__pycache__' else None


def entries_of(distribution):
    """Where a distribution's files are in a folder of packages: the paths of their first parts."""
    firsts = {file.parts[0] for file in distribution.files or () if len(file.parts) > 0}
    firsts |= set((distribution.read_text('top_level.txt') or '').split())
    paths = set()
    for first in firsts - {'..', '__pycache__', os.sep}:
        path = str(distribution.locate_file(first))
        for path in path, path + '.py':
            if os.path.exists(path):
                paths.add(path)
    return paths


def entries_called(module):
    """The entries of the folders that are the module of this name."""
    return {os.path.join(folder, entry) for folder in folders for entry in os.listdir(folder)
            if module_of(entry) == module}


distributions = {}
for distribution in metadata.distributions(path=folders):
    name = distribution.metadata['Name']
    if name:
        distributions.setdefault(normal(name), distribution)
providers = {}
for name, distribution in distributions.items():
    for path in entries_of(distribution):
        providers.setdefault(module_of(os.path.basename(path)), name)

missing, load, entries = [], [], set()
left, seen = [], set()
for name in wanted:
    own = normal(name)
    if own not in distributions:
        # The name of a module, which another name installs, or which lies there by itself.
        own = providers.get(name)
        if own is None and not entries_called(name):
            missing.append(name)
            continue
    called = entries_called(name) if own is None else entries_of(distributions[own])
    entries |= called
    modules = sorted({module_of(os.path.basename(path)) for path in called} - {None})
    load += [name] if name in modules else modules
    left += [own] if own else []
while left:
    name = left.pop()
    if name in seen:
        continue
    seen.add(name)
    entries |= entries_of(distributions[name])
    for requirement in distributions[name].requires or ():
        needed = normal(re.match('[A-Za-z0-9._-]+', requirement).group())
        if needed in distributions and not re.search(r';.*\bextra\b', requirement):
            left.append(needed)

allowed = {module_of(os.path.basename(path)) for path in entries} - {None}
installed = {module_of(entry) for folder in folders for entry in os.listdir(folder)} - {None}
hidden = [os.path.join(folder, entry) for folder in folders for entry in os.listdir(folder)]
print(json.dumps({
    'missing': missing,
    'load': [name for name in dict.fromkeys(load) if not name.startswith('_')],
    'folders': folders,
    'hidden': sorted(set(hidden) - entries),
    'allowed': sorted(allowed),
    'barred': sorted(installed - allowed),
    'versions': sorted(f'{name} {distributions[name].version}' for name in seen),
}))
