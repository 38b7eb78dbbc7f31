import { marksOf } from '@sonnenwarte/energy/accounting/site-marks';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { expectedDay, powerAtClearness, SkyCache } from '@sonnenwarte/energy/insight/expected-power';
import { rawTableOf } from '../stores/telemetry-tables.ts';
import type { PlantsFixture } from './plants-fixture.ts';

const skies = new SkyCache();
const BUCKET_MS = 300_000;

/** A roof that faces south somewhere near Munich. */
export interface Roof {
  id: string;
  key: number;
  inverter: { id: string; key: number; sn: string };
  latitude: number;
  longitude: number;
}

/** Share of what a roof could give, in each of its strings. */
export type Strings = readonly [number, number, number];

const KWP = 9;
const whole: Strings = [1, 1, 1];
const TRACKER_V = 600;
const EFFICIENCY = 0.96;

/** A roof of 9 kWp with an inverter of three strings on one tracker. */
export async function addRoof(
  plants: PlantsFixture,
  organisationID: string,
  name: string,
  { latitude = 48.1, longitude = 11.6, ...columns }: Partial<Parameters<PlantsFixture['addSite']>[1]> & object = {},
): Promise<Roof> {
  const place = { latitude: latitude ?? 48.1, longitude: longitude ?? 11.6 };
  const site = await plants.addSite(organisationID, {
    name,
    ...place,
    altitude_m: 500,
    system_size_kwp: KWP,
    arrays: [{ azimuthDeg: 180, inclinationDeg: 30, kwp: KWP }],
    feed_in_price: '0.08',
    purchase_price: '0.32',
    currency: 'EUR',
    latest: { state: 'normal' },
    ...columns,
  });
  const datalogger = await plants.addDatalogger(site.id);
  const inverter = await plants.addDevice(site.id, datalogger.id, { rated_power_w: 10_000 });
  return { ...site, ...place, inverter };
}

interface Told {
  strings?: Strings;
  /** Share of the clear light that the sky lets through. */
  clearness?: number;
  /** Strings on each tracker. */
  trackers?: readonly number[];
  version?: number;
  /** What the datalogger makes of a power, W, by the bucket of the day; counters are not fooled. */
  misread?: (watts: number, at: number) => number;
  /** Whether counters tell the energy; else it is integrated from what the power is told to be. */
  isCounted?: boolean;
}

/**
 * Days of roofs: what the sun could give, less what their strings lack, all of it used in the house. Written together, since each writing takes
 * the store about as long as all.
 */
export async function addRoofDays(
  plants: PlantsFixture,
  told: readonly { roof: Roof; days: readonly string[]; told?: Told }[],
): Promise<void> {
  const rows = { site: [] as Row[], device: [] as Row[], raw: [] as Row[] };
  for (const { roof, days, told: how } of told) for (const day of days) putDay(rows, roof, day, how ?? {});
  await plants.insert('site_5m', rows.site);
  await plants.insert('device_5m', rows.device);
  await plants.insert(rawTableOf('inverter').name, rows.raw);
}

type Row = Record<string, unknown>;

const columnOf = (point: string, value: number): [string, number][] =>
  rawTableOf('inverter')
    .numbers.filter((number) => number.point.name === point)
    .map((number) => [number.column, Math.round(value * number.point.steps)]);

function putDay(
  rows: { site: Row[]; device: Row[]; raw: Row[] },
  { key, inverter, latitude, longitude }: Roof,
  day: string,
  { strings = whole, clearness = 0.8, trackers = [3], version = 1, misread = (watts) => watts, isCounted = true }: Told,
): void {
  const { startMs, endMs } = dayBounds(day, 'Europe/Berlin');
  const count = (endMs - startMs) / BUCKET_MS;
  const place = { latitude, longitude, altitudeM: 500 };
  const expected = expectedDay(
    { place, arrays: [{ ratedW: KWP * 1_000, tiltDeg: 30, azimuthDeg: 180 }], ratedAcW: 10_000, commissionedMs: null },
    skies.of(place, startMs, count),
  );
  if (expected === null) throw new Error('a roof has a size');
  const { expectedW } = powerAtClearness(expected, new Float64Array(count).fill(clearness));
  const share = strings.reduce((sum, each) => sum + each, 0) / strings.length;
  for (const [at, all] of expectedW.entries()) {
    const ts = startMs / 1_000 + at * 300;
    const givenW = all * share;
    const watts = misread(givenW, at);
    rows.site.push({
      site: key,
      ts,
      version,
      qualities: isCounted ? 0 : marksOf({ pv: 'estimated', acOut: 'estimated' }),
      pv_w: watts,
      load_w: watts + 4_000,
      grid_w: 4_000,
      battery_w: 0,
      pv_wh: (isCounted ? givenW : watts) / EFFICIENCY / 12,
    });
    rows.device.push({ device: inverter.key, ts, version, samples: 5, ac_w: watts, pv_w: watts / EFFICIENCY });
    const amps = strings.map((each) => ((all / 3) * each) / TRACKER_V);
    rows.raw.push({
      device: inverter.key,
      ts: ts * 1_000,
      received: ts * 1_000 + version,
      ...Object.fromEntries([
        ...amps.flatMap((each, string) => columnOf(`DC/String${string + 1}/Current`, each)),
        ...trackers.flatMap((count, place) => {
          const first = trackers.slice(0, place).reduce((sum, each) => sum + each, 0);
          const sumA = amps.slice(first, first + count).reduce((sum, each) => sum + each, 0);
          const name = `DC/Mppt${place + 1}`;
          return [
            ...columnOf(`${name}/Voltage`, TRACKER_V),
            ...columnOf(`${name}/Current`, sumA),
            ...columnOf(`${name}/Power`, sumA * TRACKER_V),
          ];
        }),
      ]),
    });
  }
}
