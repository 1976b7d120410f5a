// Checks the props of components when the page is tested (`?check` in its address), because the type check does not
// cover templates.

/**
 * The kinds of a component's props. A `?` after a kind means that the prop may be missing or null.
 * @typedef {Record<string, string>} Shape
 */

const checking = typeof location !== "undefined" && location.search.startsWith("?check");

/** @param {unknown} value */
const kindOf = (value) =>
  value === null || value === undefined ? "nothing" : Array.isArray(value) ? "array" : typeof value;

/**
 * Throws if the props of a component do not match its declaration.
 * @param {string} name @param {object} props @param {Shape} shape
 */
export function expect(name, props, shape) {
  if (!checking) return;
  for (const [key, value] of Object.entries(props)) {
    if (!(key in shape) && key !== "children") throw new Error(`${name} knows no property ${key}`);
    const kinds = shape[key]?.split("|") ?? [];
    const may =
      kindOf(value) === "nothing"
        ? kinds.some((kind) => kind.endsWith("?"))
        : kinds.some((kind) => kind.replace("?", "") === kindOf(value));
    if (!may && key !== "children") throw new Error(`${name}: ${key} is ${kindOf(value)}, expected ${shape[key]}`);
  }
  for (const [key, kind] of Object.entries(shape)) {
    if (!(key in props) && !kind.endsWith("?")) throw new Error(`${name} needs ${key}`);
  }
}
