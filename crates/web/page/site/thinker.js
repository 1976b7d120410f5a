// A worker that performs one task after the other, and receives no messages during a task.

import { instantiate } from "./module.js";

/** @type {Promise<import("./module.js").Caller> | null} */
let ready = null;

/** @param {MessageEvent} event */
onmessage = async ({ data }) => {
  if (data.module) {
    ready = instantiate(data.module, data.threads, (text) => postMessage({ said: JSON.parse(text) }));
    return;
  }
  const call = await ready;
  call?.(data.call);
  postMessage({ done: true });
};
