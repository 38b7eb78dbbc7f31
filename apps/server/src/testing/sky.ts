import { Random } from '@sonnenwarte/energy/random';

/** Sun and house of a simulated plant. */
export interface Sky {
  clearW: number;
  /** How much of it passes at a second. */
  light(second: number): number;
  houseW(second: number): number;
}

/** Clouds of 20 seconds to 6 minutes whose edges pass within 3 to 15 seconds, and kettles. */
export function skyOf(seed: number): Sky {
  const random = new Random(seed);
  const edges: { atS: number; lastsS: number; from: number; to: number }[] = [];
  let light = 1;
  for (let atS = random.between(600, 1_200); atS < 14_400; atS += random.between(20, 360)) {
    const to = light > 0.6 ? random.between(0.08, 0.5) : random.between(0.7, 1);
    edges.push({ atS, lastsS: random.between(3, 15), from: light, to });
    light = to;
  }
  const kettles = Array.from({ length: 12 }, () => random.between(0, 14_400));
  return {
    clearW: random.between(3_000, 12_000),
    light(second) {
      const edge = edges.findLast(({ atS }) => atS <= second);
      if (edge === undefined) return 1;
      return edge.from + (edge.to - edge.from) * Math.min(1, (second - edge.atS) / edge.lastsS);
    },
    houseW: (second) => 350 + (kettles.some((atS) => second >= atS && second < atS + 150) ? 2_000 : 0),
  };
}

export const clearSky: Sky = { clearW: 9_000, light: () => 1, houseW: () => 400 };

/** The most that was bought in any five minutes, as a mean of what was bought second by second, W. */
export function worstMeanW(boughtW: readonly number[]): number {
  let sum = 0;
  let worst = 0;
  for (const [second, w] of boughtW.entries()) {
    sum += w - (boughtW[second - 300] ?? 0);
    worst = Math.max(worst, sum / 300);
  }
  return worst;
}
