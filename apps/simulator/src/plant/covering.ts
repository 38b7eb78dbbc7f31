import type { FaultBoard } from '../faults.ts';
import type { PlaneConditions } from './array.ts';

/** What a closed cover of snow lets through. */
const THROUGH_SNOW = 0.05;
const SOILING_PER_DAY = 0.004;
const SOILED_AT_MOST = 0.4;
/** Hours of the sun at which something stands before it. */
const SHADE_HOURS = [13, 17] as const;
/** What of the light that does not come straight from the sun is hidden too. */
const HIDDEN_SKY = 0.15;
const DAY_MS = 86_400_000;

/** The light that reaches the modules of an inverter through snow, dirt and shade. */
export function coveredPlane(
  plane: PlaneConditions,
  faults: FaultBoard,
  sn: string,
  tsMs: number,
  solarHour: number,
): PlaneConditions {
  const lightWm2 = throughShade(plane, faults.has(sn, 'shade', tsMs), solarHour);
  const soiling = faults.find(sn, 'soiling', tsMs);
  const snow = faults.has(sn, 'snow', tsMs) ? THROUGH_SNOW : 1;
  const dirt =
    soiling === undefined ? 0 : Math.min(SOILED_AT_MOST, (SOILING_PER_DAY * (tsMs - soiling.fromMs)) / DAY_MS);
  const planeWm2 = lightWm2 * snow * (1 - dirt);
  if (planeWm2 === plane.planeWm2) return plane;
  const share = plane.planeWm2 > 0 ? planeWm2 / plane.planeWm2 : 0;
  const moduleC = plane.ambientC + share * (plane.moduleC - plane.ambientC);
  return { ...plane, planeWm2, directWm2: plane.directWm2 * share, moduleC };
}

function throughShade({ planeWm2, directWm2 }: PlaneConditions, isShaded: boolean, solarHour: number): number {
  if (!isShaded || solarHour < SHADE_HOURS[0] || solarHour >= SHADE_HOURS[1]) return planeWm2;
  return (planeWm2 - directWm2) * (1 - HIDDEN_SKY);
}
