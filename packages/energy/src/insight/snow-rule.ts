import { countOf, type DayLedger, hoursOf } from './day-ledger.ts';
import type { Place } from './expected-power.ts';
import { type ShadedHours, solarHourOf } from './habit-rules.ts';
import { BUCKET_HOURS, BUCKET_MS } from './plant-day.ts';

/** Under snow a plant gives less than this of what is expected. */
const COVERED_SHARE = 0.3;
/** From when it falls to the evening, or from the morning until it slides, hardly a moment is free. */
const THROUGHOUT_SHARE = 0.85;
const LEAST_PART_OF_DAY = 0.15;
const LEAST_HOURS = 1.5;
/** Less than this is no light through snow but an inverter that stands. */
const NOTHING_SHARE = 0.004;
const FREEZING_C = 2;
const HALF_WINDOW = 3;

/** Snow lies on all of the plant until it slides; and only where and when it can freeze. */
export function findSnow(ledger: DayLedger, shaded: ShadedHours | undefined): void {
  if (!ledger.isCompared) return;
  const { day, count, lit, excluded, expected } = ledger;
  const mask = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    if (lit[at] === 0 || excluded[at] === 1 || Number.isNaN(day.pvW[at])) continue;
    const hour = solarHourOf(day.startMs + at * BUCKET_MS, expected.sky.longitude);
    if (shaded?.hours[hour] !== 1 && shareAround(ledger, at) < COVERED_SHARE) mask[at] = 1;
  }
  const coveredWh = ledger.expectedWh((at) => mask[at] === 1);
  const part = coveredWh / Math.max(1e-9, ledger.expectedWh());
  const share = shareOf(ledger, mask);
  const ambientC = lowestC(day.ambientC);
  const daysBefore = day.profile?.snowDays ?? 0;
  const canFreeze =
    daysBefore > 0 || (ambientC === null ? canFreezeAt(expected.model.place, day.startMs) : ambientC <= FREEZING_C);
  const isNothing = dcShareOf(ledger, mask, share) < NOTHING_SHARE && ambientC === null;
  if (
    part < LEAST_PART_OF_DAY ||
    hoursOf(mask) < LEAST_HOURS ||
    !canFreeze ||
    isNothing ||
    !isOnAll(ledger, mask) ||
    !isThroughout(ledger, mask)
  ) {
    const dayShare = shareOf(ledger, lit);
    ledger.ruledOut.push({ kind: 'snow', measure: 'covered-share', value: dayShare, bound: COVERED_SHARE });
    return;
  }
  let sumW = 0;
  for (let at = 0; at < count; at += 1) {
    if (mask[at] === 0) continue;
    sumW += ledger.claim(at, Number.POSITIVE_INFINITY);
    excluded[at] = 1;
  }
  ledger.reasons.push({
    kind: 'snow',
    lossWh: sumW * BUCKET_HOURS,
    spans: ledger.spansOf(mask, 12),
    confidence: ambientC !== null || daysBefore > 0 ? 0.8 : 0.65,
    evidence: { share, ambientC, daysBefore },
  });
}

function isThroughout({ lit, count }: DayLedger, mask: Uint8Array): boolean {
  const first = mask.indexOf(1);
  const last = mask.lastIndexOf(1);
  const shareIn = (from: number, until: number): number => {
    let all = 0;
    let covered = 0;
    for (let at = from; at < until; at += 1) {
      all += lit[at] as number;
      covered += mask[at] as number;
    }
    return all > 0 ? covered / all : 0;
  };
  return shareIn(first, count) >= THROUGHOUT_SHARE || shareIn(0, last + 1) >= THROUGHOUT_SHARE;
}

/** Actual over expected of half an hour around a bucket. */
function shareAround(ledger: DayLedger, middle: number): number {
  let actualW = 0;
  let expectedW = 0;
  for (let at = middle - HALF_WINDOW; at <= middle + HALF_WINDOW; at += 1) {
    const isW = ledger.actualW(at);
    const wantedW = ledger.expectedW[at] as number;
    if (ledger.lit[at] !== 1 || Number.isNaN(isW) || Number.isNaN(wantedW)) continue;
    actualW += isW;
    expectedW += wantedW;
  }
  return expectedW > 0 ? actualW / expectedW : 1;
}

function shareOf(ledger: DayLedger, mask: Uint8Array): number {
  let actualW = 0;
  let expectedW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    const isW = ledger.actualW(at);
    const wantedW = ledger.expectedW[at] as number;
    if (mask[at] !== 1 || Number.isNaN(isW) || Number.isNaN(wantedW)) continue;
    actualW += isW;
    expectedW += wantedW;
  }
  return expectedW > 0 ? actualW / expectedW : 1;
}

/** The same on the DC side where all of it is told: an inverter needs some light before it gives anything. */
function dcShareOf(ledger: DayLedger, mask: Uint8Array, acShare: number): number {
  let dcW = 0;
  for (const inverter of ledger.day.inverters) {
    for (let at = 0; at < ledger.count; at += 1) if (mask[at] === 1) dcW += inverter.dcW[at] as number;
  }
  const expectedWh = ledger.expectedWh((at) => mask[at] === 1);
  return ledger.day.inverters.length === 0 || Number.isNaN(dcW) ? acShare : (dcW * BUCKET_HOURS) / expectedWh;
}

/** An inverter that gives what it should has no snow on its arrays, so the others have none either. */
function isOnAll(ledger: DayLedger, mask: Uint8Array): boolean {
  if (countOf(mask) === 0) return false;
  return ledger.day.inverters.every((inverter, index) => {
    let actualW = 0;
    let expectedW = 0;
    for (let at = 0; at < ledger.count; at += 1) {
      const isW = inverter.dcW[at] as number;
      if (mask[at] !== 1 || Number.isNaN(isW)) continue;
      actualW += isW;
      expectedW += (ledger.inverterParts[index] as number) * (ledger.expectedW[at] as number);
    }
    return actualW <= 1.25 * COVERED_SHARE * expectedW;
  });
}

function lowestC(ambientC: Float64Array | null): number | null {
  if (ambientC === null) return null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of ambientC) if (value < lowest) lowest = value;
  return Number.isFinite(lowest) ? lowest : null;
}

/**
 * Whether nights may freeze at a place and time of the year: a rough mean of the climate by latitude, season and altitude (6.5 K per
 * km, ISO 2533), nights 6 K below. For want of a thermometer.
 */
export function canFreezeAt({ latitude, altitudeM }: Place, tsMs: number): boolean {
  const far = Math.abs(latitude);
  const yearDay = (tsMs / 86_400_000) % 365.25;
  const season = Math.cos((2 * Math.PI * (yearDay - 201)) / 365.25) * (latitude < 0 ? -1 : 1);
  const meanC = 28 - 0.0085 * far ** 2 + 0.22 * far * season - 0.0065 * altitudeM;
  return meanC - 6 <= FREEZING_C;
}
