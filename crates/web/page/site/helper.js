// A worker that runs an additional thread of a thinker.

import { help } from "./threads.js";

onmessage = (/** @type {MessageEvent} */ { data }) => {
  help(data).catch((error) => console.error(error));
};
