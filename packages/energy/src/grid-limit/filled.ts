/**
 * Shares of a power in proportion to weights, none above its bound: what one cannot take goes to the others. Powers in W; the shares add up to the
 * power, or to all bounds of a positive weight where that is less.
 */
export function filled(powerW: number, weights: readonly number[], boundsW: readonly number[]): number[] {
  const shares = weights.map(() => 0);
  let leftW = powerW;
  let open = weights.flatMap((weight, place) => (weight > 0 ? [place] : []));
  while (open.length > 0 && leftW > 1e-6) {
    const all = open.reduce((sum, place) => sum + (weights[place] ?? 0), 0);
    const partOf = (place: number): number => (leftW * (weights[place] ?? 0)) / all;
    const parts = new Map(open.map((place) => [place, partOf(place)]));
    const full = open.filter((place) => (boundsW[place] ?? 0) <= (parts.get(place) ?? 0));
    for (const place of full.length > 0 ? full : open) {
      const givenW = full.length > 0 ? Math.max(0, boundsW[place] ?? 0) : (parts.get(place) ?? 0);
      shares[place] = givenW;
      leftW -= givenW;
    }
    if (full.length === 0) break;
    open = open.filter((place) => !full.includes(place));
  }
  return shares;
}
