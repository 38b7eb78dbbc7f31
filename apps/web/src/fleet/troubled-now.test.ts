import type { TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { State } from '@sonnenwarte/contract/status';
import { describe, expect, test } from 'vitest';
import { troubledNow } from './troubled-now.ts';

const row = (stationID: string, state: State): SiteRow => ({
  stationID,
  name: stationID,
  status: 1,
  state,
  type: 1,
  country: 'DE',
  city: '',
  ianaTimezone: 'Europe/Berlin',
  systemCapacity: 10,
  pvPowerW: null,
  socPercent: null,
  todayWh: null,
  monthWh: null,
  totalWh: null,
  todayQuality: 'measured',
  monthQuality: 'measured',
  totalQuality: 'measured',
  historyPercent: null,
  recalculating: false,
  specificYieldToday: null,
  peersYieldToday: null,
  weekLossWh: null,
  installer: '',
  owner: '',
  updatedAtMs: 1,
  intervalS: 60,
  demo: false,
  sharedBy: '',
  can: { edit: false, delete: false, migrate: false, share: false, workMode: false },
});

const silence = { reason: 'silent', sinceMs: 5, moduleSN: '1', moduleType: '4G', lastSeenMs: 6 } as const;
const told = (stationID: string, state: State): TroubledSite => ({
  ...row(stationID, state),
  alarm:
    state === 'offline'
      ? null
      : { code: 2006, level: 2, sinceMs: 1, untilMs: null, deviceID: 'd', deviceSN: 's', kind: 'inverter' },
  alarms: state === 'offline' ? 0 : 1,
  silence: state === 'offline' ? silence : null,
  week: null,
  isDue: false,
  isLosing: false,
  pause: null,
  can: { pause: true },
});

const states = (found: readonly TroubledSite[]) => found.map(({ stationID, state }) => [stationID, state]);

describe("what is wrong with an owner's plants", () => {
  test('names the worst first, with its cause', () => {
    const rows = [row('a', 'offline'), row('b', 'fault'), row('c', 'normal')];
    const found = troubledNow(rows, [told('a', 'offline'), told('b', 'fault')], 'c', 'normal');
    expect(states(found)).toEqual([
      ['b', 'fault'],
      ['a', 'offline'],
    ]);
    expect(found[0]?.alarm?.code).toBe(2006);
    expect(found[1]?.silence).toEqual(silence);
  });

  test('follows the live state of the plant that is watched, and drops causes of another state', () => {
    const rows = [row('a', 'alarm')];
    expect(troubledNow(rows, [told('a', 'alarm')], 'a', 'normal')).toEqual([]);
    const [now] = troubledNow(rows, [told('a', 'alarm')], 'a', 'offline');
    expect(now).toMatchObject({ state: 'offline', alarm: null, silence: null });
  });

  test('goes by the list until the causes are known', () => {
    expect(states(troubledNow([row('a', 'alarm'), row('b', 'normal')], undefined, 'b', undefined))).toEqual([
      ['a', 'alarm'],
    ]);
  });
});
