// The finished games in the browser's storage. Without storage, they last as long as the page.

/** The name includes the site's folder, because a host may have several sites. */
const NAME = `plyhouse ${new URL("../..", import.meta.url).pathname}`;

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      // The automatic keys keep the games in the order in which they ended.
      const games = request.result.createObjectStore("games", { autoIncrement: true });
      games.createIndex("id", "id");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** @param {IDBTransactionMode} mode */
const games = async (mode) => (await open()).transaction("games", mode).objectStore("games");

/**
 * Resolves once a change is committed, so that it survives the closing of the page.
 * @param {IDBObjectStore} store @returns {Promise<void>}
 */
const kept = ({ transaction }) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/** @param {IDBObjectStore} store @param {string} id */
async function remove(store, id) {
  const key = await done(store.index("id").getKey(id));
  if (key !== undefined) await done(store.delete(key));
}

/** Returns every game, in the order in which they ended. @returns {Promise<object[]>} */
export const allGames = async () => {
  try {
    return await done((await games("readonly")).getAll());
  } catch {
    return [];
  }
};

/** Stores a game, and replaces a game with the same id. @param {{ id: string }} game */
export async function storeGame(game) {
  try {
    const store = await games("readwrite");
    const all = kept(store);
    await remove(store, game.id);
    await done(store.add(game));
    await all;
  } catch {
    // The game remains in the list of this page.
  }
}

/** @param {string} id */
export async function deleteGame(id) {
  try {
    const store = await games("readwrite");
    const all = kept(store);
    await remove(store, id);
    await all;
  } catch {
    // The game is listed again after a reload.
  }
}
