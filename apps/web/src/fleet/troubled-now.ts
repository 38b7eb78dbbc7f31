import type { TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { State } from '@sonnenwarte/contract/status';

const severity: Readonly<Record<State, number>> = { fault: 0, alarm: 1, offline: 2, normal: 3 };

/**
 * The plants of an owner that are not normal, the worst first. Of the one that is watched the live state counts; what is known of
 * causes goes along where it is of that state.
 */
export function troubledNow(
  rows: readonly SiteRow[],
  told: readonly TroubledSite[] | undefined,
  watchedID: string,
  watchedState: State | undefined,
): TroubledSite[] {
  return rows
    .map((row): TroubledSite => {
      const known = told?.find(({ stationID }) => stationID === row.stationID);
      const state =
        row.stationID === watchedID && watchedState !== undefined
          ? watchedState
          : told === undefined
            ? row.state
            : (known?.state ?? 'normal');
      const { stationID, name, city, country, ianaTimezone, systemCapacity, updatedAtMs, intervalS } = row;
      const isOfNow = known !== undefined && (known.state === 'offline') === (state === 'offline');
      return {
        ...{ stationID, name, state, city, country, ianaTimezone, systemCapacity, updatedAtMs, intervalS },
        alarm: isOfNow ? known.alarm : null,
        alarms: isOfNow ? known.alarms : 0,
        silence: isOfNow ? known.silence : null,
        week: known?.week ?? null,
        isDue: known?.isDue ?? false,
        isLosing: known?.isLosing ?? false,
        pause: known?.pause ?? null,
        can: known?.can ?? { pause: false },
      };
    })
    .filter(({ state }) => state !== 'normal')
    .toSorted((a, b) => severity[a.state] - severity[b.state]);
}
