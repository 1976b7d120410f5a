// Requests without an answer, which are sent again after a lost connection.

/** Maximum number of times that a request is sent, because the request itself may crash the server. */
const MOST = 3;

/**
 * @template {{ id: number }} Q
 * @typedef {object} Pending
 * @property {Q} question
 * @property {(answer: any) => void} resolve
 * @property {(() => void) | null} fail Called when the request has been sent too often; `null` for a request with many
 *   answers, which ends only with `take`.
 * @property {() => boolean} wanted Returns `false` when the answer is no longer needed.
 */

/**
 * @template {{ id: number }} Q
 * @param {(question: Q) => boolean} send Returns `false` if there is no connection.
 */
export function pendingRequests(send) {
  /** @type {Map<number, Pending<Q> & { sent: number }>} In the order in which they were made. */
  const open = new Map();
  return {
    /** @param {Pending<Q>} request */
    add(request) {
      open.set(request.question.id, { ...request, sent: send(request.question) ? 1 : 0 });
    },
    /** Delivers an answer. @param {any} answer */
    answer(answer) {
      const request = open.get(answer.id);
      if (request?.fail) open.delete(answer.id);
      else if (request) request.sent = 1;
      request?.resolve(answer);
    },
    /** Removes a request. Returns `true` if it was there. @param {number} id */
    take: (id) => open.delete(id),
    /** Resends one request or all of them, and drops those whose answer is no longer needed. @param {number} [only] */
    again(only) {
      for (const [id, request] of [...open]) {
        if (only !== undefined && id !== only) continue;
        if (!request.wanted()) open.delete(id);
        else if (request.fail && request.sent >= MOST) {
          open.delete(id);
          request.fail();
        } else if (send(request.question)) request.sent += 1;
      }
    },
    /** Ends all requests without an answer. */
    end() {
      const all = [...open.values()];
      open.clear();
      for (const { fail } of all) fail?.();
    },
  };
}
