import { rawTableOf } from '../../apps/server/src/stores/telemetry-tables.ts';
import { points } from '../load/series.ts';
import type { KnownDevice } from './fleet.ts';
import { telemetry } from './telemetry.ts';

const DAY_MS = 86_400_000;

export interface HistoryPlan {
  dataDir: string;
  devices: readonly KnownDevice[];
  /** Start of the first day, UTC. */
  startMs: number;
  days: number;
  stepS: number;
  /** Called after each day. */
  stored(day: number): void;
}

const powerSql = (key: string, at: string): string =>
  `greatest(0, sin((toSecondOfDay - 19800) / 46800 * pi())) * (0.6 + (cityHash64(${key}, intDiv(${at}, 300)) % 400) / 1000)`;

/** SQL of a column's value from `power` (0 to 1), `hours` (full hours of the day so far), and a hash for noise. */
function valueSql(name: string, unit: string, accumulates: string | false, index: number): string {
  const noise = `(cityHash64(key, second, ${index}) % 1000) / 1000`;
  if (accumulates === 'today') return 'round(hours * 10, 2)';
  if (accumulates === 'lifetime') return `round(${index * 100} + (dayNumber * 8.3 + hours) * 10, 2)`;
  if (unit === 'W' || unit === 'VA')
    return `round(power * ${name.includes('/L') || name.includes('Mppt') ? 3300 : 10000})`;
  if (unit === 'V') return `round(${name.startsWith('DC') ? 600 : 230} + power * 4 + ${noise} * 2, 1)`;
  if (unit === 'A') return `round(power * 14 + if(power > 0, ${noise} * 0.1, 0), 2)`;
  if (unit === 'Hz') return `round(50 + ${noise} * 0.04, 2)`;
  return `round(20 + power * 20 + ${noise}, 1)`;
}

/** Stores samples of sixty values for every device and five-minute rows for every plant, a day at a time, in the engine itself. */
export async function storeHistory(plan: HistoryPlan): Promise<void> {
  const { dataDir, devices, startMs, days, stepS } = plan;
  const keys = `[${devices.map(({ key }) => key).join(',')}]`;
  const sites = `[${[...new Set(devices.map(({ siteKey }) => siteKey))].join(',')}]`;
  const { numbers } = rawTableOf('inverter');
  const stored = points.map(({ name }) => numbers.find(({ point }) => point.name === name));
  const columns = stored.map((number) => number?.column);
  const values = points.map(({ name, unit, accumulates, steps }, index) => {
    const whole = stored[index]?.type === 'Float64' ? 'toInt64' : 'toInt32';
    return `${whole}(round(${valueSql(name, unit, accumulates, index)} * ${steps}))`;
  });
  const perDay = Math.floor(86_400 / stepS);
  const settings =
    'SETTINGS max_threads = 2, max_insert_threads = 1, max_insert_block_size = 65536, min_insert_block_size_rows = 65536';
  for (let day = 0; day < days; day += 1) {
    const dayS = (startMs + day * DAY_MS) / 1000;
    await telemetry(
      dataDir,
      `INSERT INTO raw_inverter (device, ts, received, flags, ${columns.join(', ')})
      SELECT key, toDateTime64(second, 3, 'UTC'), toDateTime64(second, 3, 'UTC'), 0, ${values.join(', ')} FROM (
        SELECT toUInt32(arrayElement(${keys}, intDiv(number, ${perDay}) + 1)) AS key,
          ${dayS} + (number % ${perDay}) * ${stepS} AS second, (number % ${perDay}) * ${stepS} AS toSecondOfDay,
          ${powerSql('key', 'second')} AS power, ${day} AS dayNumber,
          greatest(0, least(8.3, (toSecondOfDay - 19800) / 46800 * 8.3)) AS hours
        FROM numbers(${devices.length * perDay})) ${settings}`,
    );
    await telemetry(
      dataDir,
      `INSERT INTO site_5m (site, ts, version, quality, pv_wh, load_wh, import_wh, export_wh, pv_to_load_wh, pv_to_grid_wh,
        grid_to_load_wh, pv_w, grid_w, load_w)
      SELECT key, toDateTime(second, 'UTC'), 1, 0, power * 833, 40, if(power > 0.05, 0, 40), greatest(0, power * 833 - 40),
        least(40, power * 833), greatest(0, power * 833 - 40), if(power > 0.05, 0, 40), power * 10000,
        480 - power * 10000, 480 FROM (
        SELECT toUInt32(arrayElement(${sites}, intDiv(number, 288) + 1)) AS key,
          ${dayS} + (number % 288) * 300 AS second, (number % 288) * 300 AS toSecondOfDay,
          ${powerSql('key', 'second')} AS power
        FROM numbers(length(${sites}) * 288)) ${settings}`,
    );
    plan.stored(day);
  }
}
