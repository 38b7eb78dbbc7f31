import { countOf, type DayLedger } from './day-ledger.ts';
import { type ShadedHours, solarHourOf } from './habit-rules.ts';
import type { DayObservation } from './observation.ts';
import { BUCKET_HOURS, BUCKET_MS, type InverterDay, type StringDay } from './plant-day.ts';
import { STRING_CODES } from './standing-rules.ts';
import { medianOf } from './statistics.ts';
import { type LikelyPlane, likeliestPlane, planeFits, planePowerW, stringLight } from './string-planes.ts';

/** A string below this share of its peers is weak. */
const WEAK_SHARE = 0.85;
/** Against strings of other planes, which have other light at other hours. */
const WEAK_ELSEWHERE_SHARE = 0.74;
/** In this part of the buckets it has to be: what is weak only at some hours is shaded. */
const WEAK_PART = 0.8;
/** Of its size: below it currents say little. */
const LEAST_SHARE = 0.04;
const LEAST_BUCKETS = 12;
const LEAST_PAST_DAYS = 5;
/** One day's broken clouds can suit a roof by chance. */
const LEAST_CLEAR_DAYS = 2;
const SUNNY_FROM = 0.65;
/** Two hours of sun tell roofs apart. */
const LEAST_SUNNY_BUCKETS = 24;
/** A string that was weak from its first day on stays so. */
const USUAL_BOUNDS = [0.85, 1.18] as const;
/** Of its usual part in the plant's power: a string that has no more is open. */
const DEAD_SHARE = 0.02;
/** Conversion between a string and the AC bus. */
const TO_AC = 0.96;

/** The plane of a string, and its size, kWp. */
interface Lies extends LikelyPlane {
  kwp: number;
}

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
export function findWeakStrings(ledger: DayLedger, shaded: ShadedHours | undefined): boolean {
  const usable = usableBuckets(ledger, shaded);
  // What shades a plant shades one roof more than another, so that the past of its strings says little of them.
  const isShaded = shaded?.hours.includes(1) === true;
  const candidates = candidatesOf(ledger, usable).filter(({ against }) => against === 'peers' || !isShaded);
  if (candidates.length < 2 || countOf(usable) < LEAST_BUCKETS) return candidates.length >= 2;
  for (const each of candidates) {
    const others = peersOf(each, candidates);
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

/**
 * Whether a string that used to give something gives nothing all day, while its neighbours do. An input at which nothing hangs never gave
 * anything, so it is none.
 */
export function hasDeadString(ledger: DayLedger): boolean {
  const usable = usableBuckets(ledger, undefined);
  const strings = ledger.day.inverters.flatMap((inverter) =>
    inverter.strings
      .filter((string) => isTold(string, usable))
      .map((string) => ({ name: nameOf(inverter, string), sumW: energyOf(string.powerW, usable) })),
  );
  const allW = strings.reduce((sum, { sumW }) => sum + sumW, 0);
  if (countOf(usable) < LEAST_BUCKETS || !(allW > 0)) return false;
  return strings.some(({ name, sumW }) => {
    const habit = ledger.day.profile?.strings[name];
    return habit !== undefined && habit.days >= LEAST_PAST_DAYS && sumW < DEAD_SHARE * habit.part * allW;
  });
}

/** The strings with which one is compared: those of its plane, or of all where it is alone in it. */
function peersOf(each: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const others = candidates.filter((other) => other !== each);
  const alike = others.filter(({ string }) => string.array === each.string.array);
  return alike.length > 0 ? alike : others;
}

const isAlone = (each: Candidate, candidates: readonly Candidate[]): boolean =>
  !candidates.some((other) => other !== each && other.string.array === each.string.array);

const boundOf = (each: Candidate, candidates: readonly Candidate[]): number =>
  isAlone(each, candidates) ? WEAK_ELSEWHERE_SHARE : WEAK_SHARE;

/** Buckets in which nothing but the strings themselves decides. */
function usableBuckets(ledger: DayLedger, shaded: ShadedHours | undefined): Uint8Array {
  const { day, count, lit, excluded, silentPart, expected } = ledger;
  const usable = new Uint8Array(count);
  const leastW = LEAST_SHARE * expected.kwp * 1000;
  for (let at = 0; at < count; at += 1) {
    if (shaded?.hours[solarHourOf(day.startMs + at * BUCKET_MS, expected.sky.longitude)] === 1) continue;
    if (lit[at] === 1 && excluded[at] === 0 && silentPart[at] === 0 && ledger.actualW(at) > leastW) usable[at] = 1;
  }
  return usable;
}

function candidatesOf(ledger: DayLedger, usable: Uint8Array): Candidate[] {
  const known = ledger.day.inverters.flatMap((inverter) =>
    inverter.strings.filter((string) => isTold(string, usable)).map((string) => ({ inverter, string })),
  );
  const isPlaced = known.every(({ string }) => string.kwp !== null && string.array !== null);
  const clearness = stringLight(ledger);
  const candidates = known.flatMap(({ inverter, string }): Candidate[] => {
    const lies = isPlaced ? placed(string) : placedByHabit(ledger, inverter, string);
    if (lies === undefined || ledger.expected.model.arrays[lies.array] === undefined) return [];
    const modelW = planePowerW(ledger, lies, clearness).map((powerW) => powerW * lies.kwp);
    const index = indexOf(string.powerW, modelW, usable);
    const against = isPlaced ? 'peers' : 'past';
    const { array, kwp } = lies;
    return Number.isFinite(index)
      ? [{ inverter, string: { ...string, array, kwp }, modelW, against, index, share: 1 }]
      : [];
  });
  return isPlaced ? settled(ledger, candidates, usable) : candidates;
}

const placed = ({ array, kwp }: StringDay): Lies | undefined =>
  array === null || kwp === null ? undefined : { array, kwp, isSure: true };

/** A string of which nobody says where it lies: in the plane, and of the size, as which it has gone so far. */
function placedByHabit({ day, expected }: DayLedger, inverter: InverterDay, string: StringDay): Lies | undefined {
  const habit = day.profile?.strings[nameOf(inverter, string)];
  if (habit === undefined || habit.days < LEAST_PAST_DAYS) return undefined;
  const plane = likeliestPlane(habit.planes, expected.model.arrays);
  const kwp = plane === undefined ? undefined : habit.planes[plane.array]?.kwp;
  if (plane === undefined || kwp === undefined) return undefined;
  return { ...plane, kwp, isSure: plane.isSure && (habit.clearDays ?? 0) >= LEAST_CLEAR_DAYS };
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

/** A string's energy over that of its model, of the buckets in which both are known. */
function indexOf(powerW: Float64Array, modelW: Float64Array, usable: Uint8Array): number {
  const known = usable.map((isIn, at) =>
    isIn === 1 && !Number.isNaN(modelW[at]) && !Number.isNaN(powerW[at]) ? 1 : 0,
  );
  return countOf(known) < LEAST_BUCKETS ? Number.NaN : energyOf(powerW, known) / energyOf(modelW, known);
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

/** What the day teaches of strings; nothing where one is weak. */
export function observedStrings(
  ledger: DayLedger,
  shaded: ShadedHours | undefined,
): Pick<DayObservation, 'stringParts' | 'stringPlanes' | 'isSunny'> {
  const nothing = { stringParts: {}, stringPlanes: {}, isSunny: false };
  const isShaded = shaded?.hours.includes(1) === true;
  if (isShaded || ledger.reasons.some(({ kind }) => kind === 'string-weak')) return nothing;
  const usable = usableBuckets(ledger, shaded);
  if (countOf(usable) < LEAST_BUCKETS) return nothing;
  const clearness = stringLight(ledger);
  const planesW = ledger.expected.model.arrays.map((_, array) =>
    planePowerW(ledger, { array, isSure: true }, clearness),
  );
  const known = ledger.day.inverters.flatMap((inverter) =>
    inverter.strings
      .filter((string) => isTold(string, usable))
      .map((string) => ({ name: nameOf(inverter, string), string, sumW: energyOf(string.powerW, usable) })),
  );
  const all = known.reduce((sum, { sumW }) => sum + sumW, 0);
  if (!(all > 0)) return nothing;
  const isUnplaced = known.some(({ string }) => string.array === null);
  const sunny = usable.filter((isIn, at) => isIn === 1 && (clearness[at] as number) >= SUNNY_FROM);
  return {
    isSunny: sunny.length >= LEAST_SUNNY_BUCKETS,
    stringParts: Object.fromEntries(known.map(({ name, sumW }) => [name, sumW / all])),
    stringPlanes: isUnplaced
      ? Object.fromEntries(known.map(({ name, string }) => [name, planeFits(planesW, string, usable)]))
      : {},
  };
}
