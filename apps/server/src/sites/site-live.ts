import type { FlowNode, SiteLive } from '@sonnenwarte/contract/sites/site';
import { statusCodeOf } from '@sonnenwarte/contract/status';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { qualityAt } from '@sonnenwarte/energy/accounting/quality';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { stateNow } from '../current-state/current-state.ts';
import type { TimedValue } from '../stores/schema-plants.ts';
import type { SiteNow, SiteNowDevice } from './site-live.store.ts';

type Quantity = 'pv' | 'external' | 'battery' | 'grid' | 'load' | 'charger' | 'inverterAc';

const numberOf = (value: TimedValue | null): number | null =>
  typeof value?.[0] === 'number' ? value[0] : typeof value?.[0] === 'boolean' ? Number(value[0]) : null;

const first = <T>(values: readonly (T | null)[]): T | null => values.find((value) => value !== null) ?? null;

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

function chargerStatus(devices: readonly SiteNowDevice[]): string | null {
  const status = first(devices.map(({ charger_status }) => numberOf(charger_status)));
  if (status === null) return null;
  return pointByName('pile', 'Pile/Status')?.enum?.[status] ?? null;
}

/** The live flow of a plant. A node that the plant does not have is null; a power that nobody measured is null. */
export function toSiteLive(site: SiteNow, nowMs: number): SiteLive {
  const { devices } = site;
  const derived = new Set(site.derived ?? []);
  const isOnline = (device: SiteNowDevice): boolean =>
    stateNow(device.state, device.last_seen_at, device.report_interval_s, nowMs) !== 'offline';

  const node = (powerW: number | null, of: readonly SiteNowDevice[], quantity?: Quantity): FlowNode => ({
    powerW: withoutNoise(powerW),
    online: of.length === 0 ? site.state !== 'offline' : of.some(isOnline),
    derived: quantity !== undefined && derived.has(quantity),
    deviceID: of[0]?.id ?? null,
    sn: of[0]?.sn ?? null,
  });
  const ofKind = (...kinds: string[]) => devices.filter(({ kind }) => kinds.includes(kind));
  const meters = (...roles: string[]) => devices.filter(({ kind, role }) => kind === 'meter' && roles.includes(role));

  const inverters = ofKind('inverter');
  const batteries = ofKind('battery');
  const chargers = ofKind('pile');
  const control = ofKind('gateway');
  const gridMeters = meters('grid', '');
  const generators = meters('generator', 'pv');
  const generating = inverters.filter(({ has_pv }) => has_pv);

  return {
    stationID: site.id,
    name: site.name,
    state: site.state,
    status: statusCodeOf(site.state),
    asOfMs: site.ts?.getTime() ?? null,
    intervalS: site.interval_s,
    pv: generating.length > 0 || site.pv_w !== null ? node(site.pv_w, generating, 'pv') : null,
    external: generators.length > 0 || site.external_w !== null ? node(site.external_w, generators, 'external') : null,
    battery:
      batteries.length > 0 || site.battery_w !== null
        ? {
            ...node(site.battery_w, batteries, 'battery'),
            socPercent: withoutNoise(site.soc_percent),
            capacityWh: site.battery_capacity_wh ?? sum(batteries.map(({ capacity_wh }) => capacity_wh)),
          }
        : null,
    inverter:
      inverters.length > 0
        ? {
            ...node(site.inverter_ac_w, inverters, 'inverterAc'),
            workMode: first(inverters.map(({ work_mode }) => numberOf(work_mode))),
            count: inverters.length,
          }
        : null,
    gateway: control.length > 0 ? { ...node(null, control), onGrid: site.is_on_grid } : null,
    grid: gridMeters.length > 0 || site.grid_w !== null ? node(site.grid_w, gridMeters, 'grid') : null,
    load: site.load_w !== null || meters('load').length > 0 ? node(site.load_w, meters('load'), 'load') : null,
    charger:
      chargers.length > 0 ? { ...node(site.charger_w, chargers, 'charger'), status: chargerStatus(chargers) } : null,
    todayWh: withoutNoise(site.today_wh),
    todayQuality: qualityAt(site.pv_marks, 0),
    historyPercent: site.history_percent,
    recalculating: site.is_recalculated,
  };
}
