'use strict';
// The files that a student chooses or drops.

/** The most files of a folder, and folders that hold nothing of the student's own. */
const MOST_FILES = 500;
const SKIPPED = /^(\.|__pycache__$|__MACOSX$|node_modules$|target$)/;

const fromFile = (file, name = file.name) => ({ name, read: async () => file });
const fromHandle = (handle, name = handle.name) => ({ name, handle, read: () => handle.getFile() });

async function choose() {
  if (!window.showOpenFilePicker) return part('files').click();
  const handles = await window.showOpenFilePicker({ multiple: true }).catch(() => []);
  if (handles.length) grade(handles.map((handle) => fromHandle(handle)));
}

/** The files below a folder, by their paths in it. */
async function below(folder, path = '', found = []) {
  for await (const [name, entry] of entries(folder)) {
    if (SKIPPED.test(name) || found.length >= MOST_FILES) continue;
    if (entry.kind === 'directory' || entry.isDirectory) await below(entry, `${path}${name}/`, found);
    else found.push(await source(entry, path + name));
  }
  return found;
}

/** The entries of a folder: of a handle where the browser has them, else of an older kind of entry. */
async function* entries(folder) {
  if (folder.entries) return yield* folder.entries();
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (!some.length) return;
    for (const entry of some) yield [entry.name, entry];
  }
}

async function source(entry, name) {
  return entry.getFile ? fromHandle(entry, name) : fromFile(await new Promise((resolve, reject) => { entry.file(resolve, reject); }), name);
}

async function dropped(data) {
  // What was dropped is only known until the event has ended.
  const items = [...data.items].filter((item) => item.kind === 'file');
  const given = await Promise.all(items.map((item) => {
    const file = item.getAsFile();
    const entry = item.getAsFileSystemHandle ? item.getAsFileSystemHandle().catch(() => null) : item.webkitGetAsEntry();
    return Promise.resolve(entry).then((found) => found ?? file);
  }));
  const sources = [];
  for (const entry of given) {
    if (entry instanceof File) sources.push(fromFile(entry));
    else if (entry.kind === 'directory' || entry.isDirectory) sources.push(...await below(entry));
    else sources.push(await source(entry, entry.name));
  }
  if (sources.length) return grade(sources);
  return trouble(say('no-files'));
}
