// Caches every file of this version of the site, and answers from the cache. The generator of the site adds `VERSION`,
// `FOLDER` and `FILES`. A new version is fetched completely. It becomes active when the user accepts it, or when no
// page of the old version is open.

const SCOPE = new URL(".", location.href);
const MINE = `plyhouse ${SCOPE.pathname} `;
const CACHE = MINE + VERSION;

/**
 * Fetches a file, bypassing the HTTP cache. Fails if the file is of another version, for example because the host is
 * being updated or a proxy has an old file. The page itself only needs to name the folder of this version, because some
 * hosts add scripts to it.
 * @param {string} file @param {string} hash SHA-256 in hexadecimal digits.
 */
async function fetched(file, hash) {
  const response = await fetch(file, { cache: "reload" });
  const bytes = await response.clone().arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const matches = file === "./" ? new TextDecoder().decode(bytes).includes(`"${FOLDER}/`) : found === hash;
  if (!response.ok || !matches) throw new Error(`${file} is not the file of version ${VERSION}: ${response.status}`);
  return /** @type {[string, Response]} */ ([file, response]);
}

async function install() {
  const responses = await Promise.all(Object.entries(FILES).map(([file, hash]) => fetched(file, hash)));
  const cache = await caches.open(CACHE);
  await Promise.all(responses.map(([file, response]) => cache.put(file, response)));
}

/** Deletes old versions, except the last one, because other pages may still use it. */
async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== CACHE);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

/** Answers a request from the cache of this version, then from that of the last one. @param {Request} request */
async function answer(request) {
  const path = new URL(request.url).pathname;
  const asked = path === `${SCOPE.pathname}index.html` ? SCOPE.href : request;
  const anyQuery = { ignoreSearch: true };
  const cache = await caches.open(CACHE);
  return (await cache.match(asked, anyQuery)) ?? (await caches.match(asked, anyQuery)) ?? fetch(request);
}

addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
addEventListener("message", () => /** @type {any} */ (self).skipWaiting());
addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(SCOPE.href)) {
    event.respondWith(answer(event.request));
  }
});
