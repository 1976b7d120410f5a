// A user's progress in the lessons of a game.

/** @typedef {import("./games.js").Lesson} Lesson */
/** Number of finished steps of each lesson. @typedef {Record<string, number>} Done */
/** A lesson and one of its steps, as indices. @typedef {{ lesson: number, step: number }} Place */

/** Returns `true` if all steps of a lesson are finished. @param {Lesson} lesson @param {Done} done */
export const isFinished = ({ key, steps }, done) => (done[key] ?? 0) >= steps.length;

/**
 * Returns the first unfinished step, or the first step if all are finished.
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
 * Returns the first unfinished step of a lesson, or the first step of a finished lesson.
 * @param {Lesson[]} lessons @param {number} lesson @param {Done} done
 */
export function placeIn(lessons, lesson, done) {
  const { key, steps } = lessons[lesson];
  const finished = done[key] ?? 0;
  return { lesson, step: finished < steps.length ? finished : 0 };
}

/**
 * Returns the step after this one, in the next lesson if necessary, or `null` after the last step.
 * @param {Lesson[]} lessons @param {Place} at
 */
export function after(lessons, { lesson, step }) {
  if (step + 1 < lessons[lesson].steps.length) return { lesson, step: step + 1 };
  return lesson + 1 < lessons.length ? { lesson: lesson + 1, step: 0 } : null;
}

/**
 * Returns the progress after finishing a step.
 * @param {Lesson[]} lessons @param {Done} done @param {Place} at @returns {Done}
 */
export function finished(lessons, done, { lesson, step }) {
  const { key } = lessons[lesson];
  return { ...done, [key]: Math.max(done[key] ?? 0, step + 1) };
}

/** Returns `true` if a move is a solution of a step. @param {import("./games.js").Step} step @param {string} move */
export const isRight = ({ find }, move) => !!find && (find.length === 0 || find.includes(move));
