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

async function chooseFolder() {
  if (!window.showDirectoryPicker) return part('folder').click();
  const folder = await window.showDirectoryPicker().catch(() => null);
  if (folder) gradeFound(await below(folder));
}

/**
 * The files of a folder as an element of the page has them: each with its path, which begins with the name of the folder.
 * A phone that chooses no folders gives files without one.
 */
function ofFolder(files) {
  const paths = files.map((file) => [file, file.webkitRelativePath.split('/').slice(1)]);
  const own = paths.filter(([, path]) => !path.some((name) => SKIPPED.test(name)));
  return own.slice(0, MOST_FILES).map(([file, path]) => fromFile(file, path.join('/') || file.name));
}

const gradeFound = (sources) => (sources.length ? grade(sources) : trouble(() => say('no-files')));

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
  const folder = given.find((entry) => entry.kind === 'directory' || entry.isDirectory);
  if (folder && given.length > 1) return trouble(() => say('one-folder'));
  if (folder) return gradeFound(await below(folder));
  return gradeFound(await Promise.all(given.map((entry) => (entry instanceof File ? fromFile(entry) : source(entry, entry.name)))));
}
