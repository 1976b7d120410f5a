// Durations of animations on boards, as set by the user.

/** Returns `true` if the user prefers reduced motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Duration of a piece's move, in milliseconds. */
let slide = 200;

/** @param {number} ms 0 for no animation. */
export function setSlide(ms) {
  slide = ms;
}

/** Returns the current duration of a piece's move, in milliseconds: 0 with reduced motion or on a hidden page. */
export const slideTime = () => (still() || document.hidden ? 0 : slide);

/** Returns the offset of an element from its place, in percent of its size. @param {Element} element */
export function offsetOf(element) {
  const [x, y] = getComputedStyle(element).translate.split(" ").map((part) => parseFloat(part) || 0);
  return [x ?? 0, y ?? 0];
}

/**
 * Animates an element from an offset to its place, in a straight line.
 * @param {HTMLElement} element @param {[number, number]} from In percent of its size. @param {number} ms
 */
export function glide(element, [x, y], ms) {
  for (const animation of element.getAnimations()) animation.cancel();
  delete element.dataset.moving;
  element.style.translate = "";
  if (ms === 0 || (x === 0 && y === 0)) return;
  const frames = [{ translate: `${x}% ${y}%` }, { translate: "0% 0%" }];
  const animation = element.animate(frames, { duration: ms, easing: "cubic-bezier(0.3, 0, 0.2, 1)" });
  element.dataset.moving = "";
  // Unlike the `finish` event, this callback runs before the callbacks of `atRest`.
  animation.finished.then(
    () => delete element.dataset.moving,
    () => {},
  );
}

/** Returns a promise that resolves when all animations in an element have ended. @param {Element} element */
export const atRest = (element) =>
  Promise.allSettled(element.getAnimations({ subtree: true }).map((animation) => animation.finished));
