import { zoneOffsetMinutes } from '../format/dates.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { daysOn, momentOf } from './curves.ts';
import { shortStepOf, shortTicks, type Window } from './lanes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const hourSteps = [1, 2, 3, 4, 6, 12, 24, 48, 72, 96, 168];
const LABEL_PX = { time: 52, day: 38 } as const;
/** Days that stand closer together are told without their month, but for the first of one. */
const LONGEST_STEP_MS = 49 * HOUR_MS;
/** In shorter parts seconds are told. */
const SECONDS_BELOW_MS = 6 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${timeZone}|${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, known);
  return known;
}

const wallMs = (tsMs: number, timeZone: string): number => tsMs + zoneOffsetMinutes(tsMs, timeZone) * MINUTE_MS;

/** Moments of an axis of time at which the clock shows round times. An hour that the clock leaves out has none, one that comes twice its first. */
export function timeTicks({ fromMs, toMs }: Window, widthPx: number, timeZone: string): number[] {
  const short = shortStepOf(toMs - fromMs, widthPx, LABEL_PX.time);
  if (short !== undefined) return shortTicks(fromMs, toMs, short);
  const spanHours = (toMs - fromMs) / HOUR_MS;
  const hours =
    hourSteps.find((step) => (spanHours / step) * (step < 24 ? LABEL_PX.time : LABEL_PX.day) <= widthPx) ?? 168;
  const stepMs = hours * HOUR_MS;
  const lastMs = wallMs(toMs, timeZone);
  const ticks: number[] = [];
  for (let shownMs = Math.ceil(wallMs(fromMs, timeZone) / stepMs) * stepMs; shownMs <= lastMs; shownMs += stepMs) {
    const tsMs = momentOf(shownMs, timeZone);
    // What begins where the axis ends is of no use on it, and its label would be cut.
    if (tsMs >= fromMs && tsMs < toMs && wallMs(tsMs, timeZone) === shownMs) ticks.push(tsMs);
  }
  return ticks;
}

export interface TimeTexts {
  readonly ticks: (part: Window, widthPx: number) => readonly number[];
  readonly tickLabels: (ticks: readonly number[]) => string[];
  /** A moment with its day; with seconds where a short part is looked at. */
  readonly moment: (tsMs: number, part: Window) => string;
  /** The same with every detail, for a table. */
  readonly full: (tsMs: number) => string;
}

/** Times of a clock in the interface language. */
export function timeTextsOf(format: Pick<Format, 'locale'>, timeZone: string): TimeTexts {
  const { locale } = format;
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  let last: { key: string; ticks: number[] } | undefined;
  return {
    ticks: (part, widthPx) => {
      const key = `${part.fromMs} ${part.toMs} ${widthPx}`;
      if (last?.key !== key) last = { key, ticks: timeTicks(part, widthPx, timeZone) };
      return last.ticks;
    },
    tickLabels: (ticks) => {
      const isFine = ticks.length > 1 && (ticks[1] ?? 0) - (ticks[0] ?? 0) < MINUTE_MS;
      const isMidnight = (tsMs: number): boolean => wallMs(tsMs, timeZone) % (24 * HOUR_MS) === 0;
      const isByDay = ticks.length > 1 && ticks.every(isMidnight);
      return ticks.map((tsMs, place) => {
        const shown = new Date(wallMs(tsMs, timeZone));
        if (isByDay && place > 0 && shown.getUTCDate() > 1 && (ticks[1] ?? 0) - (ticks[0] ?? 0) <= LONGEST_STEP_MS)
          return formatOf(locale, timeZone, { day: 'numeric' }).format(tsMs);
        const options = isMidnight(tsMs)
          ? ({ day: 'numeric', month: 'short' } as const)
          : { ...clock, ...(isFine && { second: '2-digit' as const }) };
        return formatOf(locale, timeZone, options).format(tsMs);
      });
    },
    moment: (tsMs, { fromMs, toMs }) =>
      formatOf(locale, timeZone, {
        ...day,
        ...clock,
        ...(toMs - fromMs <= SECONDS_BELOW_MS && { second: '2-digit' }),
      }).format(tsMs),
    full: (tsMs) => formatOf(locale, timeZone, { ...day, ...clock, second: '2-digit' }).format(tsMs),
  };
}

/** A moment a day on or back on a clock. */
export const dayFrom = (tsMs: number, by: 1 | -1, timeZone: string): number => daysOn(tsMs, by, timeZone);

/** How a number of days is said. */
export function useDaysText(): (days: number) => string {
  const { locale } = useFormat();
  return (days) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}
