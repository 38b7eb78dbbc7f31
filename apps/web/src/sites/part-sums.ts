import type { EnergySlots } from './energy-slots.ts';

/** What each part of the bars comes to over all of them, Wh; `null` where none of them knows it. */
export const partSums = ({ parts, slots }: EnergySlots): (number | null)[] =>
  parts.map((_, place) =>
    slots.reduce<number | null>((sum, { valuesWh }) => {
      const value = valuesWh[place] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
