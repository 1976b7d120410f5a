// How fast things move on boards, as the user has set it.

/** Whether the user prefers reduced motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Milliseconds in which a piece goes to its square. */
let slide = 200;

/** @param {number} ms 0 for no movement. */
export function setSlide(ms) {
  slide = ms;
}

/** Milliseconds for a movement now; nothing moves where nobody sees it. */
export const slideTime = () => (still() || document.hidden ? 0 : slide);

/** How far an element is from its place, in hundredths of its size. @param {Element} element */
export function offsetOf(element) {
  const [x, y] = getComputedStyle(element).translate.split(" ").map((part) => parseFloat(part) || 0);
  return [x ?? 0, y ?? 0];
}

/**
 * Lets an element go to its place from a distance, on the shortest way.
 * @param {HTMLElement} element @param {[number, number]} from In hundredths of its size. @param {number} ms
 */
export function glide(element, [x, y], ms) {
  for (const animation of element.getAnimations()) animation.cancel();
  delete element.dataset.moving;
  element.style.translate = "";
  if (ms === 0 || (x === 0 && y === 0)) return;
  const frames = [{ translate: `${x}% ${y}%` }, { translate: "0% 0%" }];
  const animation = element.animate(frames, { duration: ms, easing: "cubic-bezier(0.3, 0, 0.2, 1)" });
  element.dataset.moving = "";
  // Unlike the `finish` event, this comes before anything that waits with `atRest`.
  animation.finished.then(
    () => delete element.dataset.moving,
    () => {},
  );
}

/** When everything that moves in an element has come to rest. @param {Element} element */
export const atRest = (element) =>
  Promise.allSettled(element.getAnimations({ subtree: true }).map((animation) => animation.finished));
