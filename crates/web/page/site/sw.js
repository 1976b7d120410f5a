// Caches every file of this version of the site, and answers from the cache. The generator of the site adds `VERSION`
// and `FILES`. A new version is fetched completely, and becomes active when no page of the old version is open.

const CACHE = `plyhouse ${new URL(".", location.href).pathname} ${VERSION}`;
const MINE = `plyhouse ${new URL(".", location.href).pathname} `;

addEventListener("install", (/** @type {any} */ event) => {
  // Bypasses the HTTP cache, which may have files of an older version.
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  const old = (/** @type {string[]} */ names) => names.filter((name) => name.startsWith(MINE) && name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(new URL(".", location.href).href)) return;
  const kept = caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(kept.then((answer) => answer ?? fetch(event.request)));
});
