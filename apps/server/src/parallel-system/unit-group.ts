import {
  IMBALANCE_LIMIT_PERCENT,
  type ParallelUnit,
  type UnitGroup,
} from '@sonnenwarte/contract/parallel-system/parallel-system';
import { roundedTo } from '@sonnenwarte/energy/rounding';

/** Below this share of what all are rated for, or this power of each where that is not known, shares say nothing. */
const LEAST_SHARE = 0.05;
const LEAST_POWER_W = 100;

type Told = Omit<ParallelUnit, 'deviationPercent' | 'isMarked'>;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Units side by side: the sum of those that report, and how far each is from the share that its rating lets expect. */
export function unitGroupOf(units: readonly Told[]): UnitGroup {
  const reporting = units.flatMap((unit) =>
    unit.state === 'offline' || unit.powerW === null ? [] : [{ ...unit, powerW: unit.powerW }],
  );
  const sumW = sumOf(reporting.map(({ powerW }) => powerW));
  const ratings = reporting.map(({ ratedPowerW }) => ratedPowerW ?? 0);
  const isRated = ratings.every((rating) => rating > 0);
  const leastW = isRated ? LEAST_SHARE * sumOf(ratings) : LEAST_POWER_W * reporting.length;
  const isCompared = reporting.length > 1 && Math.abs(sumW) >= leastW;
  const deviationOf = (unit: Told): number | null => {
    if (!isCompared || unit.state === 'offline' || unit.powerW === null) return null;
    const weight = isRated ? (unit.ratedPowerW ?? 0) / sumOf(ratings) : 1 / reporting.length;
    return roundedTo(100 * (unit.powerW / (sumW * weight) - 1), 4);
  };
  const charges = reporting.flatMap(({ socPercent }) => (socPercent === null ? [] : [socPercent]));
  return {
    units: units.map((unit) => {
      const deviation = deviationOf(unit);
      return {
        ...unit,
        deviationPercent: deviation,
        isMarked: deviation !== null && Math.abs(deviation) > IMBALANCE_LIMIT_PERCENT,
      };
    }),
    sumW: reporting.length === 0 ? null : roundedTo(sumW, 3),
    reporting: reporting.length,
    socPercent: charges.length === 0 ? null : roundedTo(sumOf(charges) / charges.length, 4),
  };
}
