import type { PlantSettings, SchedulePeriod, WorkMode } from '../fleet.ts';
import { weekday } from './local-time.ts';

export interface DispatchInput {
  mode: WorkMode;
  settings: PlantSettings;
  /** PV and other generation less all consumption, W. */
  surplusW: number;
  socPercent: number;
  chargeLimitW: number;
  dischargeLimitW: number;
  /** What the inverters together can feed in, W: the export limit where none is set. */
  ratedW: number;
  localDay: number;
  localMinute: number;
}

/** Peak shaving charges from the grid only this far below the limit, W. */
const PEAK_MARGIN_W = 500;

/** Battery power that a work mode asks for, W, + = discharge, within the battery's limits. */
export function wantedBatteryW(input: DispatchInput): number {
  const wanted = wantedByMode(input);
  return Math.min(input.dischargeLimitW, Math.max(-input.chargeLimitW, wanted));
}

function wantedByMode(input: DispatchInput): number {
  const { mode, settings, surplusW, socPercent, ratedW } = input;
  switch (mode) {
    case 'self-use':
      return -surplusW;
    case 'feed-in-priority':
      return surplusW > 0 ? -Math.max(0, surplusW - (settings.exportLimitW ?? ratedW)) : -surplusW;
    case 'backup':
      if (socPercent >= settings.backupSocPercent) return 0;
      return -Math.max(0, surplusW, settings.gridCharge ? input.chargeLimitW / 2 : 0);
    case 'battery-support': {
      const period = currentPeriod(settings.schedule, input.localDay, input.localMinute);
      if (period === undefined) return -surplusW;
      if (period.mode === 'hold') return 0;
      if (period.mode === 'sun')
        return socPercent < period.fdSocPercent ? -Math.min(period.powerW, Math.max(0, surplusW)) : 0;
      if (period.mode === 'charge') return socPercent < period.fdSocPercent ? -period.powerW : 0;
      return socPercent > period.minSocPercent ? period.powerW : 0;
    }
    case 'peak-shaving': {
      const limitW = settings.peakLimitW ?? Number.POSITIVE_INFINITY;
      const needW = -surplusW;
      if (needW > limitW) return needW - limitW;
      if (needW < 0) return needW;
      if (!settings.gridCharge || settings.peakLimitW === null) return 0;
      return -Math.max(0, limitW - PEAK_MARGIN_W - needW);
    }
  }
}

/** The period of the plan at a local time; the first one where several overlap. */
export function currentPeriod(
  schedule: readonly SchedulePeriod[],
  localDay: number,
  localMinute: number,
): SchedulePeriod | undefined {
  const day = 1 << weekday(localDay);
  return schedule.find(
    ({ days, startMin, endMin }) => (days & day) !== 0 && localMinute >= startMin && localMinute < endMin,
  );
}
