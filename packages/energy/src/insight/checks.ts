import { BUCKET_MS, type PlantDay } from './plant-day.ts';
import type { ReasonKind, RuledOut, RuledOutMeasure } from './reasons.ts';

/** Of the light of the day, or of its night, that has to be told: what was looked at for less is not checked. */
const LEAST_TOLD = 0.5;
/** Of its size: the sun is up enough to speak of power. */
const LIT_SHARE = 0.01;
const DARK_ZENITH_DEG = 92;

export interface DayChecks {
  /** The sun has been up so far. */
  hasBegun: boolean;
  /** What was looked at in most of the day. */
  held: RuledOut[];
  /** What could not be looked at for want of values. */
  unchecked: ReasonKind[];
}

/**
 * Which of the reasons that were ruled out rest on values of most of the day's light, a meter's on those of most of its night. Nothing speaks against a
 * reason only because nothing was told.
 *
 * @param ruledOut what `dayInsight` ruled out of the same day.
 */
export function checksOf(day: PlantDay, ruledOut: readonly RuledOut[]): DayChecks {
  const { expected, pvW, gridW, inverters, battery } = day;
  const leastW = expected === null ? 0 : LIT_SHARE * expected.kwp * 1000;
  const lightAt = (at: number): number => {
    const clearW = expected?.clearW[at] ?? 0;
    return clearW > leastW ? clearW : 0;
  };
  const isDark = (at: number): number => ((expected?.sky.zenithDeg[at] ?? 0) > DARK_ZENITH_DEG ? 1 : 0);
  const toldShare = (isTold: (at: number) => boolean, weightAt: (at: number) => number): number => {
    let told = 0;
    let all = 0;
    for (let at = 0; at < pvW.length; at += 1) {
      const weight = weightAt(at);
      all += weight;
      if (isTold(at)) told += weight;
    }
    return all > 0 ? told / all : 0;
  };
  const isKnown = (series: Float64Array | undefined) => (at: number) => !Number.isNaN(series?.[at] ?? Number.NaN);
  const inLight = (series: Float64Array | undefined): boolean => toldShare(isKnown(series), lightAt) >= LEAST_TOLD;
  const isHeard = inverters.map(({ heard }) => toldShare((at) => heard[at] === 1, lightAt) >= LEAST_TOLD);
  const hasBegun = Array.from(pvW, (_, at) => lightAt(at)).some((light) => light > 0);
  const hasPower = inLight(pvW);
  const isChecked: Record<RuledOutMeasure, () => boolean> = {
    'silent-share': () => hasBegun,
    alarms: () => hasPower || isHeard.includes(true),
    'standstill-hours': () => isHeard.length > 0 && !isHeard.includes(false),
    'string-share': () => hasPower,
    'clipped-share': () => hasPower,
    'limited-share': () => hasPower && inLight(gridW),
    soc: () => inLight(battery?.socPercent),
    'covered-share': () => hasPower,
    'hour-share': () => hasPower,
    trend: () => hasPower,
    'night-export-hours': () => toldShare(isKnown(gridW), isDark) >= LEAST_TOLD,
  };
  const held = ruledOut.filter(({ measure }) => isChecked[measure]());
  const unchecked = new Set(ruledOut.filter((each) => !held.includes(each)).map(({ kind }) => kind));
  return { hasBegun, held, unchecked: [...unchecked] };
}

/**
 * A span as far as it lies between the first and the last light of a day; undefined where it lies outside.
 *
 * @param span epoch ms.
 */
export function spanInLight(
  { startMs, expected, pvW }: PlantDay,
  span: { fromMs: number; untilMs: number },
): { fromMs: number; untilMs: number; isWhole: boolean } | undefined {
  if (expected === null) return { ...span, isWhole: false };
  const isLit = (watts: number): boolean => watts > 0;
  const first = expected.clearW.findIndex(isLit);
  const last = expected.clearW.findLastIndex(isLit);
  if (first === -1 || pvW.length === 0) return undefined;
  const fromMs = startMs + first * BUCKET_MS;
  const untilMs = startMs + (last + 1) * BUCKET_MS;
  const inside = { fromMs: Math.max(fromMs, span.fromMs), untilMs: Math.min(untilMs, span.untilMs) };
  if (inside.untilMs <= inside.fromMs) return undefined;
  return { ...inside, isWhole: inside.fromMs === fromMs && inside.untilMs === untilMs };
}
