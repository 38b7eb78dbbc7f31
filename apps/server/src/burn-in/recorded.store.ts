import type { ClickHouseClient } from '@clickhouse/client';
import { rawTableOf, toldOf } from '../stores/telemetry-tables.ts';
import { Turns } from '../turns.ts';
import type { Minute } from './frame.ts';

/** What is read of an inverter, by the names within the questions. */
const read = {
  ac: 'AC/ActivePower',
  dc: 'DC/Power',
  heat: 'Temp/Heatsink',
  l1: 'AC/L1/Voltage',
  l2: 'AC/L2/Voltage',
  l3: 'AC/L3/Voltage',
  hz: 'AC/Frequency',
  ohm: 'DC/InsulationResistance',
} as const;
type Read = keyof typeof read;

/** Of the values that were told; null where there are none. */
const mean = (name: Read): string => `avgIfOrNull(${name}, isFinite(${name}))`;
const least = (name: Read): string => `minIfOrNull(${name}, isFinite(${name}))`;
const most = (name: Read): string => `maxIfOrNull(${name}, isFinite(${name}))`;

type Told = [
  device: number,
  place: number,
  firstMs: number,
  lastMs: number,
  receivedMs: number,
  ...values: (number | null)[],
];

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Columns come from the catalogue's points, and numbers from the stores. */
const rowsOf = (
  keys: readonly number[],
  { fromMs, toMs }: Span,
  columnMs: number,
  columns: readonly string[],
  more = { condition: '', limit: '' },
): string =>
  `SELECT device, intDiv(ms - ${fromMs}, ${columnMs}) AS place, min(ms), max(ms), max(receivedMs), ${columns.join(', ')}
    FROM (
      SELECT device, toUnixTimestamp64Milli(ts) AS ms, toUnixTimestamp64Milli(received) AS receivedMs,
        ${Object.entries(read)
          .map(([name, point]) => `${toldOf('inverter', { name: point })} AS ${name}`)
          .join(', ')}
      FROM ${rawTableOf('inverter').name} FINAL
      WHERE device IN (${keys.join(', ')}) AND ts >= fromUnixTimestamp64Milli(${fromMs}) AND ts < fromUnixTimestamp64Milli(${toMs}) ${more.condition}
    )
    GROUP BY device, place ORDER BY device, place ${more.limit}
    SETTINGS do_not_merge_across_partitions_select_final = 1, output_format_json_quote_64bit_integers = 0`;

async function readRows(telemetry: ClickHouseClient, query: string): Promise<Told[]> {
  const answer = await telemetry.query({ query, format: 'JSONCompactEachRow' });
  return answer.json<Told>();
}

const known = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Of the phases that an inverter has. */
function extreme(values: readonly (number | null)[], of: (...values: number[]) => number): number | null {
  const there = values.filter((value) => value !== null);
  return there.length === 0 ? null : of(...there);
}

/** An inverter whose minutes are read from a moment on. */
export interface Reading {
  readonly key: number;
  readonly fromMs: number;
}

/** So many minutes of an inverter are read at once. */
export const MOST_READ = 360;

/** What was recorded of inverters, minute by minute since the start of their run, of each from its own moment on; at most `MOST_READ` of each. */
export async function minutesOf(
  telemetry: ClickHouseClient,
  readings: readonly Reading[],
  { startMs, toMs }: { readonly startMs: number; readonly toMs: number },
): Promise<Map<number, Minute[]>> {
  const minutes = new Map<number, Minute[]>();
  const earliestMs = Math.min(...readings.map(({ fromMs }) => fromMs));
  if (readings.length === 0 || earliestMs >= toMs) return minutes;
  // Places are whole minutes of the run.
  const span = { fromMs: startMs + Math.floor((earliestMs - startMs) / 60_000) * 60_000, toMs };
  const keys = readings.map(({ key }) => key);
  const froms = readings.map(({ fromMs }) => fromMs);
  const rows = await readRows(
    telemetry,
    rowsOf(
      keys,
      span,
      60_000,
      [
        mean('ac'),
        mean('dc'),
        most('heat'),
        ...(['l1', 'l2', 'l3'] as const).map(least),
        ...(['l1', 'l2', 'l3'] as const).map(most),
        least('hz'),
        most('hz'),
        least('ohm'),
      ],
      {
        condition:
          new Set(froms).size < 2
            ? ''
            : `AND ms >= transform(toInt64(device), [${keys.join(', ')}], [${froms.join(', ')}], 0)`,
        limit: `LIMIT ${MOST_READ} BY device`,
      },
    ),
  );
  const turns = new Turns();
  for (const [device, place, firstMs, lastMs, receivedMs, ...values] of rows) {
    if (turns.isOver) await turns.giveBack();
    const list = minutes.get(device) ?? [];
    if (list.length === 0) minutes.set(device, list);
    list.push({
      atMs: span.fromMs + place * 60_000,
      firstMs,
      lastMs,
      receivedMs,
      acW: known(values[0]),
      dcW: known(values[1]),
      temperatureC: known(values[2]),
      lowVoltageV: extreme(values.slice(3, 6), Math.min),
      highVoltageV: extreme(values.slice(6, 9), Math.max),
      lowFrequencyHz: known(values[9]),
      highFrequencyHz: known(values[10]),
      insulationKOhm: known(values[11]),
    });
  }
  return minutes;
}

/** Curves of an inverter in columns; where a column has nothing, it is left out. */
export interface Curve {
  readonly timesMs: number[];
  readonly powerW: (number | null)[];
  readonly temperatureC: (number | null)[];
  readonly voltageV: (number | null)[];
}

const MOST_COLUMNS = 360;

/** Power and voltage on the mean, temperature at its highest, of at most so many columns. */
export async function curveOf(telemetry: ClickHouseClient, key: number | null, span: Span): Promise<Curve> {
  const curve: Curve = { timesMs: [], powerW: [], temperatureC: [], voltageV: [] };
  if (key === null || span.fromMs >= span.toMs) return curve;
  const columnMs = Math.max(10_000, Math.ceil((span.toMs - span.fromMs) / MOST_COLUMNS));
  const rows = await readRows(telemetry, rowsOf([key], span, columnMs, [mean('ac'), most('heat'), mean('l1')]));
  for (const [, , firstMs, , , power, temperature, voltage] of rows) {
    curve.timesMs.push(firstMs);
    curve.powerW.push(known(power));
    curve.temperatureC.push(known(temperature));
    curve.voltageV.push(known(voltage));
  }
  return curve;
}
