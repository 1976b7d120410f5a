// The first script of the static site. It starts the worker of the games while the other scripts load, and installs the
// service worker, with which the site works offline after the first visit.

import * as wire from "../js/transport/wire.js";
import { fetchModule } from "./module.js";

// On the static site, this import is `site/wire.js`.
const { begin, offerVersion } = /** @type {any} */ (wire);
begin(fetchModule);

const { serviceWorker } = navigator;

/** Offers the version of a service worker that waits. @param {ServiceWorker | null} worker */
function offer(worker) {
  if (worker?.state === "installed" && serviceWorker.controller) offerVersion(() => worker.postMessage("activate"));
}

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => offer(worker));
  });
  // Pages may stay open for days.
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => undefined);
  });
}

serviceWorker?.register("sw.js").then(watch, () => {
  // Without a service worker the site still works online.
});
// Another page may have accepted a new version.
if (serviceWorker?.controller) serviceWorker.addEventListener("controllerchange", () => offerVersion(null));
