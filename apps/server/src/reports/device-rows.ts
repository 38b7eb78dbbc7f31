import type { ClickHouseClient } from '@clickhouse/client';
import type { ReportInterval, RowQuality } from '@sonnenwarte/contract/reports/report';
import type { AttachedKind, Point } from '@sonnenwarte/device-protocol/points/points';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import type { EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import { type Correction, correctedBucket } from '@sonnenwarte/energy/accounting/corrections';
import { accountedKinds, counterChannels, counterFields } from '@sonnenwarte/energy/accounting/device-sample';
import { dayBounds, type TimeBounds } from '@sonnenwarte/energy/calendar';
import { fewestDigits, roundedTo } from '@sonnenwarte/energy/rounding';
import { DEVICE_5M_READ, readDeviceBucket } from '../accounting/rollup-tables.ts';
import { type Samples, samplesOf } from '../devices/samples.store.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { Turns } from '../turns.ts';
import { bucketsOf, worse } from './buckets.ts';
import type { ReportLine } from './canonical.ts';
import { GatheredValues, SILENT_MS } from './gathered-values.ts';
import type { ReportedDevice } from './things.store.ts';

/** Samples that are held at once: half a day at one each five seconds, or six at one each minute. */
const SAMPLES_AT_ONCE = 9_000;
/** Lines that are handed on together. */
const LINES_AT_ONCE = 250;
const WH_PER_KWH = 1_000;
/** Of energies; 0.001 Wh, as calls tell them. */
const KWH_DECIMALS = 6;
/** Counters in tenths of a kWh stand up to two of them beside what flowed in an interval. */
const UNACCOUNTED_KWH = 0.25;

interface Reading {
  readonly telemetry: ClickHouseClient;
  readonly device: ReportedDevice;
  readonly points: readonly Point[];
  /** What was corrected by hand of the time that is read. */
  readonly corrections: readonly Correction[];
  readonly interval: ReportInterval;
  readonly nowMs: number;
}

async function* samplesIn(
  { telemetry, device, points }: Reading,
  { startMs, endMs }: TimeBounds,
): AsyncGenerator<Samples> {
  for (let fromMs = startMs; fromMs < endMs; ) {
    const part = await samplesOf(telemetry, device, points, { startMs: fromMs, endMs, most: SAMPLES_AT_ONCE });
    if (part.timesMs.length > 0) yield part;
    if (part.timesMs.length < SAMPLES_AT_ONCE) return;
    fromMs = (part.timesMs.at(-1) ?? endMs) + 1;
  }
}

/** Days are read together as far as they are held at once, judged by those before: a question to the engine takes it longer than a day more. */
async function* samplesOver(reading: Reading, days: readonly string[]): AsyncGenerator<Samples> {
  const { timeZone } = reading.device;
  let together = 1;
  for (let at = 0; at < days.length; ) {
    const [first = '', ...others] = days.slice(at, at + together);
    const { startMs, endMs } = dayBounds(first, timeZone);
    const last = others.at(-1);
    let samples = 0;
    const span = { startMs, endMs: last === undefined ? endMs : dayBounds(last, timeZone).endMs };
    for await (const part of samplesIn(reading, span)) {
      samples += part.timesMs.length;
      yield part;
    }
    at += 1 + others.length;
    together = Math.max(1, Math.floor((SAMPLES_AT_ONCE * (1 + others.length)) / Math.max(1, samples)));
  }
}

/** Rows of a device over some of its plant's days, some at a time, in the order of time. Days to come have none. */
export async function* deviceRows(reading: Reading, days: readonly string[]): AsyncGenerator<readonly ReportLine[]> {
  const { interval } = reading;
  if (interval !== 'raw') return yield* gatheredRows(reading, interval, days);
  for await (const { timesMs, values } of samplesOver(reading, days))
    for (let from = 0; from < timesMs.length; from += LINES_AT_ONCE)
      yield timesMs.slice(from, from + LINES_AT_ONCE).map((tsMs, place) => lineTold(tsMs, values, from + place));
}

/** What was told at a moment, as it was told. */
function lineTold(tsMs: number, values: Samples['values'], at: number): ReportLine {
  const told = values.map((each) => {
    const value = each[at];
    return typeof value === 'number' ? fewestDigits(value) : null;
  });
  return { tsMs, quality: told.every((value) => value === null) ? 'missing' : 'measured', values: told };
}

/** The channel of accounting that a point is the counter of. */
export function channelOf(
  { kind, role }: Pick<ReportedDevice, 'kind' | 'role'>,
  { name }: Point,
): EnergyChannel | undefined {
  const accounted = accountedKinds.find((each): each is typeof each & AttachedKind => each === kind);
  if (accounted === undefined) return undefined;
  // A meter at the grid counts both ways; at anything else accounting takes the greater of its counters.
  if (accounted === 'meter') {
    if (role !== 'grid') return undefined;
    return name === 'Meter/ImportTotal' ? 'import' : name === 'Meter/ExportTotal' ? 'export' : undefined;
  }
  const place = counterFields(accounted).indexOf(name);
  return place < 0 ? undefined : counterChannels(accounted)[place];
}

async function* gatheredRows(
  reading: Reading,
  interval: Exclude<ReportInterval, 'raw'>,
  days: readonly string[],
): AsyncGenerator<readonly ReportLine[]> {
  const { device, points, nowMs } = reading;
  const channels = points.map((point) => channelOf(device, point));
  const gathered = new GatheredValues(points);
  const turns = new Turns();
  let isFirst = true;
  for (const day of days) {
    const buckets = bucketsOf(day, interval, device.timeZone).filter(({ startMs }) => startMs < nowMs);
    const [first] = buckets;
    const end = buckets.at(-1);
    if (first === undefined || end === undefined) continue;
    const span = { startMs: first.startMs, endMs: end.endMs };
    if (isFirst) await rememberBefore(reading, gathered, first.startMs);
    isFirst = false;
    const energies = channels.some((channel) => channel !== undefined) ? await energiesOf(reading, span) : undefined;
    const lineOf = (bucket: TimeBounds): ReportLine => lineOfBucket(bucket, { gathered, channels, energies, nowMs });
    const lines: ReportLine[] = [];
    let at = 0;
    gathered.begin(first.startMs);
    for await (const { timesMs, values } of samplesIn(reading, span)) {
      for (const [place, tsMs] of timesMs.entries()) {
        for (let bucket = buckets[at]; bucket !== undefined && tsMs >= bucket.endMs; bucket = buckets[at]) {
          lines.push(lineOf(bucket));
          at += 1;
          gathered.begin(bucket.endMs);
        }
        gathered.add(tsMs, (of) => values[of]?.[place]);
        if (turns.isOver) await turns.giveBack();
      }
    }
    for (; at < buckets.length; at += 1) {
      const bucket = buckets[at];
      if (bucket === undefined) break;
      lines.push(lineOf(bucket));
      gathered.begin(bucket.endMs);
    }
    yield lines;
  }
}

/** What counters stood at before the first interval. */
async function rememberBefore(reading: Reading, gathered: GatheredValues, startMs: number): Promise<void> {
  for await (const { timesMs, values } of samplesIn(reading, { startMs: startMs - SILENT_MS, endMs: startMs }))
    for (const [place, tsMs] of timesMs.entries()) gathered.remember(tsMs, (of) => values[of]?.[place]);
}

interface Energies {
  /** Up to when something is accounted. */
  readonly untilMs: number;
  /** What a channel did in a span, kWh, and how that came about. */
  in(span: TimeBounds, channel: EnergyChannel): { kwh: number | null; quality: RowQuality };
}

/** What was accounted of a device in a span, with what was corrected of it. */
async function energiesOf(
  { telemetry, device, corrections }: Reading,
  { startMs, endMs }: TimeBounds,
): Promise<Energies> {
  const rows = await readRows(
    telemetry,
    `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL WHERE device = ${device.key}
      AND ts >= ${Math.round(startMs / 1_000)} AND ts < ${Math.round(endMs / 1_000)}`,
  );
  const told = new Map<number, ReturnType<typeof readDeviceBucket>['bucket']>();
  while (rows.hasMore) {
    const { bucket } = readDeviceBucket(rows);
    told.set(bucket.bucketMs, bucket);
  }
  return {
    untilMs: told.size === 0 ? startMs : Math.max(...told.keys()) + BUCKET_MS,
    in(span, channel) {
      let wh: number | null = null;
      let quality: RowQuality = 'measured';
      for (let atMs = span.startMs; atMs < span.endMs; atMs += BUCKET_MS) {
        const bucket = correctedBucket(told.get(atMs), atMs, corrections);
        const part = bucket?.energyWh[channel];
        if (part === undefined) continue;
        wh = (wh ?? 0) + part;
        quality = worse(quality, bucket?.energyQuality?.[channel] ?? 'measured');
      }
      return { kwh: wh === null ? null : roundedTo(wh / WH_PER_KWH, KWH_DECIMALS), quality };
    },
  };
}

interface Told {
  readonly gathered: GatheredValues;
  readonly channels: readonly (EnergyChannel | undefined)[];
  readonly energies: Energies | undefined;
  readonly nowMs: number;
}

function lineOfBucket(bucket: TimeBounds, { gathered, channels, energies, nowMs }: Told): ReportLine {
  let quality: RowQuality = gathered.isWholeUntil(Math.min(bucket.endMs, nowMs)) ? 'measured' : 'incomplete';
  let isAwaited = false;
  const values = channels.map((channel, place) => {
    if (channel === undefined || energies === undefined) return gathered.valueOf(place);
    const energy = energies.in(bucket, channel);
    quality = worse(quality, energy.quality);
    // The counter has grown by more than what is accounted up to now: the rest is still to be.
    const isCounted = bucket.endMs <= energies.untilMs;
    if (!isCounted && (gathered.valueOf(place) ?? 0) - (energy.kwh ?? 0) > UNACCOUNTED_KWH) isAwaited = true;
    return energy.kwh;
  });
  if (isAwaited) return { tsMs: bucket.startMs, quality: worse(quality, 'incomplete'), values };
  return { tsMs: bucket.startMs, quality: values.every((value) => value === null) ? 'missing' : quality, values };
}
