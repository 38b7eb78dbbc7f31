import type { Result } from '@sonnenwarte/contract/endpoint';
import { type BatteryLogRow, MOST_BATTERY_DAYS, type testLogEndpoints } from '@sonnenwarte/contract/test-log/test-log';
import { type Point, pointByName } from '@sonnenwarte/device-protocol/points/points';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { samplesOf } from '../devices/samples.store.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Asked, Found } from '../stores/lists.ts';
import { batteryBySn } from './test-log.store.ts';

type Calls = typeof testLogEndpoints;
type Told = Pick<Result<Calls['batteryLog']>, 'battery'>;

const DAY_MS = 86_400_000;

const pointNames = {
  powerW: 'Bat/Power',
  voltageV: 'Bat/Voltage',
  currentA: 'Bat/Current',
  socPercent: 'Bat/Soc',
  sohPercent: 'Bat/Soh',
  temperatureC: 'Bat/Temperature',
  cellVoltageMaxV: 'Bat/CellVoltageMax',
  cellVoltageMinV: 'Bat/CellVoltageMin',
  cellTempMaxC: 'Bat/CellTempMax',
  cellTempMinC: 'Bat/CellTempMin',
  chargeLimitA: 'Bat/ChargeLimit',
  dischargeLimitA: 'Bat/DischargeLimit',
  cycles: 'Bat/Cycles',
  faultBits: 'Bat/BmsFault',
} as const satisfies Partial<Record<keyof BatteryLogRow, string>>;

const pointOf = (name: string): Point => {
  const point = pointByName('battery', name);
  if (point === undefined) throw new Error(`a battery has no point ${name}`);
  return point;
};
const state = pointOf('Bat/State');
const shown = Object.entries(pointNames).map(([field, name]) => ({ field, point: pointOf(name) }));

/** Samples of a battery as they were told: a page, or for a file what follows a time. */
export async function batteryLogOf(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  input: Asked<Calls['batteryLog']>,
  { scope }: Scoped,
): Promise<Found<BatteryLogRow> & Told> {
  const { condition, sort, pageSize } = input;
  const battery = condition.content === '' ? undefined : await batteryBySn(db, scope, condition.content);
  if (battery === undefined) return { rows: [], total: 0, end: undefined, battery: null };
  const endMs = Math.min(condition.toMs ?? Number.POSITIVE_INFINITY, nowMs() + DAY_MS);
  const startMs = Math.max(condition.fromMs ?? 0, endMs - MOST_BATTERY_DAYS * DAY_MS);
  const after = 'after' in input && input.after !== null ? Number(input.after[0]) : undefined;
  const span = {
    startMs: after !== undefined && sort.order === 'asc' ? after + 1 : startMs,
    endMs: after !== undefined && sort.order === 'desc' ? after : endMs,
  };
  const points = [state, ...shown.map(({ point }) => point)];
  const { timesMs, values } =
    span.startMs < span.endMs
      ? await samplesOf(telemetry, { key: battery.key, kind: 'battery' }, points, span)
      : { timesMs: [], values: [] };
  const count = timesMs.length;
  const from = 'currentPage' in input ? (input.currentPage - 1) * pageSize : 0;
  const rows: BatteryLogRow[] = [];
  for (let at = from; at < Math.min(from + pageSize, count); at += 1) {
    const index = sort.order === 'asc' ? at : count - 1 - at;
    rows.push(rowAt(index, timesMs[index] ?? 0, values));
  }
  return {
    rows,
    total: after === undefined ? count : 0,
    end: rows.length < pageSize ? undefined : [String(rows.at(-1)?.atMs ?? 0)],
    battery: {
      deviceID: battery.id,
      deviceSN: battery.sn,
      plantName: battery.site_name ?? '',
      stationID: battery.site_id,
    },
  };
}

function rowAt(index: number, atMs: number, values: readonly (readonly (number | string | null)[])[]): BatteryLogRow {
  const told = values[0]?.[index];
  const numbers = shown.map(({ field }, place) => {
    const value = values[place + 1]?.[index];
    return [field, typeof value === 'number' ? withoutNoise(value) : null] as const;
  });
  return {
    atMs,
    state: typeof told === 'number' ? (state.enum?.[told] ?? '') : '',
    ...(Object.fromEntries(numbers) as Record<keyof typeof pointNames, number | null>),
  };
}
