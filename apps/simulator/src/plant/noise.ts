const UINT32 = 2 ** 32;

/**
 * Uniform number in [0, 1) for a place in a series, without a state: the same seed, stream and index always give the same
 * number, so a plant may be computed in steps of any length. A 32-bit finaliser after MurmurHash3.
 */
export function uniformAt(seed: number, stream: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 0x7f4a7c15, 0xc2b2ae35) ^ index;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return ((hash ^ (hash >>> 16)) >>> 0) / UINT32;
}

/** Standard normal number for a place in a series (Box-Muller). */
export function normalAt(seed: number, stream: number, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - uniformAt(seed, stream, index * 2)));
  return radius * Math.cos(2 * Math.PI * uniformAt(seed, stream, index * 2 + 1));
}

/** A wandering number around 0 with deviation about 1: normal numbers at whole places, smoothly joined. */
export function wanderAt(seed: number, stream: number, position: number): number {
  const index = Math.floor(position);
  const part = position - index;
  const weight = part * part * (3 - 2 * part);
  return normalAt(seed, stream, index) * (1 - weight) + normalAt(seed, stream, index + 1) * weight;
}
