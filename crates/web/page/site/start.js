// The first script of the static site. It starts the worker of the games while the other scripts load, and installs the
// service worker, with which the site works offline after the first visit.

import * as wire from "../js/transport/wire.js";
import { fetchModule } from "./module.js";

// On the static site, this import is `site/wire.js`.
/** @type {any} */ (wire).begin(fetchModule);

navigator.serviceWorker?.register("sw.js").catch(() => {
  // Without a service worker the site still works online.
});
