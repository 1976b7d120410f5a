// The history of a rating as a line.

/** Steps between labels of the axis, in Elo. */
const STEPS = [10, 20, 50, 100, 200, 500, 1000];
/** Minimum height of the axis, in Elo, so that small changes look small. */
const LEAST = 40;
/** Maximum number of labels. */
const MOST_LABELS = 5;

/**
 * Returns the points of a graph and the labels of its axis; `null` for fewer than two values. The line is a staircase,
 * because a rating is constant between two games.
 * @param {[time: string, elo: number][]} history @param {number} width @param {number} height
 */
export function graphOf(history, width, height) {
  const known = history.map(([time, elo]) => /** @type {[number, number]} */ ([Date.parse(time), elo]));
  const values = known.filter(([time, elo]) => Number.isFinite(time) && Number.isFinite(elo));
  if (values.length < 2) return null;
  const elos = values.map(([, elo]) => elo);
  const middle = (Math.min(...elos) + Math.max(...elos)) / 2;
  const half = Math.max(LEAST, Math.max(...elos) - Math.min(...elos)) / 2;
  const step = STEPS.find((each) => (2 * half) / each <= MOST_LABELS - 1) ?? STEPS[STEPS.length - 1];
  const low = Math.floor((middle - half) / step) * step;
  const high = Math.ceil((middle + half) / step) * step;
  const [begin, end] = [values[0][0], values[values.length - 1][0]];
  const x = (/** @type {number} */ time) => round(end > begin ? ((time - begin) / (end - begin)) * width : width);
  const y = (/** @type {number} */ elo) => round(height - ((elo - low) / (high - low)) * height);
  const line = values.map(([time, elo], i) => (i === 0 ? `M0 ${y(elo)}` : `H${x(time)}V${y(elo)}`)).join("");
  const labels = [];
  for (let elo = low; elo <= high; elo += step) labels.push({ elo, y: y(elo) });
  return { line, labels, low: Math.min(...elos), high: Math.max(...elos), last: y(elos[elos.length - 1]) };
}

/** Rounds to tenths. @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
