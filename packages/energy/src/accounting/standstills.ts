import { BUCKET_MS } from './bucket-span.ts';
import { ENERGY_CHANNELS } from './channels.ts';
import { type CounterState, DEFAULT_RESOLUTION_WH, LATCH_MS } from './counters.ts';

/** What a counter of single watt-hours may stand behind, and with it what its growth may be beyond what its power gave. */
const STEP_WH = 1;
/** Readings that have to have stood while power flowed: one may be told a moment apart from its power. */
const READINGS = 2;
const HOUR_MS = 3_600_000;

/** What the power of a channel gave since a reading, at least and at most: it is told at moments, and nothing says how it went between them. */
class Flow {
  leastWh = 0;
  mostWh = 0;
  toldMs = 0;

  reset(): void {
    this.leastWh = 0;
    this.mostWh = 0;
    this.toldMs = 0;
  }
}

/**
 * Tells a counter that stands while energy flows (it counts in coarse steps, or is refreshed more rarely than it is read) from one of which
 * each reading says what flowed until then.
 */
export class Standstills {
  readonly #flows: Flow[] = ENERGY_CHANNELS.map(() => new Flow());
  /** By channel: readings that stood while power flowed, since the counter grew last, ascending. */
  readonly #stood: { tsMs: number; leastWh: number }[][] = ENERGY_CHANNELS.map(() => []);

  /** Notes two readings of a power, the later ones last, + where it is what the channel counts. */
  notePowers(channel: number, fromMs: number, fromW: number, toMs: number, toW: number): void {
    const flow = this.#flows[channel] as Flow;
    const hours = (toMs - fromMs) / HOUR_MS;
    flow.leastWh += Math.max(0, Math.min(fromW, toW)) * hours;
    flow.mostWh += Math.max(0, fromW, toW) * hours;
    flow.toldMs += toMs - fromMs;
  }

  /**
   * Whether a growth is also of the time before the reading at which its counter stood. Of a counter of tenths of a kilowatt-hour it is
   * where power flowed meanwhile; of another one where more than one reading stood so, and the growth is more than its power
   * can have given since the last. Without a power, where the counter is coarse or read several times in a bucket.
   */
  isLate(channel: number, { lastTsMs, lastWh }: CounterState, tsMs: number, counterWh: number): boolean {
    const isCoarse = isTenth(lastWh) && isTenth(counterWh);
    const { mostWh, toldMs } = this.#flows[channel] as Flow;
    if (toldMs < tsMs - lastTsMs) return isCoarse || tsMs - lastTsMs < BUCKET_MS;
    let readings = 0;
    let leastWh = 0;
    for (const stood of this.#stood[channel] as { tsMs: number; leastWh: number }[]) {
      if (stood.tsMs <= tsMs - LATCH_MS) continue;
      readings += 1;
      leastWh += stood.leastWh;
    }
    if (leastWh < STEP_WH) return false;
    return isCoarse || (readings >= READINGS && counterWh - lastWh > mostWh + 2 * STEP_WH);
  }

  /** Notes that a reading was accepted. */
  accepted(channel: number, tsMs: number, hasGrown: boolean): void {
    const stood = this.#stood[channel] as { tsMs: number; leastWh: number }[];
    const flow = this.#flows[channel] as Flow;
    if (hasGrown) stood.length = 0;
    else if (flow.leastWh > 0) {
      while (stood[0] !== undefined && stood[0].tsMs <= tsMs - LATCH_MS) stood.shift();
      stood.push({ tsMs, leastWh: flow.leastWh });
    }
    flow.reset();
  }
}

/** Whether a reading is a whole tenth of a kilowatt-hour, but for what is lost on the way from kilowatt-hours. */
function isTenth(wh: number): boolean {
  return Math.abs(wh - Math.round(wh / DEFAULT_RESOLUTION_WH) * DEFAULT_RESOLUTION_WH) < 1e-3;
}
