/** One place on the axis of time; `valuesWh` in the order of the parts. */
export interface BarSlot {
  readonly key: string;
  readonly label: string;
  readonly longLabel: string;
  readonly valuesWh: readonly (number | null)[];
  readonly estimated: boolean;
  /** A time that is still to come: nothing is to be told of it. */
  readonly future?: boolean;
  /** The sum of the time that it is compared with, drawn as an outline. */
  readonly comparedWh?: number | null;
}

interface BarRect {
  readonly y: number;
  readonly height: number;
}

const GAP_PX = 1.5;

/** Stacked from the bottom up, a thin gap between parts; what is `null` or negative takes no room. */
export function barHeights(valuesWh: readonly (number | null)[], topWh: number, plotPx: number): BarRect[] {
  let floor = plotPx;
  return valuesWh.map((value) => {
    const full = value === null || value <= 0 || topWh <= 0 ? 0 : (value / topWh) * plotPx;
    floor -= full;
    const height = full > GAP_PX * 2 ? full - GAP_PX : full;
    return { y: floor + (full - height), height };
  });
}

/** Energies are told in kWh with two decimals at most: finer lines would have no labels of their own. */
const FINEST_WH = 10;

/** From zero to a round value at or above the largest, in up to five steps of the finest or more. */
export function roundSplits(largest: number, finest: number): number[] {
  const raw = Math.max(largest / 4, finest);
  const power = 10 ** Math.floor(Math.log10(raw));
  const factors = power < 10 * finest ? [1, 2, 5] : [1, 2, 2.5, 5];
  const step = (factors.find((factor) => factor * power >= raw - 1e-9) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step - 1e-9)) + 1 }, (_, index) => index * step);
}

export const energySplits = (largestWh: number): number[] => roundSplits(largestWh, FINEST_WH);

/** Every how many-th slot has its label, so that labels do not touch. */
export function labelEvery(count: number, pitchPx: number, characters: number): number {
  const labelPx = 10 + 6.5 * characters;
  const raw = pitchPx <= 0 ? count : Math.ceil(labelPx / pitchPx);
  return [1, 2, 3, 5, 6, 10, 12].find((every) => every >= raw) ?? Math.max(1, raw);
}
