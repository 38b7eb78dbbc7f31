import { countOf, type DayLedger, hoursOf } from './day-ledger.ts';
import { BUCKET_HOURS, isAtLimit } from './plant-day.ts';

/** Of the day's potential: less is not worth a word. */
const CLIPPED_SHARE = 0.01;
const LIMITED_SHARE = 0.01;
const LEAST_BUCKETS = 6;
const AT_RATING_SHARE = 0.975;
const HELD_BACK_SHARE = 0.97;
/** From here on a battery takes less and less. */
const FULL_SOC_PERCENT = 95;

/** What is beyond the rating of the inverters. Not among what is expected, so nothing is claimed of it. */
export function findClipping(ledger: DayLedger): void {
  const { expected, unshaded, potentialW, count } = ledger;
  const { ratedAcW } = expected.model;
  if (ratedAcW === null) return;
  const mask = new Uint8Array(count);
  let sumW = 0;
  let allW = 0;
  for (let at = 0; at < count; at += 1) {
    if (!((potentialW[at] as number) > 0)) continue;
    allW += potentialW[at] as number;
    const offeredW = unshaded.potentialW[at] as number;
    const lostW = offeredW - Math.max(unshaded.expectedW[at] as number, ledger.actualW(at));
    if (!(lostW > 0) || ledger.actualW(at) < AT_RATING_SHARE * ratedAcW) continue;
    mask[at] = 1;
    sumW += lostW;
  }
  const share = allW > 0 ? sumW / allW : 0;
  if (share < CLIPPED_SHARE || countOf(mask) < LEAST_BUCKETS) {
    ledger.ruledOut.push({ kind: 'clipping', measure: 'clipped-share', value: share, bound: CLIPPED_SHARE });
    return;
  }
  // At the rating what the array has to spare does not show: nothing is learned of it.
  mask.forEach((isIn, at) => {
    if (isIn === 1) ledger.excluded[at] = 1;
  });
  ledger.reasons.push({
    kind: 'clipping',
    lossWh: sumW * BUCKET_HOURS,
    spans: ledger.spansOf(mask, 3),
    confidence: 0.9,
    evidence: { hours: hoursOf(mask), ratedAcW },
  });
}

/** What was held back at the limit of feeding in, by whether a full battery could have taken it. */
export function findExportLimit(ledger: DayLedger): void {
  const { day } = ledger;
  const { battery } = day;
  const limitW = day.powerLimitW ?? day.exportLimitW;
  if (limitW === null) {
    for (const kind of ['export-limit', 'battery-full'] as const)
      ledger.ruledOut.push({ kind, measure: 'limited-share', value: 0, bound: LIMITED_SHARE });
    return;
  }
  const byLimit = new Uint8Array(ledger.count);
  const byBattery = new Uint8Array(ledger.count);
  let highestSoc = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    if (ledger.lit[at] === 0 || ledger.excluded[at] === 1 || !isAtLimit(day, ledger.expected, at)) continue;
    if (!(ledger.actualW(at) < HELD_BACK_SHARE * (ledger.unshaded.expectedW[at] as number))) continue;
    const soc = battery?.socPercent[at] ?? Number.NaN;
    if (soc > highestSoc) highestSoc = soc;
    (soc >= FULL_SOC_PERCENT ? byBattery : byLimit)[at] = 1;
  }
  const expectedWh = ledger.expectedWh();
  const limitedWh = claimAll(ledger, byLimit);
  const fullWh = claimAll(ledger, byBattery);
  const isWorth = (lossWh: number, mask: Uint8Array) =>
    lossWh >= LIMITED_SHARE * expectedWh && countOf(mask) >= LEAST_BUCKETS;
  const confidence = ledger.isCompared ? 0.9 : 0.7;
  if (isWorth(limitedWh, byLimit)) {
    ledger.reasons.push({
      kind: 'export-limit',
      lossWh: limitedWh,
      spans: ledger.spansOf(byLimit, 3),
      confidence,
      evidence: { hours: hoursOf(byLimit), limitW },
    });
  } else {
    const value = expectedWh > 0 ? limitedWh / expectedWh : 0;
    ledger.ruledOut.push({ kind: 'export-limit', measure: 'limited-share', value, bound: LIMITED_SHARE });
  }
  if (isWorth(fullWh, byBattery)) {
    ledger.reasons.push({
      kind: 'battery-full',
      lossWh: fullWh,
      spans: ledger.spansOf(byBattery, 3),
      confidence,
      evidence: { hours: hoursOf(byBattery), limitW, socPercent: highestSoc },
    });
  } else if (battery !== null) {
    ledger.ruledOut.push({ kind: 'battery-full', measure: 'soc', value: highestSoc, bound: FULL_SOC_PERCENT });
  }
}

function claimAll(ledger: DayLedger, mask: Uint8Array): number {
  let sumW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    if (mask[at] === 0) continue;
    const heard = 1 - (ledger.silentPart[at] as number);
    const lackW =
      (ledger.unshaded.expectedW[at] as number) * heard - ledger.actualW(at) - (ledger.claimedW[at] as number);
    sumW += ledger.claimWhole(at, Math.max(0, lackW));
    ledger.excluded[at] = 1;
  }
  return sumW * BUCKET_HOURS;
}
