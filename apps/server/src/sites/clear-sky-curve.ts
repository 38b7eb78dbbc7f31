import { clearSkyPowerW, pvPlantOf } from '@sonnenwarte/energy/physics/plant-power';
import type { SiteFrame } from './sites.store.ts';

/** PV power under a clear sky at the middle of each bucket, W; null without a position or a size. */
export function clearSkyCurve(site: SiteFrame, tsMs: readonly number[], bucketMs: number): number[] | null {
  const plant = pvPlantOf(site);
  return plant && tsMs.map((startMs) => Math.round(clearSkyPowerW(startMs + bucketMs / 2, plant)));
}
