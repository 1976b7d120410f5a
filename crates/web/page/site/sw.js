// Keeps every file of this version of the site, and answers from them. `VERSION` and `FILES` come from the writer of
// the site. A new version is fetched whole, and takes over when no page of the old one is open.

const CACHE = `plyhouse ${new URL(".", location.href).pathname} ${VERSION}`;
const MINE = `plyhouse ${new URL(".", location.href).pathname} `;

addEventListener("install", (/** @type {any} */ event) => {
  // Past the browser's own cache: a file of an older version must not get in.
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
