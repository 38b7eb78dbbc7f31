import {
  advanceCounter,
  type CounterState,
  openCounter,
  REGISTER_WIDTHS_WH,
} from '@sonnenwarte/energy/accounting/counters';
import type { ChargePoint } from './charge-points.store.ts';

/** A reading of a session's meter. */
export type MeterReading = readonly [tsMs: number, wh: number];

/** More than a register of any width holds. */
export const MOST_REGISTER_WH = Math.max(...REGISTER_WIDTHS_WH);

/** Of each slot are kept the first, the last, the least and the greatest reading: what is between them changes nothing. */
const SLOT_MS = 5 * 60_000;
const MOST_KEPT = 400;
/** Readings farther apart count all the same; a meter that stands at 0 after such a pause tells nothing of it. */
const GAP_MS = 15 * 60_000;
const VOLTAGE_V = 230;
/** A meter that goes on rising faster than its pile can teaches that it can more, up to this, W. */
const MOST_POWER_W = 400_000;

/** The most that a pile can give, W: its rating, and what its current makes. */
export const mostPowerW = ({
  ratedPowerW,
  mostCurrentA,
  phases,
}: Pick<ChargePoint, 'ratedPowerW' | 'mostCurrentA' | 'phases'>): number =>
  Math.max(ratedPowerW ?? 0, mostCurrentA * VOLTAGE_V * (phases === 'one' ? 1 : 3));

const byTime = (a: MeterReading, b: MeterReading): number => a[0] - b[0] || a[1] - b[1];

/** A course with more readings, in whatever order they come and however often; no longer than it may be. */
export function withReadings(course: readonly MeterReading[], told: readonly MeterReading[]): MeterReading[] {
  if (told.length === 0) return [...course];
  const sorted = [...course, ...told].sort(byTime);
  let slotMs = SLOT_MS;
  let kept = thinned(sorted, slotMs);
  while (kept.length > MOST_KEPT) {
    slotMs *= 2;
    kept = thinned(kept, slotMs);
  }
  return kept;
}

function thinned(sorted: readonly MeterReading[], slotMs: number): MeterReading[] {
  const kept: MeterReading[] = [];
  let from = 0;
  while (from < sorted.length) {
    const slot = slotOf(sorted[from], slotMs);
    let to = from + 1;
    while (to < sorted.length && slotOf(sorted[to], slotMs) === slot) to += 1;
    kept.push(...edgesOf(sorted.slice(from, to)));
    from = to;
  }
  return kept;
}

const slotOf = (reading: MeterReading | undefined, slotMs: number): number => Math.floor((reading?.[0] ?? 0) / slotMs);

function edgesOf(readings: readonly MeterReading[]): MeterReading[] {
  const least = readings.reduce((a, b) => (b[1] < a[1] ? b : a));
  const greatest = readings.reduce((a, b) => (b[1] > a[1] ? b : a));
  const edges = [readings[0], least, greatest, readings.at(-1)].filter((each) => each !== undefined).sort(byTime);
  return edges.filter((each, place) => place === 0 || byTime(each, edges[place - 1] ?? each) !== 0);
}

/** How a meter is followed of a pile that can give so much, W. */
function optionsOf(powerW: number) {
  const options = {
    maxPowerW: powerW,
    gapMs: GAP_MS,
    wrapWh: REGISTER_WIDTHS_WH,
    learn(learntW: number) {
      options.maxPowerW = Math.max(options.maxPowerW, Math.min(learntW, MOST_POWER_W));
    },
  };
  return options;
}

export interface Counted {
  /** What flowed, Wh; undefined where no reading follows from the first. */
  readonly energyWh: number | undefined;
  /** Reading at which the counting stands; undefined without any. */
  readonly atWh: number | undefined;
}

/** What a meter counted over its course, by the rules of all counters: resets, wraps, and readings that nothing confirms. */
export function counted([first, ...later]: readonly MeterReading[], powerW: number): Counted {
  if (first === undefined) return { energyWh: 0, atWh: undefined };
  const options = optionsOf(powerW);
  const state = openCounter(...first);
  let energyWh = 0;
  let isKnown = later.length === 0;
  let lastMs = first[0];
  for (const [tsMs, wh] of later) {
    // Clocks of piles count seconds: two readings of one are two.
    lastMs = Math.max(tsMs, lastMs + 1);
    const step = advanceCounter(state, lastMs, wh, options);
    if (step === undefined) continue;
    if (step.isHeld !== true) isKnown = true;
    energyWh += step.energyWh + (step.earlier?.energyWh ?? 0);
  }
  return { energyWh: isKnown ? energyWh : undefined, atWh: state.lastWh };
}

/** Looks at the readings of a meter as they come: one that does not follow from those before is taken once others confirm it. */
export class MeterWatch {
  #state: CounterState | undefined;
  #learntW = 0;

  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /** The newest reading is not confirmed. */
  get isInDoubt(): boolean {
    return this.#state?.candidate !== undefined;
  }

  /** Whether a reading is taken, of a pile that can give so much, W. Late ones say nothing of those that are newer. */
  isTaken(tsMs: number, wh: number, powerW: number): boolean {
    if (this.#state === undefined) {
      this.#state = openCounter(tsMs, wh);
      return true;
    }
    const options = optionsOf(Math.max(powerW, this.#learntW));
    const step = advanceCounter(this.#state, tsMs, wh, options);
    if (options.maxPowerW > powerW) this.#learntW = options.maxPowerW;
    return step?.isHeld !== true;
  }
}
