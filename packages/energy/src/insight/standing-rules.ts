import { countOf, type DayLedger, hoursOf } from './day-ledger.ts';
import { type AlarmSpan, BUCKET_HOURS, BUCKET_MS, type InverterDay, isAtLimit } from './plant-day.ts';

/** Nothing heard for this part of the day's light is worth a word. */
const SILENT_SHARE = 0.05;
const LEAST_SILENT_BUCKETS = 6;
const LEAST_STANDSTILL_BUCKETS = 6;
/** Of the rating: less is nothing. */
const NOTHING_SHARE = 0.001;
/** Of its part of the expected power: from then on nothing is conspicuous. */
const CONSPICUOUS_SHARE = 0.05;
/** Actual below this share of the expected counts for a reason that lowers the power. */
const LOWERED_SHARE = 0.94;
/** An inverter waits for a good grid before it feeds in again: up to five minutes, and ramps up. */
const RECONNECT_BUCKETS = 2;

/** Alarms that a rule of its own looks at. */
const OFFLINE_CODES: ReadonlySet<number> = new Set([5003, 5004]);
export const STRING_CODES: ReadonlySet<number> = new Set([2005, 2006, 2007]);
export const METER_SIGN_CODE = 5002;
/** Alarms that lower the power or change nothing, however high their level; all others of level 3 and 4 stop the inverter. */
const LOWERING_CODES: ReadonlySet<number> = new Set([1003, 3001, 3002, 3003, 3008, 5001, 5007]);
/** Of these, what sets a cap: over-frequency, heat. */
const CAPPING_CODES: ReadonlySet<number> = new Set([1003, 3001, 3002, 3003]);
const HEAT_CODES: ReadonlySet<number> = new Set([3001, 3002, 3003]);
/** Closer below the highest power under the alarm the inverter is at its cap. */
const CAP_SHARE = 0.93;
const HEAT_CAP_SHARE = 0.8;
/** Before and after a bucket: within an hour heat hardly changes, clouds do. */
const HEAT_BUCKETS = 12;
/** Alarms of the first level that tell a loss. */
const TELLING_NOTICES: ReadonlySet<number> = new Set([3003, 5007]);
const GRID_LOST_CODE = 1005;
/** A notice has to stand so long to be a reason. */
const LEAST_NOTICE_BUCKETS = 12;
/** Too much asked of the backup output: takes no power from the arrays. */
const OVERLOAD_CODE = 3008;
const LEAST_NIGHT_HOURS = 1;
const isOfBattery = (code: number): boolean => code >= 4000 && code < 5000;

/** What was not heard. */
export function findOffline(ledger: DayLedger): void {
  const { day, count, lit, silentPart, inverterParts, expected } = ledger;
  const mask = new Uint8Array(count);
  let silentW = 0;
  let allW = 0;
  for (let at = 0; at < count; at += 1) {
    if (lit[at] === 0) continue;
    let part = 0;
    day.inverters.forEach((inverter, index) => {
      if (inverter.heard[at] === 0) part += inverterParts[index] as number;
    });
    if (Number.isNaN(day.pvW[at])) part = 1;
    silentPart[at] = Math.min(1, part);
    if (part > 0) mask[at] = 1;
    allW += expected.clearW[at] as number;
    silentW += Math.min(1, part) * (expected.clearW[at] as number);
  }
  const share = allW > 0 ? silentW / allW : 0;
  if (share < SILENT_SHARE || countOf(mask) < LEAST_SILENT_BUCKETS) {
    ledger.ruledOut.push({ kind: 'offline', measure: 'silent-share', value: share, bound: SILENT_SHARE });
    return;
  }
  const silentWh = silentExpectedWh(ledger);
  ledger.reasons.push({
    kind: 'offline',
    lossWh: null,
    spans: ledger.spansOf(mask),
    confidence: 0.95,
    evidence: {
      silentHours: hoursOf(mask),
      expectedWh: ledger.isCompared ? silentWh : null,
      hadAlarm: day.alarms.some(({ code }) => OFFLINE_CODES.has(code)),
    },
  });
}

/** Expected of what was not heard, Wh. */
export function silentExpectedWh({ silentPart, expectedW, count }: DayLedger): number {
  let sumW = 0;
  for (let at = 0; at < count; at += 1) {
    const powerW = (silentPart[at] as number) * (expectedW[at] as number);
    if (powerW > 0) sumW += powerW;
  }
  return sumW * BUCKET_HOURS;
}

/** Whether an alarm is a reason by itself: not a notice, and none that another rule looks at. */
export function isTellingAlarm({ code, level }: AlarmSpan): boolean {
  const isOfAnother = OFFLINE_CODES.has(code) || STRING_CODES.has(code) || code === METER_SIGN_CODE;
  return !isOfAnother && (level > 1 || TELLING_NOTICES.has(code));
}

/** What stands under an alarm, the gravest first. */
export function findAlarms(ledger: DayLedger): void {
  const meant = ledger.day.alarms.filter(isTellingAlarm);
  for (const alarms of Object.values(Object.groupBy(meant, ({ code, device }) => `${code} ${device}`)).toSorted(
    (a, b) => (b?.[0]?.level ?? 0) - (a?.[0]?.level ?? 0),
  )) {
    if (alarms !== undefined) takeAlarm(ledger, alarms);
  }
  const found = ledger.reasons.filter(({ kind }) => kind === 'alarm').length;
  if (found === 0) ledger.ruledOut.push({ kind: 'alarm', measure: 'alarms', value: 0, bound: 1 });
}

function takeAlarm(ledger: DayLedger, alarms: readonly AlarmSpan[]): void {
  const [first] = alarms;
  if (first === undefined) return;
  const { code, level, device } = first;
  const mask = new Uint8Array(ledger.count);
  for (const { fromMs, untilMs } of alarms) {
    const from = Math.max(0, ledger.bucketAt(fromMs));
    const until = untilMs === null ? ledger.count : Math.min(ledger.count, ledger.bucketAt(untilMs - 1) + 1);
    for (let at = from; at < until; at += 1) mask[at] = 1;
  }
  if (countOf(mask) === 0 || (level === 1 && countOf(mask) < LEAST_NOTICE_BUCKETS)) return;
  const isStop = level >= 3 && !LOWERING_CODES.has(code) && !isOfBattery(code);
  const lossW = isStop ? stopLossW(ledger, mask, first) : lowerLossW(ledger, mask, code);
  ledger.reasons.push({
    kind: 'alarm',
    lossWh: lossW === null ? null : lossW * BUCKET_HOURS,
    spans: ledger.spansOf(mask),
    confidence: 0.95,
    evidence: { code, level, device, hours: hoursOf(mask) },
  });
}

/** What an inverter, or all that is not one of them, would have given while it was stopped; null where the light is not known. */
function stopLossW(ledger: DayLedger, mask: Uint8Array, { code, device }: AlarmSpan): number | null {
  const { day, count, inverterParts, stoppedPart, excluded } = ledger;
  const index = day.inverters.findIndex(({ key }) => key === device);
  // A grid that is lost is lost to all of the plant, whoever tells it: what the others give nevertheless is not missing.
  const isOfAll = index === -1 || code === GRID_LOST_CODE;
  const part = isOfAll ? 1 : (inverterParts[index] as number);
  let sumW = 0;
  let isAnyLit = false;
  for (let at = 0; at < count; at += 1) {
    const isAfter = isSoonAfter(mask, at);
    if ((mask[at] === 0 && !isAfter) || ledger.lit[at] === 0) continue;
    isAnyLit = true;
    excluded[at] = 1;
    const missingW = missingOfPartW(ledger, at, part, day.inverters[index]);
    if (isAfter && !(missingW > (1 - LOWERED_SHARE) * part * (ledger.expectedW[at] as number))) continue;
    if (mask[at] === 1) stoppedPart[at] = Math.min(1, (stoppedPart[at] as number) + part);
    sumW += ledger.claim(at, missingW);
  }
  return ledger.isCompared || !isAnyLit ? sumW : null;
}

function isSoonAfter(mask: Uint8Array, at: number): boolean {
  if (mask[at] === 1) return false;
  for (let back = 1; back <= RECONNECT_BUCKETS; back += 1) if (mask[at - back] === 1) return true;
  return false;
}

/** Of one inverter what it did not give, by its own DC power where that is known; else what the whole plant lacks, at most its part. */
function missingOfPartW(ledger: DayLedger, at: number, part: number, inverter: InverterDay | undefined): number {
  const partW = part * (ledger.expectedW[at] as number);
  const ownW = part < 1 ? (inverter?.dcW[at] ?? Number.NaN) : Number.NaN;
  return Number.isNaN(ownW) ? Math.min(partW, ledger.gapW(at)) : Math.max(0, partW - ownW);
}

function lowerLossW(ledger: DayLedger, mask: Uint8Array, code: number): number | null {
  if (code === OVERLOAD_CODE) return 0;
  if (!LOWERING_CODES.has(code) && !(isOfBattery(code) && ledger.day.exportLimitW !== null)) return 0;
  if (!ledger.isCompared) return null;
  return CAPPING_CODES.has(code) ? cappedLossW(ledger, mask, code) : loweredLossW(ledger, mask, code);
}

function loweredLossW(ledger: DayLedger, mask: Uint8Array, code: number): number {
  let sumW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    if (mask[at] === 0 || ledger.lit[at] === 0) continue;
    if (isOfBattery(code) && !isAtLimit(ledger.day, ledger.expected, at)) continue;
    if (!(ledger.actualW(at) < LOWERED_SHARE * (ledger.expectedW[at] as number))) continue;
    ledger.excluded[at] = 1;
    sumW += ledger.claim(at, Number.POSITIVE_INFINITY);
  }
  return sumW;
}

/**
 * What a cap took: of all buckets at it what the inverter would have given without. Chance goes both ways from bucket to bucket, so all
 * of it counts, not only what looks like a loss: what is no more than the scatter at the cap evens out.
 */
function cappedLossW(ledger: DayLedger, mask: Uint8Array, code: number): number {
  const atCap = bucketsAtCap(ledger, mask, code);
  let signedW = 0;
  let positiveW = 0;
  for (const at of atCap) {
    const gapW = ledger.gapW(at);
    signedW += gapW;
    positiveW += Math.max(0, gapW);
  }
  if (!(signedW > 0)) return 0;
  let sumW = 0;
  for (const at of atCap) {
    const gapW = ledger.gapW(at);
    if (!(gapW > 0)) continue;
    ledger.excluded[at] = 1;
    sumW += ledger.claim(at, (gapW * signedW) / positiveW);
  }
  return sumW;
}

/** A cap stays at about the same height as long as it lasts; that of heat sinks slowly as it goes on rising. */
function bucketsAtCap(ledger: DayLedger, mask: Uint8Array, code: number): number[] {
  const isHeat = HEAT_CODES.has(code);
  const leastW = (isHeat ? HEAT_CAP_SHARE : CAP_SHARE) * highestW(ledger, mask, 0, ledger.count);
  const found: number[] = [];
  for (let at = 0; at < ledger.count; at += 1) {
    if (mask[at] === 0 || ledger.lit[at] === 0 || ledger.actualW(at) < leastW || Number.isNaN(ledger.gapW(at)))
      continue;
    const nearW = isHeat ? highestW(ledger, mask, at - HEAT_BUCKETS, at + HEAT_BUCKETS + 1) : 0;
    if (ledger.actualW(at) >= CAP_SHARE * nearW) found.push(at);
  }
  return found;
}

function highestW(ledger: DayLedger, mask: Uint8Array, from: number, until: number): number {
  let highest = 0;
  for (let at = Math.max(0, from); at < Math.min(ledger.count, until); at += 1) {
    if (mask[at] === 1 && ledger.actualW(at) > highest) highest = ledger.actualW(at);
  }
  return highest;
}

/** Inverters that were heard, gave nothing in daylight and told no alarm. */
export function findStandstill(ledger: DayLedger): void {
  let longest = 0;
  ledger.day.inverters.forEach((inverter, index) => {
    const mask = standstillOf(ledger, inverter, index);
    longest = Math.max(longest, countOf(mask));
    if (countOf(mask) < LEAST_STANDSTILL_BUCKETS) return;
    const part = ledger.inverterParts[index] as number;
    let sumW = 0;
    for (let at = 0; at < ledger.count; at += 1) {
      if (mask[at] === 0) continue;
      ledger.excluded[at] = 1;
      ledger.stoppedPart[at] = Math.min(1, (ledger.stoppedPart[at] as number) + part);
      sumW += ledger.claim(at, part * (ledger.expectedW[at] as number));
    }
    ledger.reasons.push({
      kind: 'standstill',
      lossWh: ledger.isCompared ? sumW * BUCKET_HOURS : null,
      spans: ledger.spansOf(mask),
      confidence: 0.85,
      evidence: { device: inverter.key, hours: hoursOf(mask) },
    });
  });
  if (!ledger.reasons.some(({ kind }) => kind === 'standstill')) {
    ledger.ruledOut.push({
      kind: 'standstill',
      measure: 'standstill-hours',
      value: longest * BUCKET_HOURS,
      bound: LEAST_STANDSTILL_BUCKETS * BUCKET_HOURS,
    });
  }
}

function standstillOf(ledger: DayLedger, inverter: InverterDay, index: number): Uint8Array {
  const { day, count, lit, excluded, expected } = ledger;
  const part = ledger.inverterParts[index] as number;
  const sizeW = part * expected.kwp * 1000;
  const mask = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) {
    if (lit[at] === 0 || excluded[at] === 1 || inverter.heard[at] === 0) continue;
    const ownW = Number.isNaN(inverter.dcW[at]) && day.battery === null ? inverter.acW[at] : inverter.dcW[at];
    const expectedW = ledger.isCompared ? (ledger.expectedW[at] as number) : 0.2 * (expected.clearW[at] as number);
    if ((ownW as number) <= NOTHING_SHARE * sizeW && part * expectedW > CONSPICUOUS_SHARE * sizeW) mask[at] = 1;
  }
  return mask;
}

/** A meter that tells export by night, without sun and battery, has its sign turned. */
export function findWrongMeter(ledger: DayLedger): void {
  const { day, count, expected } = ledger;
  const mask = new Uint8Array(count);
  const leastW = 50;
  for (let at = 0; at < count; at += 1) {
    const isDark = (expected.sky.zenithDeg[at] as number) > 92;
    const batteryW = Number.isNaN(day.batteryW[at]) && day.battery === null ? 0 : (day.batteryW[at] as number);
    if (isDark && batteryW <= 20 && (day.gridW[at] as number) < -leastW) mask[at] = 1;
  }
  const alarm = day.alarms.find(({ code, untilMs }) => code === METER_SIGN_CODE && (untilMs ?? Infinity) > day.startMs);
  const hours = hoursOf(mask);
  if (hours < LEAST_NIGHT_HOURS && alarm === undefined) {
    ledger.ruledOut.push({
      kind: 'meter-wrong',
      measure: 'night-export-hours',
      value: hours,
      bound: LEAST_NIGHT_HOURS,
    });
    return;
  }
  const fromMs = alarm === undefined ? undefined : Math.max(day.startMs, alarm.fromMs);
  const endMs = day.startMs + count * BUCKET_MS;
  ledger.reasons.push({
    kind: 'meter-wrong',
    lossWh: 0,
    spans:
      fromMs === undefined
        ? ledger.spansOf(mask)
        : [{ fromMs, untilMs: Math.min(endMs, alarm?.untilMs ?? Number.POSITIVE_INFINITY) }],
    confidence: alarm === undefined ? 0.8 : 0.95,
    evidence: { hours, alarm: alarm?.code ?? null },
  });
}
