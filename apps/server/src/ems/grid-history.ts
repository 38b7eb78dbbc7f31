import type { LoadSeen } from '@sonnenwarte/energy/grid-limit/grid-limit';
import {
  type LoadThen,
  loadAt,
  loadSeen,
  type PowerTold,
  SETTLED_AFTER_MS,
} from '@sonnenwarte/energy/grid-limit/load-seen';
import type { GridDevice } from './ems.store.ts';

/** What the load came down to within so many reports is kept free, at least within so long. */
const REPORTS_BACK = 5;
const LEAST_BACK_MS = 10_000;
/** So many of the newest loads count, however seldom one is sure. */
const LEAST_LOADS = 3;
/** Reports that are further apart leave no time for a second try. */
const SLOW_MS = 10_000;
/** Powers are kept for two of their reports, at least for so long. */
const KEPT_MS = 75_000;
/** Of those of the grid point so many at most wait for what inverters gave then. */
const MOST_WAITING = 20;

interface Output {
  told: PowerTold[];
  limitPercent: number | null;
  changedMs: number | null;
  isChanging: boolean;
}

/** What was told at one plant lately: its grid power, what its inverters gave, and the loads that follow where those are of one moment. */
export class GridHistory {
  readonly #outputs = new Map<string, Output>();
  #waiting: PowerTold[] = [];
  #newestMs = Number.NEGATIVE_INFINITY;
  #sure: LoadThen[] = [];

  /** Notes what is told now, and says what limits go by that let inverters give `inForceW`; nothing where the grid power is not known. */
  seen(
    { gridW, measuredMs }: { readonly gridW: number | null; readonly measuredMs: number | null },
    units: readonly GridDevice[],
    { exportLimitW, inForceW }: { readonly exportLimitW: number; readonly inForceW: number },
    nowMs: number,
  ): LoadSeen | undefined {
    const reportMs = Math.max(0, ...units.map(({ reportIntervalS }) => reportIntervalS * 1_000));
    this.#noteOutputs(units, nowMs, nowMs - Math.max(KEPT_MS, 2 * reportMs));
    if (gridW === null || measuredMs === null) return undefined;
    const newest = { atMs: measuredMs, w: gridW };
    if (measuredMs > this.#newestMs) {
      this.#newestMs = measuredMs;
      this.#waiting = [...this.#waiting, newest].slice(-MOST_WAITING);
    }
    const held = units.flatMap(({ id }) => this.#outputs.get(id) ?? []);
    const outputs = held.map(({ told, changedMs, isChanging }) => ({
      told,
      changedMs: isChanging ? Number.POSITIVE_INFINITY : changedMs,
    }));
    const then = this.#waiting.map((grid) => ({ grid, load: loadAt(grid, outputs) }));
    const found = then.flatMap(({ load }) => (load.isSure ? [load] : []));
    const sinceMs = nowMs - Math.max(LEAST_BACK_MS, REPORTS_BACK * reportMs);
    this.#sure = [...this.#sure, ...found].filter(
      ({ atMs }, place, all) => atMs >= sinceMs || place >= all.length - LEAST_LOADS,
    );
    this.#waiting = then.flatMap(({ grid, load }) => (load.isSure ? [] : [grid]));
    const now = loadAt(newest, outputs);
    const overW = Math.max(0, -gridW - exportLimitW);
    const seen = loadSeen(now, this.#sure, { isOver: overW > 0, freshMs: measuredMs - 2 * reportMs });
    const isInForce = held.every(({ changedMs }) => changedMs === null || measuredMs >= changedMs + SETTLED_AFTER_MS);
    // Nobody gives more than its limit.
    const mostW = isInForce ? gridW + inForceW : Number.POSITIVE_INFINITY;
    // What was lowered by outputs of another moment may be too little, and reports come too late to see that: then no load counts.
    const surelyW = overW > 0 && !now.isSure && reportMs > SLOW_MS ? 0 : Number.POSITIVE_INFINITY;
    return { ...seen, nowW: Math.min(seen.nowW, mostW, surelyW) };
  }

  #noteOutputs(units: readonly GridDevice[], nowMs: number, sinceMs: number): void {
    const there = new Set(units.map(({ id }) => id));
    for (const id of this.#outputs.keys()) if (!there.has(id)) this.#outputs.delete(id);
    for (const { id, powerW, powerMs, tsMs, limitPercent, pendingPercent } of units) {
      const output = this.#outputs.get(id) ?? { told: [], limitPercent, changedMs: null, isChanging: false };
      const isChanging = pendingPercent !== null;
      if (output.limitPercent !== limitPercent || (output.isChanging && !isChanging)) output.changedMs = nowMs;
      output.isChanging = isChanging;
      output.limitPercent = limitPercent;
      const lastMs = output.told.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
      // Who tells of itself without its power gives what it gave, unless that is its answer to an order.
      const { changedMs } = output;
      const isReport = tsMs !== null && (changedMs === null || tsMs >= changedMs + SETTLED_AFTER_MS);
      const atMs = isReport ? tsMs : powerMs;
      if (atMs !== null && atMs > lastMs) output.told.push({ atMs, w: powerW ?? 0 });
      // The last one stays, however long ago that was.
      output.told = output.told.filter(({ atMs }, place) => atMs >= sinceMs || place === output.told.length - 1);
      this.#outputs.set(id, output);
    }
  }
}
