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
  clearness: Float64Array;
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
  const healthy = telling.filter((curve) => isHealthy(curve, all.clearness));
  if (healthy.length < LEAST_PEERS) return { basis, peers: telling.length, leftOut: 0, ...all };
  return { basis, peers: healthy.length, leftOut: telling.length - healthy.length, ...quartiles(healthy, count) };
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

function quartiles(
  curves: readonly Float64Array[],
  count: number,
): Pick<PeerReference, 'clearness' | 'lower' | 'upper'> {
  const series = () => new Float64Array(count).fill(Number.NaN);
  const found = { clearness: series(), lower: series(), upper: series() };
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
    found.clearness[at] = quantileOfSorted(sorted, 0.5);
    found.lower[at] = quantileOfSorted(sorted, 0.25);
    found.upper[at] = quantileOfSorted(sorted, 0.75);
  }
  return found;
}
