// What the static site does first: it starts the worker with the games while the page's other scripts come, and sees to
// it that the site works without a network once it has been visited, where the browser can.

import * as wire from "../js/transport/wire.js";
import { fetchModule } from "./module.js";

// In the site this is `site/wire.js`.
/** @type {any} */ (wire).begin(fetchModule);

navigator.serviceWorker?.register("sw.js").catch(() => {
  // It still works with a network.
});
