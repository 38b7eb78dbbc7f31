/** Where an axis of values begins and ends, and how far apart its lines are. */
interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const MOST_STEPS = 6;
/** What lies less than this share of a step below zero gets that much room and no line: charging with some watts. */
const MARGIN = 0.25;
/** Zero stands no higher than two thirds, so that what is drawn from it upwards keeps its room. */
const LEAST_ABOVE = 0.5;
/** Below any value's resolution. */
const NOTHING = 1e-6;
const ROUND = [1, 2, 2.5, 5, 10];

/** Round steps from zero both ways. The axis of an axis is itself, so that lines stand where the range was laid. */
function valueAxis(minValue: number, maxValue: number, bothWays: boolean): ValueAxis {
  const low = minValue > -NOTHING ? 0 : -minValue;
  const high = Math.max(maxValue, LEAST_ABOVE * low, low === 0 ? 1 : 0);
  const least = (low + high) / MOST_STEPS / 2;
  const from = Math.floor(Math.log10(least));
  for (let power = from; ; power += 1) {
    for (const factor of ROUND) {
      const step = factor * 10 ** power;
      const count = (value: number): number => Math.ceil(value / step - 1e-9);
      const near = low <= MARGIN * step * (1 + 1e-9);
      const below = near ? 0 : count(low);
      if (below + count(high) > MOST_STEPS) continue;
      const room = near && (bothWays || low > 0) ? MARGIN : below;
      return { min: room === 0 ? 0 : -room * step, max: count(high) * step, step };
    }
  }
}

/**
 * Range of an axis that holds zero and all values.
 * @param bothWays values of a sign may come that are not there yet: their room is there before, and nothing jumps.
 */
export function valueRange(minValue: number, maxValue: number, bothWays: boolean): [number, number] {
  const { min, max } = valueAxis(minValue, maxValue, bothWays);
  return [min, max];
}

/** Lines of an axis of that range, zero among them. */
export function valueSplits(min: number, max: number): number[] {
  const { step } = valueAxis(min, max, false);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
