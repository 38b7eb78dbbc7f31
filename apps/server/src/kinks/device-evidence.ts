import type { ClickHouseClient } from '@clickhouse/client';
import { type Point, pointByName } from '@sonnenwarte/device-protocol/points/points';
import type { Series } from '@sonnenwarte/energy/kinks/curve';
import type { KinkChange, StringSeries } from '@sonnenwarte/energy/kinks/kink-evidence';
import type { DeviceNow } from '../device-rows/device-rows.store.ts';
import { samplesOf } from '../devices/samples.store.ts';

type Span = Readonly<{ startMs: number; endMs: number }>;

const BUCKET_MS = 300_000;
const WORK_MODE = 'State/WorkMode';
const STRING = /^DC\/String(\d+)\/Current$/;
const TRACKER = /^DC\/Mppt(\d+)\/Current$/;

const numbered = (names: readonly string[], pattern: RegExp) =>
  names
    .flatMap((name) => {
      const n = Number(pattern.exec(name)?.[1] ?? Number.NaN);
      return Number.isNaN(n) ? [] : [{ name, n }];
    })
    .toSorted((a, b) => a.n - b.n);

/** The points of an inverter that tell its strings; of one that tells none, its trackers. */
export function stringPoints(
  device: Pick<DeviceNow, 'values'>,
): { kind: StringSeries['kind']; name: string; n: number }[] {
  const names = Object.keys(device.values ?? {});
  const strings = numbered(names, STRING);
  if (strings.length > 1) return strings.map((each) => ({ kind: 'string', ...each }));
  return numbered(names, TRACKER).map((each) => ({ kind: 'tracker', ...each }));
}

function meansOf(timesMs: readonly number[], values: Series, { startMs, endMs }: Span): Series {
  const length = Math.ceil((endMs - startMs) / BUCKET_MS);
  const sums = new Float64Array(length);
  const counts = new Uint32Array(length);
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const place = Math.floor(((timesMs[at] ?? 0) - startMs) / BUCKET_MS);
    sums[place] = (sums[place] ?? 0) + value;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return Array.from(counts, (count, place) => (count === 0 ? null : (sums[place] ?? 0) / count));
}

const isNumber = (value: number | string | null): number | null => (typeof value === 'number' ? value : null);

/** Strings of an inverter in five-minute means of a span, and when its work mode changed within it. */
export async function toldByInverter(
  telemetry: ClickHouseClient,
  device: DeviceNow,
  span: Span,
): Promise<{ strings: StringSeries[]; changes: KinkChange[] }> {
  const strings = stringPoints(device);
  const names = [...strings.map(({ name }) => name), WORK_MODE];
  const points = names.flatMap((name): Point | Point[] => pointByName('inverter', name) ?? []);
  const { timesMs, values } = await samplesOf(telemetry, device, points, span);
  const modes = (values.at(-1) ?? []).map(isNumber);
  const changes: KinkChange[] = [];
  let last: number | null = null;
  for (const [at, mode] of modes.entries()) {
    if (mode === null) continue;
    if (last !== null && mode !== last) {
      changes.push({ what: 'workMode', device: device.id, mode, atMs: timesMs[at] ?? span.startMs });
    }
    last = mode;
  }
  return {
    strings: strings.map(({ kind, n }, place) => ({
      kind,
      n,
      values: meansOf(timesMs, (values[place] ?? []).map(isNumber), span),
    })),
    changes,
  };
}

/** Irradiance that a weather station measured in a span, W/m2. */
export async function toldByStation(telemetry: ClickHouseClient, device: DeviceNow, span: Span): Promise<Series> {
  const points = [pointByName('station', 'Env/Irradiance')].filter((point) => point !== undefined);
  const { timesMs, values } = await samplesOf(telemetry, device, points, span);
  return meansOf(timesMs, (values[0] ?? []).map(isNumber), span);
}
