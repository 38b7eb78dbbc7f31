import type { ShownCurve } from './use-analysis.ts';

const colours = ['pv', 'load', 'battery', 'grid', 'charger', 'external', 'brand', 'ink'] as const;
const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 3], [6, 3, 1, 3, 1, 3]] as const;

/** How a curve is drawn: within a lane curves differ by their dashes as well as by their colours. */
export interface CurveLook {
  /** CSS colour. */
  readonly colour: string;
  readonly dash: readonly number[];
}

export function looksOf(curves: readonly Pick<ShownCurve, 'key' | 'unit'>[]): ReadonlyMap<string, CurveLook> {
  const inLane = new Map<string, number>();
  return new Map(
    curves.map(({ key, unit }, place) => {
      const among = inLane.get(unit) ?? 0;
      inLane.set(unit, among + 1);
      return [
        key,
        {
          colour: `var(--${colours[place % colours.length] ?? 'brand'})`,
          dash: dashes[among % dashes.length] ?? [],
        },
      ];
    }),
  );
}

/** Dots of what is compared with. */
export const COMPARED_DASH: readonly number[] = [3, 3];
