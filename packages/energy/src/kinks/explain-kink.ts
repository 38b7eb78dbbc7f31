import { meanOf, median, type Series } from './curve.ts';
import type { Kink } from './find-kinks.ts';
import type { CloudSign, InverterSeries, KinkCause, KinkEvidence } from './kink-evidence.ts';
import { standingInverter } from './standing-inverter.ts';

/** Before a kink, and around its deepest place: as many buckets are looked at. */
const LOOKED_AT = 3;
/** Less than this part of the strongest of its like, and a series tells nothing. */
const TELLING_SHARE = 0.15;
/** A neighbour that had much less light before faces elsewhere: a cloud takes the sun from the one and not from the other. */
const SAME_LIGHT_SHARE = 0.5;
/** A string has fallen by itself where it has at most this part of what its neighbours kept; an inverter too. */
const ALONE_SHARE = 0.75;
const INVERTER_SHARE = 0.6;
/** Where its neighbours kept less, it was not alone. */
const KEPT_SHARE = 0.2;
const STANDS_SHARE = 0.05;
/** All fell alike where none keeps more than this beside their median. */
const ALIKE = 0.2;
const RATED_SHARE = 0.97;
const FULL_PERCENT = 95;
/** What a battery that is full still does, W. */
const REST_W = 150;
/** How far feed-in at its limit sways: part of it, and W at least. */
const LIMIT_SWAY_SHARE = 0.03;
const LIMIT_SWAY_W = 60;
/** Devices tell alarms of strings half an hour late. */
const ALARM_BEFORE_MS = 15 * 60_000;
const ALARM_AFTER_MS = 45 * 60_000;
const CHANGE_MS = 10 * 60_000;
export const LEAST_NEIGHBOURS = 5;
/** Neighbours share a cloud where they fell by this part of what the plant did. */
const SHARED_SHARE = 0.4;
/** Clouds sway the power by this part of it from one bucket to the next, on the mean of half an hour at least. */
const SWAY_SHARE = 0.08;
const SWAYING_BUCKETS = 6;
const STRING_CODES: readonly number[] = [2005, 2006, 2007, 2008];
/** Alarms of what makes PV power: grid, arrays, inverter, and remote stops. */
const isOfPower = (code: number): boolean => (code >= 1000 && code < 4000) || code === 5001 || code === 5007;

interface Looked {
  readonly kink: Kink;
  readonly evidence: KinkEvidence;
  /** Places in the series of what was before, and of the deepest. */
  readonly before: number;
  readonly deep: number;
}

/** What a series kept of what it gave before; NaN where it tells nothing. */
interface Kept {
  readonly before: number;
  readonly share: number;
}

/**
 * Likely reasons of a kink, the likeliest first; none where nothing is known. A cloud is only said where something shared it: the
 * neighbours (five at least within 50 km), a sensor, or all strings or inverters of the plant alike.
 */
export function explainKink(kink: Kink, evidence: KinkEvidence): KinkCause[] {
  const placeOf = (tsMs: number): number => Math.floor((tsMs - evidence.startMs) / evidence.bucketMs);
  const looked: Looked = { kink, evidence, before: placeOf(kink.fromMs), deep: placeOf(kink.deepestMs) };
  if (kink.shape === 'gap') return ranked([...gapOf(looked), ...alarmOf(looked), ...changesOf(looked)]);
  const own = [...stringOf(looked), ...inverterOf(looked), ...limitOf(looked), ...clippingOf(looked)];
  const told = [...alarmOf(looked), ...changesOf(looked)];
  const shared = kink.shape === 'fall' && own.length === 0 ? cloudOf(looked) : [];
  const all = [...own, ...told, ...shared];
  return ranked(all.length > 0 ? all : standstillOf(looked));
}

const ranked = (causes: readonly KinkCause[]): KinkCause[] => causes.toSorted((a, b) => b.confidence - a.confidence);

function keptOf({ before, deep, kink, evidence }: Looked, values: Series): Kept {
  const last = Math.floor((kink.toMs - evidence.startMs) / evidence.bucketMs);
  const shareOf = (series: Series): Kept => {
    const was = meanOf(series, before - LOOKED_AT, before);
    const is = meanOf(series, Math.max(before, deep - 1), Math.min(last, deep + 2));
    return { before: was ?? 0, share: was === null || is === null || was <= 0 ? Number.NaN : is / was };
  };
  const own = shareOf(values);
  const clear = evidence.clearW === null ? 1 : shareOf(evidence.clearW).share;
  return clear > 0 ? { ...own, share: own.share / clear } : own;
}

const percentOf = (share: number): number => Math.round(share * 1_000) / 10;

/** Series that gave enough before to be compared, with what they kept. */
function tellingOf<T>(looked: Looked, items: readonly T[], valuesOf: (item: T) => Series): (Kept & { item: T })[] {
  const kept = items.map((item) => ({ item, ...keptOf(looked, valuesOf(item)) }));
  const strongest = Math.max(0, ...kept.map(({ before }) => before));
  return kept.filter(({ before, share }) => before >= TELLING_SHARE * strongest && !Number.isNaN(share));
}

function stringOf(looked: Looked): KinkCause[] {
  const found = looked.evidence.inverters.flatMap((inverter) => {
    const telling = tellingOf(looked, inverter.strings, ({ values }) => values);
    const worst = telling.toSorted((a, b) => a.share - b.share)[0];
    const alarm = alarmsAt(looked).find(
      ({ code, device }) => STRING_CODES.includes(code) && device === inverter.device,
    );
    const leastShare = alarm === undefined ? SAME_LIGHT_SHARE : 0;
    const others = telling.filter((each) => each !== worst && each.before >= leastShare * (worst?.before ?? 0));
    if (worst === undefined || others.length === 0) return [];
    const middle = median(others.map(({ share }) => share));
    if (middle < KEPT_SHARE || worst.share > ALONE_SHARE * middle) return [];
    const [other] = others.toSorted((a, b) => Math.abs(a.share - middle) - Math.abs(b.share - middle));
    if (other === undefined) return [];
    const cause: KinkCause = {
      kind: 'string',
      evidence: {
        device: inverter.device,
        kind: worst.item.kind,
        n: worst.item.n,
        percent: percentOf(worst.share),
        other: { n: other.item.n, percent: percentOf(other.share) },
        code: alarm?.code ?? null,
      },
      confidence: alarm === undefined ? 0.85 : 0.97,
    };
    return [{ cause, apart: worst.share / middle }];
  });
  return found
    .toSorted((a, b) => a.apart - b.apart)
    .slice(0, 1)
    .map(({ cause }) => cause);
}

function inverterOf(looked: Looked): KinkCause[] {
  const telling = tellingOf(looked, looked.evidence.inverters, ({ pvW }) => pvW);
  const worst = telling.toSorted((a, b) => a.share - b.share)[0];
  const others = telling.filter((each) => each !== worst);
  if (worst === undefined || others.length === 0) return standingInverter(looked.kink, looked.evidence);
  const middle = median(others.map(({ share }) => share));
  if (middle < KEPT_SHARE || worst.share > INVERTER_SHARE * middle)
    return standingInverter(looked.kink, looked.evidence);
  return [
    {
      kind: 'inverter',
      evidence: {
        device: worst.item.device,
        percent: percentOf(worst.share),
        others: others.length,
        othersPercent: percentOf(middle),
      },
      confidence: 0.88,
    },
  ];
}

function standstillOf(looked: Looked): KinkCause[] {
  const telling = tellingOf(looked, looked.evidence.inverters, ({ pvW }) => pvW);
  const isStill = telling.length > 0 && telling.every(({ share }) => share <= STANDS_SHARE);
  return isStill ? [{ kind: 'standstill', evidence: { inverters: telling.length }, confidence: 0.7 }] : [];
}

const stretchOf = ({ kink, evidence }: Looked, values: Series): number[] => {
  const [from, to] = [kink.fromMs, kink.toMs].map((tsMs) => Math.floor((tsMs - evidence.startMs) / evidence.bucketMs));
  // The first bucket holds what was before as well.
  return values.slice((from ?? 0) + 1, to).filter((value) => value !== null);
};

/** Feed-in that stands at its limit while PV could give more; with a full battery that is why it came to it. */
function limitOf(looked: Looked): KinkCause[] {
  const { evidence } = looked;
  const fedInW = stretchOf(looked, evidence.gridW).map((watts) => -watts);
  if (fedInW.length < LOOKED_AT) return [];
  const limitW = Math.max(0, median(fedInW));
  const swayW = Math.max(LIMIT_SWAY_W, LIMIT_SWAY_SHARE * limitW);
  const within = fedInW.filter((watts) => Math.abs(watts - limitW) <= swayW);
  if (within.length < 0.8 * fedInW.length) return [];
  // Where more was fed in just before, it is no limit that holds it.
  const earlierW = -(meanOf(evidence.gridW, looked.before - LOOKED_AT, looked.before) ?? 0);
  if (earlierW > limitW + swayW) return [];
  const socs = stretchOf(looked, evidence.socPercent);
  const batteries = stretchOf(looked, evidence.batteryW);
  const socPercent = socs.length === 0 ? null : median(socs);
  const isFull = socPercent !== null && socPercent >= FULL_PERCENT && median(batteries) >= -REST_W;
  // Near nothing it may be a battery that charges, or a house that takes all: only a full battery tells a limit there.
  if (limitW < LIMIT_SWAY_W && !isFull) return [];
  const shownW = Math.round(limitW);
  return isFull
    ? [{ kind: 'battery-full', evidence: { limitW: shownW, socPercent: Math.round(socPercent) }, confidence: 0.9 }]
    : [{ kind: 'export-limit', evidence: { limitW: shownW }, confidence: 0.86 }];
}

function clippingOf(looked: Looked): KinkCause[] {
  const { inverters } = looked.evidence;
  if (looked.kink.shape !== 'flat' || inverters.length === 0) return [];
  let ratedW = 0;
  for (const inverter of inverters) {
    if (inverter.ratedW === null) return [];
    ratedW += inverter.ratedW;
  }
  const lowW = looked.kink.lowW ?? 0;
  if (lowW < RATED_SHARE * ratedW && !inverters.some((inverter) => isAtRating(looked, inverter))) return [];
  return [{ kind: 'clipping', evidence: { ratedW }, confidence: 0.92 }];
}

/** One of several inverters whose arrays give what it is rated for, with its own loss, and no more. */
function isAtRating(looked: Looked, { ratedW, pvW }: InverterSeries): boolean {
  const told = stretchOf(looked, pvW);
  return ratedW !== null && told.length >= LOOKED_AT && median(told) >= RATED_SHARE * ratedW;
}

function alarmsAt({ kink, evidence }: Looked) {
  return evidence.alarms.filter(
    ({ fromMs }) =>
      fromMs >= kink.fromMs - ALARM_BEFORE_MS && fromMs <= Math.min(kink.toMs, kink.fromMs + ALARM_AFTER_MS),
  );
}

function alarmOf(looked: Looked): KinkCause[] {
  const found = alarmsAt(looked).filter(({ code }) => isOfPower(code) && !STRING_CODES.includes(code));
  const [worst] = found.toSorted((a, b) => b.level - a.level || a.fromMs - b.fromMs);
  if (worst === undefined) return [];
  const { device, code, level } = worst;
  return [{ kind: 'alarm', evidence: { device, code }, confidence: level >= 3 ? 0.96 : 0.8 }];
}

function changesOf({ kink, evidence }: Looked): KinkCause[] {
  return evidence.changes.flatMap((change): KinkCause[] => {
    if (change.what === 'correction') {
      const isWithin = change.fromMs < kink.toMs && change.toMs > kink.fromMs;
      return isWithin ? [{ kind: 'correction', evidence: { device: change.device }, confidence: 0.5 }] : [];
    }
    if (Math.abs(change.atMs - kink.fromMs) > CHANGE_MS) return [];
    const { device, mode, atMs } = change;
    return [{ kind: 'workMode', evidence: { device, mode, atMs }, confidence: 0.75 }];
  });
}

function gapOf({ kink, evidence }: Looked): KinkCause[] {
  const from = Math.floor((kink.fromMs - evidence.startMs) / evidence.bucketMs);
  const to = Math.floor((kink.toMs - evidence.startMs) / evidence.bucketMs);
  const silent = evidence.inverters.filter(({ pvW }) => pvW.slice(from, to).every((watts) => watts === null));
  if (silent.length === 0) return [];
  return [{ kind: 'gap', evidence: { devices: silent.map(({ device }) => device) }, confidence: 0.9 }];
}

function cloudOf(looked: Looked): KinkCause[] {
  const { evidence } = looked;
  const lit = evidence.neighbours.map((pvW) => keptOf(looked, pvW).share).filter((share) => !Number.isNaN(share));
  const inverters = tellingOf(looked, evidence.inverters, ({ pvW }) => pvW).map(({ share }) => share);
  const strings = evidence.inverters
    .flatMap((inverter) => tellingOf(looked, inverter.strings, ({ values }) => values))
    .map(({ share }) => share);
  const plantShare = keptOf(looked, evidence.pvW).share;
  const ownShare = Number.isNaN(plantShare) ? median(inverters) : plantShare;
  // Clouds leave some light.
  if (Number.isNaN(ownShare) || ownShare <= STANDS_SHARE) return [];
  const isShared = (share: number): boolean => 1 - share >= SHARED_SHARE * (1 - ownShare);
  const cloud = (by: CloudSign, count: number, share: number, sure: number) => [
    { kind: 'cloud' as const, evidence: { by, count, percent: percentOf(share) }, confidence: sure },
  ];
  const sensor = evidence.irradianceWm2 === null ? Number.NaN : keptOf(looked, evidence.irradianceWm2).share;
  if (!Number.isNaN(sensor)) return isShared(sensor) ? cloud('sensor', 1, sensor, 0.9) : [];
  if (lit.length >= LEAST_NEIGHBOURS) {
    const middle = median(lit);
    return isShared(middle) ? cloud('neighbours', lit.length, middle, 0.85) : [];
  }
  const isAlike = (shares: readonly number[]): boolean =>
    shares.length >= 2 && shares.every((share) => Math.abs(share - median(shares)) <= ALIKE);
  if (isAlike(inverters)) return cloud('inverters', inverters.length, median(inverters), 0.65);
  if (isAlike(strings)) return cloud('strings', strings.length, median(strings), 0.6);
  return isSwaying(looked) ? cloud('swaying', 1, keptOf(looked, evidence.pvW).share, 0.5) : [];
}

/** Power that goes up and down from one five minutes to the next, as no fault makes it. */
function isSwaying({ kink, evidence, before }: Looked): boolean {
  const last = Math.floor((kink.toMs - evidence.startMs) / evidence.bucketMs);
  const told = evidence.pvW.slice(before, last).filter((watts) => watts !== null);
  if (told.length < SWAYING_BUCKETS) return false;
  const steps = told.slice(1).map((watts, place) => watts - (told[place] ?? 0));
  const meanW = told.reduce((sum, watts) => sum + watts, 0) / told.length;
  const swayW = steps.reduce((sum, step) => sum + Math.abs(step), 0) / steps.length;
  return swayW >= SWAY_SHARE * meanW && steps.some((step) => step > 0) && steps.some((step) => step < 0);
}
