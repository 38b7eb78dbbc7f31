import type { CurveData } from '../analysis/curves.ts';
import type { Window } from '../analysis/lanes.ts';
import type { TimeTexts } from '../analysis/time-text.ts';
import type { CalendarDay } from '../format/dates.ts';

/** A day as it lies on an axis on which days that are apart follow each other. */
export interface Pane extends Window {
  readonly day: CalendarDay;
  /** Where it begins on the axis. */
  readonly atMs: number;
}

interface Told {
  readonly day: CalendarDay;
  readonly startMs: number;
  readonly endMs: number;
}

/** Days side by side; the axis begins with the first of them. */
export function panesOf(days: readonly Told[]): Pane[] {
  let atMs = days[0]?.startMs ?? 0;
  return days.map(({ day, startMs, endMs }) => {
    const pane = { day, fromMs: startMs, toMs: endMs, atMs };
    atMs += endMs - startMs;
    return pane;
  });
}

/** Where on the axis days are left out. */
export const breaksOf = (panes: readonly Pane[]): number[] =>
  panes.flatMap(({ atMs, fromMs }, place) => {
    const before = panes[place - 1];
    return before === undefined || before.toMs === fromMs ? [] : [atMs];
  });

const lengthOf = ({ fromMs, toMs }: Window): number => toMs - fromMs;

export const onAxis = (pane: Pane, tsMs: number): number => pane.atMs + tsMs - pane.fromMs;

/** The whole axis. */
export const axisOf = (panes: readonly Pane[]): Window => ({
  fromMs: panes[0]?.atMs ?? 0,
  toMs: panes.reduce((end, pane) => Math.max(end, pane.atMs + lengthOf(pane)), (panes[0]?.atMs ?? 0) + 1),
});

/** The moment that a place of the axis stands for. */
export function momentAt(panes: readonly Pane[], axisMs: number): number {
  const pane = panes.findLast(({ atMs }) => atMs <= axisMs) ?? panes[0];
  return pane === undefined ? axisMs : Math.min(pane.toMs, pane.fromMs + axisMs - pane.atMs);
}

/** The curves of several days, each as one that is broken between them; `days` in the order of the panes. */
export function joined<C extends CurveData & { readonly key: string }>(
  panes: readonly Pane[],
  days: readonly (readonly C[])[],
): C[] {
  const names = new Map(days.flatMap((curves) => curves.map((curve) => [curve.key, curve] as const)));
  return [...names.values()].map((first) => {
    const timesMs: number[] = [];
    const values: (number | null)[] = [];
    for (const [at, pane] of panes.entries()) {
      const curve = days[at]?.find(({ key }) => key === first.key);
      for (const [place, tsMs] of curve?.timesMs.entries() ?? []) {
        const axisMs = onAxis(pane, tsMs);
        if (place === 0 && timesMs.length > 0) {
          timesMs.push(((timesMs.at(-1) ?? 0) + axisMs) / 2);
          values.push(null);
        }
        timesMs.push(axisMs);
        values.push(curve?.values[place] ?? null);
      }
    }
    return { ...first, timesMs, values };
  });
}

interface Spell {
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

/** Where on the axis something stood. */
export const stoodOn = (panes: readonly Pane[], spells: readonly Spell[], nowMs: number): Window[] =>
  panes.flatMap((pane) =>
    spells.flatMap(({ sinceMs, untilMs }) => {
      const fromMs = Math.max(pane.fromMs, sinceMs);
      const toMs = Math.min(pane.toMs, untilMs ?? nowMs);
      return fromMs < toMs ? [{ fromMs: onAxis(pane, fromMs), toMs: onAxis(pane, toMs) }] : [];
    }),
  );

/** Times of the clock on such an axis. */
export const joinedTimes = (panes: readonly Pane[], times: TimeTexts): TimeTexts => ({
  ticks: (part, widthPx) =>
    panes.flatMap((pane) => {
      const within = {
        fromMs: Math.max(pane.atMs, part.fromMs),
        toMs: Math.min(pane.atMs + lengthOf(pane), part.toMs),
      };
      const share = lengthOf(within) / Math.max(1, lengthOf(part));
      if (share <= 0) return [];
      const real = { fromMs: momentAt(panes, within.fromMs), toMs: pane.fromMs + within.toMs - pane.atMs };
      return times.ticks(real, share * widthPx).map((tsMs) => onAxis(pane, tsMs));
    }),
  tickLabels: (ticks) => times.tickLabels(ticks.map((axisMs) => momentAt(panes, axisMs))),
  moment: (axisMs, part) => times.moment(momentAt(panes, axisMs), part),
  full: (axisMs) => times.full(momentAt(panes, axisMs)),
});
