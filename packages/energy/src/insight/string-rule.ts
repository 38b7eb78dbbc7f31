import { countOf, type DayLedger } from './day-ledger.ts';
import { arrayPowerW, clearnessOf } from './expected-power.ts';
import { BUCKET_HOURS, type InverterDay, type StringDay } from './plant-day.ts';
import { STRING_CODES } from './standing-rules.ts';
import { medianOf } from './statistics.ts';

/** A string below this share of its peers is weak. */
const WEAK_SHARE = 0.85;
/** Against strings of other planes, which have other light at other hours. */
const WEAK_ELSEWHERE_SHARE = 0.74;
/** In this part of the buckets it has to be: what is weak only at some hours is shaded. */
const WEAK_PART = 0.7;
/** Of its size: below it currents say little. */
const LEAST_SHARE = 0.06;
const LEAST_BUCKETS = 12;
const LEAST_PAST_DAYS = 5;
/** A string that was weak from its first day on stays so. */
const USUAL_BOUNDS = [0.85, 1.18] as const;
/** Conversion between a string and the AC bus. */
const TO_AC = 0.96;

interface Candidate {
  inverter: InverterDay;
  string: StringDay;
  /** What it would give as its plant goes, W per bucket, up to a factor that is the same for all. */
  modelW: Float64Array;
  against: 'peers' | 'past';
  /** Its energy over that of `modelW`. */
  index: number;
  share: number;
}

/** Name of a string over the whole plant. */
const nameOf = (inverter: InverterDay, string: StringDay): string => `${inverter.key} ${string.key}`;

/** Strings that give less than their neighbours in the same plant. Returns whether enough of them are known. */
export function findWeakStrings(ledger: DayLedger): boolean {
  const usable = usableBuckets(ledger);
  const candidates = candidatesOf(ledger, usable);
  if (candidates.length < 2 || countOf(usable) < LEAST_BUCKETS) return candidates.length >= 2;
  for (const each of candidates) {
    const others = candidates.filter((other) => other !== each && other.against === each.against);
    const best = others.length < 2 ? others : others.filter(({ index }) => index > 0);
    each.share = best.length === 0 ? 1 : each.index / medianOf(best.map(({ index }) => index));
  }
  for (const each of candidates) {
    const { inverter, string, share, against } = each;
    const bound = boundOf(each, candidates);
    ledger.stringShares.push({ device: inverter.key, string: string.key, share, bound, against });
  }
  const weak = candidates.filter(
    (each) => each.share < boundOf(each, candidates) && isWeakThroughout(ledger, candidates, each, usable),
  );
  const least = Math.min(...candidates.map(({ share }) => share));
  if (weak.length === 0 || weak.length > candidates.length / 2) {
    ledger.ruledOut.push({ kind: 'string-weak', measure: 'string-share', value: least, bound: WEAK_SHARE });
    return true;
  }
  for (const each of weak) takeString(ledger, candidates, weak, each);
  return true;
}

function boundOf(each: Candidate, candidates: readonly Candidate[]): number {
  const isAlone = !candidates.some((other) => other !== each && other.string.array === each.string.array);
  return isAlone && each.against === 'peers' ? WEAK_ELSEWHERE_SHARE : WEAK_SHARE;
}

/** Buckets in which nothing but the strings themselves decides. */
function usableBuckets(ledger: DayLedger): Uint8Array {
  const { count, lit, excluded, silentPart, expected } = ledger;
  const usable = new Uint8Array(count);
  const leastW = LEAST_SHARE * expected.kwp * 1000;
  for (let at = 0; at < count; at += 1) {
    if (lit[at] === 1 && excluded[at] === 0 && silentPart[at] === 0 && ledger.actualW(at) > leastW) usable[at] = 1;
  }
  return usable;
}

function candidatesOf(ledger: DayLedger, usable: Uint8Array): Candidate[] {
  const { day, expected } = ledger;
  const known = day.inverters.flatMap((inverter) =>
    inverter.strings.filter((string) => isTold(string, usable)).map((string) => ({ inverter, string })),
  );
  const isModelled = known.every(({ string }) => string.kwp !== null && string.array !== null);
  const clearness = ledger.isCompared ? ledger.light.clearness : clearnessOf(expected, day.pvW, ledger.level);
  const candidates: Candidate[] = [];
  for (const { inverter, string } of known) {
    const modelW = isModelled ? modelledW(ledger, string, clearness) : usualW(ledger, known, nameOf(inverter, string));
    if (modelW === null) continue;
    const index = energyOf(string.powerW, usable) / energyOf(modelW, usable);
    if (Number.isFinite(index)) {
      candidates.push({ inverter, string, modelW, against: isModelled ? 'peers' : 'past', index, share: 1 });
    }
  }
  return isModelled ? settled(ledger, candidates, usable) : candidates;
}

/** Planes differ from the model a little: where a string's usual part is known, its model is brought to it, within bounds. */
function settled({ day }: DayLedger, candidates: Candidate[], usable: Uint8Array): Candidate[] {
  const models = candidates.map(({ modelW }) => energyOf(modelW, usable));
  const all = models.reduce((sum, each) => sum + each, 0);
  const usual = candidates.map(({ inverter, string }) => day.profile?.strings[nameOf(inverter, string)]);
  if (!(all > 0) || usual.some((each) => each === undefined || each.days < LEAST_PAST_DAYS)) return candidates;
  return candidates.map((each, at) => {
    const ratio = (usual[at]?.part ?? 0) / ((models[at] as number) / all);
    const factor = Math.min(USUAL_BOUNDS[1], Math.max(USUAL_BOUNDS[0], ratio));
    return { ...each, modelW: each.modelW.map((powerW) => powerW * factor), index: each.index / factor };
  });
}

function isTold({ powerW }: StringDay, usable: Uint8Array): boolean {
  let told = 0;
  for (let at = 0; at < usable.length; at += 1) if (usable[at] === 1 && !Number.isNaN(powerW[at])) told += 1;
  return told > 0.8 * countOf(usable);
}

function modelledW(ledger: DayLedger, { kwp, array }: StringDay, clearness: Float64Array): Float64Array | null {
  const { expected, count } = ledger;
  const ratedW = array === null ? undefined : expected.model.arrays[array]?.ratedW;
  if (ratedW === undefined || !(ratedW > 0) || array === null || kwp === null) return null;
  const modelW = new Float64Array(count);
  const part = (kwp * 1000) / ratedW;
  for (let at = 0; at < count; at += 1) {
    modelW[at] = part * arrayPowerW(expected, array, at, clearness[at] as number);
  }
  return modelW;
}

/** Where size or plane are not known: its usual part of what all strings give. */
function usualW({ day, count }: DayLedger, known: readonly { string: StringDay }[], name: string): Float64Array | null {
  const usual = day.profile?.strings[name];
  if (usual === undefined || usual.days < LEAST_PAST_DAYS) return null;
  const modelW = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    let sumW = 0;
    for (const { string } of known) sumW += string.powerW[at] as number;
    modelW[at] = usual.part * sumW;
  }
  return modelW;
}

function energyOf(powerW: Float64Array, usable: Uint8Array): number {
  let sumW = 0;
  for (let at = 0; at < usable.length; at += 1) {
    const value = powerW[at] as number;
    if (usable[at] === 1 && !Number.isNaN(value)) sumW += value;
  }
  return sumW;
}

/**
 * What the others have of their model: in this bucket, of those in the same plane; else over the day, since a plane that the sun
 * does not reach says little of one that it does.
 */
function othersIndex(
  candidates: readonly Candidate[],
  weak: readonly Candidate[],
  each: Candidate,
  at: number,
): number {
  const others = candidates.filter((other) => other !== each && !weak.includes(other));
  const alike = others
    .filter(({ string }) => string.array === each.string.array)
    .map(({ string, modelW }) => (string.powerW[at] as number) / (modelW[at] as number))
    .filter(Number.isFinite);
  return medianOf(alike.length > 0 ? alike : others.map(({ index }) => index));
}

function isWeakThroughout(
  ledger: DayLedger,
  candidates: readonly Candidate[],
  each: Candidate,
  usable: Uint8Array,
): boolean {
  let weak = 0;
  let all = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    if (usable[at] === 0) continue;
    const wantedW = (each.modelW[at] as number) * othersIndex(candidates, [], each, at);
    const isW = each.string.powerW[at] as number;
    if (!(wantedW > 0) || Number.isNaN(isW)) continue;
    all += 1;
    if (isW < 0.93 * wantedW) weak += 1;
  }
  return all >= LEAST_BUCKETS && weak >= WEAK_PART * all;
}

function takeString(
  ledger: DayLedger,
  candidates: readonly Candidate[],
  weak: readonly Candidate[],
  each: Candidate,
): void {
  const mask = new Uint8Array(ledger.count);
  const lacksW = lacksOf(ledger, candidates, weak, each);
  let signedW = 0;
  let positiveW = 0;
  for (const lackW of lacksW) {
    signedW += lackW;
    positiveW += Math.max(0, lackW);
  }
  // Where planes differ, chance goes both ways from bucket to bucket: all of it counts, not only what looks like a loss.
  const scale = positiveW > 0 ? Math.max(0, signedW) / positiveW : 0;
  let sumW = 0;
  for (let at = 0; at < ledger.count; at += 1) {
    const lackW = lacksW[at] as number;
    if (!(lackW > 0)) continue;
    mask[at] = 1;
    sumW += ledger.claimWhole(at, lackW * scale);
  }
  const alarm = ledger.day.alarms.find(({ code, device }) => STRING_CODES.has(code) && device === each.inverter.key);
  ledger.reasons.push({
    kind: 'string-weak',
    lossWh: sumW * BUCKET_HOURS,
    spans: ledger.spansOf(mask, 12),
    confidence: alarm === undefined ? 0.85 : 0.95,
    evidence: {
      device: each.inverter.key,
      string: each.string.key,
      share: each.share,
      against: each.against,
      alarm: alarm?.code ?? null,
    },
  });
}

/** What a string lacks in each bucket against the others, W at the AC bus; no more than its inverters had room for. */
function lacksOf(
  ledger: DayLedger,
  candidates: readonly Candidate[],
  weak: readonly Candidate[],
  each: Candidate,
): Float64Array {
  const ratedW = ledger.expected.model.ratedAcW ?? Number.POSITIVE_INFINITY;
  const lacksW = new Float64Array(ledger.count);
  for (let at = 0; at < ledger.count; at += 1) {
    if (ledger.lit[at] === 0 || ledger.excluded[at] === 1) continue;
    const wantedW = (each.modelW[at] as number) * othersIndex(candidates, weak, each, at);
    const lackW = TO_AC * (wantedW - (each.string.powerW[at] as number));
    const roomW = Math.max(0, ratedW - ledger.actualW(at) - (ledger.claimedW[at] as number));
    if (!Number.isNaN(lackW)) lacksW[at] = Math.min(lackW, roomW);
  }
  return lacksW;
}

/** Part of each string in the energy of all, for the profile; nothing where one is weak. */
export function stringPartsOf(ledger: DayLedger): Record<string, number> {
  if (ledger.reasons.some(({ kind }) => kind === 'string-weak')) return {};
  const usable = usableBuckets(ledger);
  if (countOf(usable) < LEAST_BUCKETS) return {};
  const known = ledger.day.inverters.flatMap((inverter) =>
    inverter.strings
      .filter((string) => isTold(string, usable))
      .map((string) => ({ name: nameOf(inverter, string), sumW: energyOf(string.powerW, usable) })),
  );
  const all = known.reduce((sum, { sumW }) => sum + sumW, 0);
  return all > 0 ? Object.fromEntries(known.map(({ name, sumW }) => [name, sumW / all])) : {};
}
