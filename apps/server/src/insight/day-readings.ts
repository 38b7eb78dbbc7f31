import type { ClickHouseClient } from '@clickhouse/client';
import { stringRows } from '@sonnenwarte/contract/devices/string-rows';
import { bridgedSeries, MOST_BETWEEN } from '@sonnenwarte/energy/insight/bridged-series';
import { BUCKET_MS, type InverterDay, type StringDay } from '@sonnenwarte/energy/insight/plant-day';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import { isInStepsSql, type RawNumber, standsBesideSql, toldSql } from '../stores/raw-numbers.ts';
import { rawTableOf } from '../stores/telemetry-tables.ts';
import type { AccountedSeries } from './counted-series.ts';
import type { InsightDevice, InsightPlant } from './plants.store.ts';

/** Whole buckets of five minutes. */
export interface DaySpan {
  startMs: number;
  count: number;
}

export interface SiteSeries extends AccountedSeries {
  pvW: Float64Array;
  gridW: Float64Array;
  loadW: Float64Array;
  batteryW: Float64Array;
  socPercent: Float64Array;
}

export const unknownSeries = (count: number): Float64Array => new Float64Array(count).fill(Number.NaN);

/** A plant of which nothing was told. */
export const unknownSite = (count: number): SiteSeries => ({
  pvW: unknownSeries(count),
  gridW: unknownSeries(count),
  loadW: unknownSeries(count),
  batteryW: unknownSeries(count),
  socPercent: unknownSeries(count),
  pvWh: unknownSeries(count),
  acOutWh: unknownSeries(count),
  marks: new Uint32Array(count),
});

const secondsOf = ({ startMs, count }: DaySpan): [from: number, to: number] => [
  startMs / 1_000,
  (startMs + count * BUCKET_MS) / 1_000,
];

const within = (span: DaySpan): string => {
  const [from, to] = secondsOf(span);
  return `ts >= toDateTime(${from}, 'UTC') AND ts < toDateTime(${to}, 'UTC')`;
};

/** Powers of many plants in a span, by their keys; those of which nothing was told are left out. */
export async function siteSeries(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  span: DaySpan,
): Promise<Map<number, SiteSeries>> {
  const { startMs, count } = span;
  const found = new Map<number, SiteSeries>();
  await eachRowOf(
    telemetry,
    keys,
    (list) =>
      `SELECT site, toUInt32(ts), pv_w, grid_w, load_w, battery_w, soc_percent, pv_wh, ac_out_wh, toUInt32(qualities) FROM site_5m FINAL
        WHERE site IN (${list}) AND ${within(span)}`,
    (rows) => {
      const series = entryOf(found, rows.uint32(), () => unknownSite(count));
      const at = (rows.uint32() * 1_000 - startMs) / BUCKET_MS;
      series.pvW[at] = rows.float32();
      series.gridW[at] = rows.float32();
      series.loadW[at] = rows.float32();
      series.batteryW[at] = rows.float32();
      series.socPercent[at] = rows.float32();
      series.pvWh[at] = rows.float64();
      series.acOutWh[at] = rows.float64();
      series.marks[at] = rows.uint32();
    },
  );
  return found;
}

function joinHeard(heard: Uint8Array): void {
  let last = -1;
  for (let at = 0; at < heard.length; at += 1) {
    if (heard[at] === 0) continue;
    if (last >= 0 && at - last <= MOST_BETWEEN + 1) heard.fill(1, last, at);
    last = at;
  }
}

/** A string with the mean voltage of its tracker, V, which tells how many modules it has in series; NaN of a tracker with any number of strings. */
export type ToldString = StringDay & { voltageV: number };
export type ToldInverter = Omit<InverterDay, 'strings'> & { strings: ToldString[] };

/** What inverters did in a span, by their keys. */
export async function inverterSeries(
  telemetry: ClickHouseClient,
  inverters: readonly InsightDevice[],
  span: DaySpan,
): Promise<Map<number, ToldInverter>> {
  const { startMs, count } = span;
  const days = new Map(
    inverters.map(({ key, sn, ratedPowerW }): [number, ToldInverter] => [
      key,
      {
        key: sn,
        ratedAcW: ratedPowerW,
        kwp: null,
        heard: new Uint8Array(count),
        acW: unknownSeries(count),
        dcW: unknownSeries(count),
        strings: [],
      },
    ]),
  );
  const keys = [...days.keys()];
  await eachRowOf(
    telemetry,
    keys,
    (list) =>
      `SELECT device, toUInt32(ts), samples, ac_w, pv_w FROM device_5m FINAL
        WHERE device IN (${list}) AND ${within(span)}`,
    (rows) => {
      const day = days.get(rows.uint32());
      const at = (rows.uint32() * 1_000 - startMs) / BUCKET_MS;
      const samples = rows.uint16();
      const acW = rows.float32();
      const dcW = rows.float32();
      if (day === undefined) return;
      if (samples > 0) day.heard[at] = 1;
      day.acW[at] = acW;
      day.dcW[at] = dcW;
    },
  );
  for (const { heard } of days.values()) joinHeard(heard);
  for (const [key, strings] of await stringSeries(telemetry, keys, span)) days.get(key)?.strings.push(...strings);
  return days;
}

/** Strings are compared over hours: means of a quarter of one tell them apart. */
const SLOT_S = 900;
const BUCKETS_OF_SLOT = (SLOT_S * 1_000) / BUCKET_MS;

const numbersOf = (kind: 'inverter' | 'station' | 'ems', wanted: RegExp): readonly RawNumber[] =>
  rawTableOf(kind).numbers.filter(({ point }) => wanted.test(point.name));

const stringNumbers = numbersOf('inverter', /^DC\/(?:String\d+\/Current|Mppt\d+\/(?:Voltage|Current|Power))$/);
const TRACKER_PATTERN = /^DC\/Mppt(\d+)\/Power$/;

const inSteps = (number: RawNumber): string =>
  `toFloat32(avgIf(${number.column}, ${isInStepsSql(number)}) / ${number.point.steps})`;
const asTold = (number: RawNumber): string =>
  `toFloat32(avgIf(toFloat64(${toldSql(number)}), isFinite(${toldSql(number)})))`;

/** Means of points over slots of a span, by device; `slots` are those of each number, NaN where nothing was told. */
async function slotMeans(
  telemetry: ClickHouseClient,
  kind: 'inverter' | 'station' | 'ems',
  numbers: readonly RawNumber[],
  keys: readonly number[],
  { span, slotS }: { span: DaySpan; slotS: number },
): Promise<Map<number, Float64Array[]>> {
  const [from, to] = secondsOf(span);
  const slots = Math.ceil((to - from) / slotS);
  const found = new Map<number, Float64Array[]>();
  const besides = new Set<number>();
  const none = () => numbers.map(() => unknownSeries(slots));
  const read = (asked: readonly number[], sqlOf: (number: RawNumber) => string) =>
    eachRowOf(
      telemetry,
      asked,
      (list) =>
        `SELECT device, toUInt16(intDiv(toUnixTimestamp(ts) - ${from}, ${slotS})) AS slot,
          toUInt8(max(${standsBesideSql(numbers)})), ${numbers.map(sqlOf).join(', ')}
        FROM ${rawTableOf(kind).name} FINAL
        WHERE device IN (${list}) AND ts >= fromUnixTimestamp64Milli(${from * 1_000}) AND ts < fromUnixTimestamp64Milli(${to * 1_000})
        GROUP BY device, slot SETTINGS do_not_merge_across_partitions_select_final = 1`,
      (rows) => {
        const key = rows.uint32();
        const slot = rows.uint16();
        if (rows.uint8() > 0) besides.add(key);
        const series = entryOf(found, key, none);
        for (const each of series) each[slot] = rows.float32();
      },
    );
  await read(keys, inSteps);
  // What is no multiple of its step is not in the mean of those that are.
  const odd = [...besides];
  if (odd.length > 0) await read(odd, asTold);
  return found;
}

const meanOf = (values: Float64Array): number => {
  let sum = 0;
  let known = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    known += 1;
  }
  return known === 0 ? Number.NaN : sum / known;
};

/** Powers of strings, or of trackers where a device tells no strings, by the key of the device. */
async function stringSeries(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  span: DaySpan,
): Promise<Map<number, ToldString[]>> {
  const means = await slotMeans(telemetry, 'inverter', stringNumbers, keys, { span, slotS: SLOT_S });
  return new Map([...means].map(([key, series]) => [key, stringsOf(series, span.count)]));
}

/** Slots with so much of the highest current tell which string hangs on which tracker: by night and at dawn none does. */
const BRIGHT_SHARE = 0.5;
/** A, of means over these slots. */
const LEAST_MEAN_A = 0.2;
const STRING_CURRENT_PATTERN = /^DC\/String\d+\/Current$/;

/** Which slots of a day were bright, by the currents of all strings. */
function brightSlots(byName: ReadonlyMap<string, Float64Array>): (slot: number) => boolean {
  const currents = [...byName].filter(([name]) => STRING_CURRENT_PATTERN.test(name)).map(([, each]) => each);
  const sumsA = Array.from({ length: currents[0]?.length ?? 0 }, (_, slot) =>
    currents.reduce((sum, each) => sum + (Number.isNaN(each[slot]) ? 0 : (each[slot] as number)), 0),
  );
  const leastA = BRIGHT_SHARE * Math.max(0, ...sumsA);
  return (slot) => leastA === 0 || (sumsA[slot] ?? 0) >= leastA;
}

function stringsOf(series: readonly Float64Array[], count: number): ToldString[] {
  const byName = new Map(stringNumbers.map(({ point }, place) => [point.name, series[place] as Float64Array]));
  const isBright = brightSlots(byName);
  const values = [...byName].map(([variable, each]) => ({
    variable,
    value: meanOf(each.filter((_, slot) => isBright(slot))),
  }));
  const told = stringRows(
    values.filter(({ value }) => !Number.isNaN(value)),
    { leastA: LEAST_MEAN_A },
  );
  const spread = (powerAt: (slot: number) => number): Float64Array => {
    const powerW = unknownSeries(count);
    for (let at = 0; at < count; at += 1) powerW[at] = powerAt(Math.floor(at / BUCKETS_OF_SLOT));
    return powerW;
  };
  const string = (key: string, powerW: Float64Array, voltageV: number): ToldString => ({
    key,
    kwp: null,
    array: null,
    powerW,
    voltageV,
  });
  const trackers = [...byName].flatMap(([name, powerW]) => {
    const n = TRACKER_PATTERN.exec(name)?.[1];
    return n === undefined || Number.isNaN(meanOf(powerW)) ? [] : [{ n, powerW }];
  });
  if (told.every(({ kind }) => kind === 'tracker'))
    return trackers.map(({ n, powerW }) =>
      string(
        `MPPT${n}`,
        spread((slot) => powerW[slot] ?? Number.NaN),
        Number.NaN,
      ),
    );
  return told.flatMap(({ n, tracker }) => {
    // Where it does not follow on which tracker a string hangs, there is one, or its voltage is not known.
    const on = tracker ?? (trackers.length === 1 ? Number(trackers[0]?.n) : null);
    const current = byName.get(`DC/String${n}/Current`);
    const voltage = on === null ? undefined : byName.get(`DC/Mppt${on}/Voltage`);
    if (current === undefined || voltage === undefined) return [];
    const powerW = spread((slot) => (current[slot] ?? Number.NaN) * (voltage[slot] ?? Number.NaN));
    return [string(`String${n}`, powerW, meanOf(voltage))];
  });
}

/** Seconds around a moment over which strings are compared side by side. */
const BESIDE_S = 1_800;

/** What strings and trackers told around a moment, in the mean, by the key of the device. */
export async function stringValues(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  atMs: number,
): Promise<Map<number, { variable: string; value: number }[]>> {
  const span = { startMs: atMs - (BESIDE_S * 1_000) / 2, count: (BESIDE_S * 1_000) / BUCKET_MS };
  const means = await slotMeans(telemetry, 'inverter', stringNumbers, keys, { span, slotS: BESIDE_S });
  return new Map(
    [...means].map(([key, series]) => [
      key,
      stringNumbers.flatMap(({ point }, place) => {
        const value = series[place]?.[0] ?? Number.NaN;
        return Number.isNaN(value) ? [] : [{ variable: point.name, value }];
      }),
    ]),
  );
}

const stationNumbers = numbersOf('station', /^Env\/(?:Irradiance|ModuleTemp|AmbientTemp)$/);
const limitNumbers = numbersOf('ems', /^Ems\/ExportLimit$/);

export interface Weather {
  planeWm2: Float64Array;
  moduleC: Float64Array;
  ambientC: Float64Array;
}

/** What weather stations measured, by their keys; between two reports in a straight line. */
export async function weatherSeries(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  span: DaySpan,
): Promise<Map<number, Weather>> {
  const means = await slotMeans(telemetry, 'station', stationNumbers, keys, { span, slotS: BUCKET_MS / 1_000 });
  const of = (series: readonly Float64Array[], name: string): Float64Array =>
    bridgedSeries(series[stationNumbers.findIndex(({ point }) => point.name === name)] ?? unknownSeries(span.count));
  return new Map(
    [...means].map(([key, series]) => [
      key,
      {
        planeWm2: of(series, 'Env/Irradiance'),
        moduleC: of(series, 'Env/ModuleTemp'),
        ambientC: of(series, 'Env/AmbientTemp'),
      },
    ]),
  );
}

/** The limit of feeding in that energy managers told to be in force, W, by their keys. */
export async function exportLimits(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  span: DaySpan,
): Promise<Map<number, number>> {
  const slotS = (span.count * BUCKET_MS) / 1_000;
  const means = await slotMeans(telemetry, 'ems', limitNumbers, keys, { span, slotS });
  return new Map(
    [...means].flatMap(([key, [limit]]) => {
      const watts = limit?.[0] ?? Number.NaN;
      return Number.isNaN(watts) ? [] : [[key, watts] as const];
    }),
  );
}

/** Devices of a kind that some plants have. */
export const devicesOfKind = (plants: readonly InsightPlant[], kind: InsightDevice['kind']): InsightDevice[] =>
  plants.flatMap(({ devices }) => devices.filter((device) => device.kind === kind));
