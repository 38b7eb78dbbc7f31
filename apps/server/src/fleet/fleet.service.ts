import type { FleetSummary } from '@sonnenwarte/contract/fleet/fleet';
import type { Quality } from '@sonnenwarte/contract/status';
import { co2AvoidedKg } from '@sonnenwarte/energy/accounting/figures';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { toCounts } from '../current-state/state-counts.ts';
import { countByState } from '../devices/device-lists.store.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { countRecalculated, inverterSums, plantSums } from './fleet.store.ts';
import { MARKED_SHARE, moneyOf } from './fleet-money.ts';

function sumOf<T>(rows: readonly T[], read: (row: T) => number | null): number | null {
  const known = rows.map(read).filter((value) => value !== null);
  return known.length === 0 ? null : withoutNoise(known.reduce((sum, value) => sum + value, 0));
}

type Period = 'today' | 'month' | 'total';
type Sums<P extends Period> = Partial<Record<`${P}_wh` | `${P}_estimated_wh`, number | null>>;

function qualityOf<P extends Period>(rows: readonly Sums<P>[], period: P): Quality {
  const whole = sumOf(rows, (row) => row[`${period}_wh`] ?? null) ?? 0;
  const estimated = sumOf(rows, (row) => row[`${period}_estimated_wh`] ?? null) ?? 0;
  return estimated > 0 && estimated >= MARKED_SHARE * whole ? 'estimated' : 'measured';
}

const co2Of = (wh: number | null, country: string): number | null => (wh === null ? null : co2AvoidedKg(wh, country));

/** What is not offline reports: the same by state, in rows and in sums. */
const reportingOf = ({ total, offline }: { total: number; offline: number }): number => total - offline;

/** Plants by state, power and energy now of all plants in scope; of an integrator, its granted inverters. */
export const fleetSummary = (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: unknown,
  { scope }: Scoped,
): Promise<FleetSummary> => fleetSummaryAt(db, scope, nowMs());

export async function fleetSummaryAt(db: Kysely<Database>, scope: Scope, nowMs: number): Promise<FleetSummary> {
  if (scope.kind === 'granted') return integratorSummary(db, scope, nowMs);
  const [plants, recalculated, devices] = await Promise.all([
    plantSums(db, scope, nowMs),
    countRecalculated(db, scope),
    countByState(db, scope, 'inverter', nowMs),
  ]);
  const counts = toCounts(plants);
  return {
    plants: counts,
    devices: toCounts(devices),
    installedCapacity: sumOf(plants, ({ kwp }) => kwp) ?? 0,
    pvPowerW: sumOf(plants, ({ pv_w }) => pv_w),
    todayWh: sumOf(plants, ({ today_wh }) => today_wh),
    todayPlants: sumOf(plants, ({ today_count }) => today_count) ?? 0,
    todayCapacity: sumOf(plants, ({ today_kwp }) => today_kwp),
    monthWh: sumOf(plants, ({ month_wh }) => month_wh),
    totalWh: sumOf(plants, ({ total_wh }) => total_wh),
    co2TodayKg: sumOf(plants, ({ today_wh, country }) => co2Of(today_wh, country)),
    co2TotalKg: sumOf(plants, ({ total_wh, country }) => co2Of(total_wh, country)),
    todayQuality: qualityOf(plants, 'today'),
    monthQuality: qualityOf(plants, 'month'),
    totalQuality: qualityOf(plants, 'total'),
    reporting: reportingOf(counts),
    money: moneyOf(plants),
    preliminary: recalculated + (sumOf(plants, ({ with_history }) => with_history) ?? 0),
    asOfMs: nowMs,
  };
}

async function integratorSummary(db: Kysely<Database>, scope: Scope, nowMs: number): Promise<FleetSummary> {
  const inverters = await inverterSums(db, scope, nowMs);
  const counts = toCounts(inverters);
  return {
    plants: toCounts([]),
    devices: counts,
    installedCapacity: null,
    pvPowerW: sumOf(inverters, ({ power_w }) => power_w),
    todayWh: sumOf(inverters, ({ today_wh }) => today_wh),
    todayPlants: 0,
    todayCapacity: null,
    monthWh: null,
    totalWh: sumOf(inverters, ({ total_wh }) => total_wh),
    co2TodayKg: null,
    co2TotalKg: null,
    todayQuality: qualityOf(inverters, 'today'),
    monthQuality: 'measured',
    totalQuality: 'measured',
    reporting: reportingOf(counts),
    money: [],
    preliminary: sumOf(inverters, ({ preliminary }) => preliminary) ?? 0,
    asOfMs: nowMs,
  };
}
