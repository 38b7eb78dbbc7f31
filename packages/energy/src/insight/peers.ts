import { quantileOfSorted } from './statistics.ts';

/** A plant that may be a neighbour. */
export interface PeerCandidate {
  id: number | string;
  latitude: number;
  longitude: number;
  altitudeM: number;
}

export interface ChosenPeer<Candidate extends PeerCandidate> {
  peer: Candidate;
  distanceKm: number;
}

export interface PeerChoice<Candidate extends PeerCandidate> {
  /** `near` = within 50 km, `climate` = too few of these: within 250 km and 300 m of altitude. */
  basis: 'near' | 'climate';
  /** Nearest first, 20 at most. */
  peers: ChosenPeer<Candidate>[];
}

/** What the neighbours had of the light, per bucket; NaN where fewer than five of them told. */
export interface PeerReference {
  basis: 'near' | 'climate';
  /** Plants that count: told most of the day and are not sick. */
  peers: number;
  /** Left out since they gave much less than the others. */
  leftOut: number;
  /** Median, brought to the mean over single clouds: what a plant among them has of the light over an hour or more. */
  clearness: Float64Array;
  /** Median of each moment: what a plant has that no single cloud shades just then. */
  typical: Float64Array;
  /** Quarter and three quarters of them lie below. */
  lower: Float64Array;
  upper: Float64Array;
}

export const LEAST_PEERS = 5;
export const MOST_PEERS = 20;
export const NEAR_KM = 50;
export const CLIMATE_KM = 250;
export const CLIMATE_ALTITUDE_M = 300;

/**
 * Whose light is that of a plant: the nearest 20 within 50 km; where these are fewer than five, within 250 km and 300 m of altitude.
 * null where those are fewer than five too. The plant itself is to be left out by the caller.
 */
export function choosePeers<Candidate extends PeerCandidate>(
  place: { latitude: number; longitude: number; altitudeM: number },
  candidates: Iterable<Candidate>,
): PeerChoice<Candidate> | null {
  const near: ChosenPeer<Candidate>[] = [];
  const alike: ChosenPeer<Candidate>[] = [];
  for (const peer of candidates) {
    const km = distanceKm(place, peer);
    if (km <= NEAR_KM) near.push({ peer, distanceKm: km });
    else if (km <= CLIMATE_KM && Math.abs(peer.altitudeM - place.altitudeM) <= CLIMATE_ALTITUDE_M) {
      alike.push({ peer, distanceKm: km });
    }
  }
  const nearest = (list: ChosenPeer<Candidate>[]) =>
    list.toSorted((a, b) => a.distanceKm - b.distanceKm).slice(0, MOST_PEERS);
  if (near.length >= LEAST_PEERS) return { basis: 'near', peers: nearest(near) };
  if (near.length + alike.length < LEAST_PEERS) return null;
  return { basis: 'climate', peers: nearest([...near, ...alike]) };
}

const EARTH_KM = 6371;

/** Great-circle distance (haversine), km. */
export function distanceKm(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const rad = Math.PI / 180;
  const half = (from: number, to: number) => Math.sin(((to - from) * rad) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * half(a.longitude, b.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Known in less of the day's light than this, a neighbour does not count. */
const LEAST_KNOWN_SHARE = 0.6;
/** Of the median's light, on the mean of the day: below it a neighbour is taken to be sick, and above the inverse wrongly described. */
const SICK_SHARE = 0.85;

/**
 * Median and quartiles of the neighbours' light. Two rounds: who had less than 85 % or more than 118 % of the first median's light over the
 * day is left out of the second, as long as five are left. null where fewer than five tell.
 *
 * @param curves clearness of each neighbour (`clearnessOf`) over the same buckets; NaN = not known.
 */
export function peerReference(
  curves: readonly Float64Array[],
  basis: PeerChoice<PeerCandidate>['basis'] = 'near',
): PeerReference | null {
  const count = curves[0]?.length ?? 0;
  const lit = new Uint8Array(count);
  for (const curve of curves) for (let at = 0; at < count; at += 1) if (!Number.isNaN(curve[at])) lit[at] = 1;
  const litCount = lit.reduce((sum, each) => sum + each, 0);
  if (litCount === 0) return null;
  const telling = curves.filter((curve) => curve.reduce(countKnown, 0) >= LEAST_KNOWN_SHARE * litCount);
  if (telling.length < LEAST_PEERS) return null;
  const all = quartiles(telling, count);
  const healthy = telling.filter((curve) => isHealthy(curve, all.typical));
  const isEnough = healthy.length >= LEAST_PEERS;
  const counting = isEnough ? healthy : telling;
  const found = isEnough ? quartiles(healthy, count) : all;
  return {
    basis,
    peers: counting.length,
    leftOut: telling.length - counting.length,
    ...found,
    clearness: levelled(found.typical, counting),
  };
}

const countKnown = (sum: number, value: number): number => (Number.isNaN(value) ? sum : sum + 1);

function isHealthy(curve: Float64Array, median: Float64Array): boolean {
  let own = 0;
  let others = 0;
  for (let at = 0; at < curve.length; at += 1) {
    const value = curve[at] as number;
    const middle = median[at] as number;
    if (Number.isNaN(value) || Number.isNaN(middle)) continue;
    own += value;
    others += middle;
  }
  return own >= SICK_SHARE * others && own <= others / SICK_SHARE;
}

/** Buckets on both sides over which single clouds even out. */
const CLOUDS_BUCKETS = 12;

/**
 * A cloud that shades one neighbour in four never shows in a median of each moment, though all of them lose by it in turn: the median is
 * brought to the level that the neighbours have on the mean of two hours, by the median of theirs.
 */
function levelled(median: Float64Array, curves: readonly Float64Array[]): Float64Array {
  const count = median.length;
  const ratios = curves.map((curve) => movingRatio(curve, median));
  const values = new Float64Array(curves.length);
  const result = median.slice();
  for (let at = 0; at < count; at += 1) {
    let known = 0;
    for (const ratio of ratios) {
      if (Number.isNaN(ratio[at])) continue;
      values[known] = ratio[at] as number;
      known += 1;
    }
    if (known >= LEAST_PEERS) {
      result[at] = (median[at] as number) * quantileOfSorted(values.subarray(0, known).sort(), 0.5);
    }
  }
  return result;
}

/** A curve's sum over the median's around each bucket, of the buckets where both are known. */
function movingRatio(curve: Float64Array, median: Float64Array): Float64Array {
  const count = median.length;
  const own = new Float64Array(count + 1);
  const others = new Float64Array(count + 1);
  for (let at = 0; at < count; at += 1) {
    const value = curve[at] as number;
    const middle = median[at] as number;
    const isKnown = !Number.isNaN(value) && !Number.isNaN(middle);
    own[at + 1] = (own[at] as number) + (isKnown ? value : 0);
    others[at + 1] = (others[at] as number) + (isKnown ? middle : 0);
  }
  const ratio = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const from = Math.max(0, at - CLOUDS_BUCKETS);
    const until = Math.min(count, at + CLOUDS_BUCKETS + 1);
    const sum = (others[until] as number) - (others[from] as number);
    ratio[at] = sum > 0 ? ((own[until] as number) - (own[from] as number)) / sum : Number.NaN;
  }
  return ratio;
}

function quartiles(curves: readonly Float64Array[], count: number): Pick<PeerReference, 'typical' | 'lower' | 'upper'> {
  const series = () => new Float64Array(count).fill(Number.NaN);
  const found = { typical: series(), lower: series(), upper: series() };
  const values = new Float64Array(curves.length);
  for (let at = 0; at < count; at += 1) {
    let known = 0;
    for (const curve of curves) {
      const value = curve[at] as number;
      if (Number.isNaN(value)) continue;
      values[known] = value;
      known += 1;
    }
    if (known < LEAST_PEERS) continue;
    const sorted = values.subarray(0, known).sort();
    found.typical[at] = quantileOfSorted(sorted, 0.5);
    found.lower[at] = quantileOfSorted(sorted, 0.25);
    found.upper[at] = quantileOfSorted(sorted, 0.75);
  }
  return found;
}
