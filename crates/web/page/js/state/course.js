// How far a user is in the lessons of a game.

/** @typedef {import("./games.js").Lesson} Lesson */
/** Finished steps of each lesson. @typedef {Record<string, number>} Done */
/** A lesson and a step of it, by number. @typedef {{ lesson: number, step: number }} Place */

/** Whether all steps of a lesson are finished. @param {Lesson} lesson @param {Done} done */
export const isFinished = ({ key, steps }, done) => (done[key] ?? 0) >= steps.length;

/**
 * Where to go on: the first step that is not finished; the beginning if all are.
 * @param {Lesson[]} lessons @param {Done} done
 */
export function goOn(lessons, done) {
  const lesson = Math.max(
    0,
    lessons.findIndex((one) => !isFinished(one, done)),
  );
  return placeIn(lessons, lesson, done);
}

/**
 * Where a lesson goes on; its beginning if it is finished.
 * @param {Lesson[]} lessons @param {number} lesson @param {Done} done
 */
export function placeIn(lessons, lesson, done) {
  const { key, steps } = lessons[lesson];
  const finished = done[key] ?? 0;
  return { lesson, step: finished < steps.length ? finished : 0 };
}

/**
 * The step after this one, in the next lesson after the last; null after all.
 * @param {Lesson[]} lessons @param {Place} at
 */
export function after(lessons, { lesson, step }) {
  if (step + 1 < lessons[lesson].steps.length) return { lesson, step: step + 1 };
  return lesson + 1 < lessons.length ? { lesson: lesson + 1, step: 0 } : null;
}

/**
 * What is finished once this step is.
 * @param {Lesson[]} lessons @param {Done} done @param {Place} at @returns {Done}
 */
export function finished(lessons, done, { lesson, step }) {
  const { key } = lessons[lesson];
  return { ...done, [key]: Math.max(done[key] ?? 0, step + 1) };
}

/** Whether a move is what a step asks for. @param {import("./games.js").Step} step @param {string} move */
export const isRight = ({ find }, move) => !!find && (find.length === 0 || find.includes(move));
