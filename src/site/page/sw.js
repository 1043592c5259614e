// Keeps the site in the browser, so that it works without a network. `SITE` is written above this line.
'use strict';

const OWN = `keur ${self.registration.scope} `;
const PAGE = `${OWN}${SITE.version}`;
const PYTHON = `${OWN}python ${SITE.python}`;
const PYODIDE = SITE.pyodide && new URL(SITE.pyodide, self.registration.scope).href;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(PAGE);
    await cache.addAll(SITE.files.map((file) => new Request(file, { cache: 'no-cache' })));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(OWN) && name !== PAGE && name !== PYTHON) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

// A page that was reloaded past the service worker asks for it.
self.addEventListener('message', ({ data }) => {
  if (data === 'claim') self.clients.claim();
});

self.addEventListener('fetch', (event) => event.respondWith(answer(event.request)));

/** Refuses all other addresses, also those of other pages of the same server: a submission could send what it read there. */
async function answer(request) {
  if (request.method === 'GET' && PYODIDE && request.url.startsWith(PYODIDE)) return python(request);
  if (request.method === 'GET' && request.url.startsWith(self.registration.scope)) return page(request);
  return Response.error();
}

async function page(request) {
  const address = request.mode === 'navigate' ? new URL('index.html', self.registration.scope).href : request.url;
  const found = await (await caches.open(PAGE)).match(address, { ignoreSearch: true });
  return found ?? Response.error();
}

async function python(request) {
  const cache = await caches.open(PYTHON);
  const found = await cache.match(request.url);
  if (found) return found;
  const name = request.url.slice(PYODIDE.length);
  if (name.includes('?') || (SITE.parts && !SITE.parts.includes(name))) return Response.error();
  // From elsewhere, only what has the right digest is used. Pyodide itself checks the digests of packages.
  const integrity = SITE.digests[name] ?? '';
  const answer = await fetch(request.url, { integrity, credentials: 'omit' });
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}
