import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { KinkCause as ToldCause } from '@sonnenwarte/contract/kinks/kink-cause';
import type { kinkEndpoints, Kink as ToldKink } from '@sonnenwarte/contract/kinks/kinks';
import { roundMoney, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import type { CurveDay, Series } from '@sonnenwarte/energy/kinks/curve';
import { explainKink } from '@sonnenwarte/energy/kinks/explain-kink';
import { findKinks, type Kink, lossOf } from '@sonnenwarte/energy/kinks/find-kinks';
import type { InverterSeries, KinkCause, KinkEvidence } from '@sonnenwarte/energy/kinks/kink-evidence';
import { lostMoney } from '@sonnenwarte/energy/kinks/lost-money';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { type DeviceNow, devicesNowOfSite } from '../device-rows/device-rows.store.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { believedPvOf } from '../insight/believed-pv.ts';
import type { Uses } from '../services.ts';
import { clearSkyCurve } from '../sites/clear-sky-curve.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { tariffsOf } from '../sites/prices.store.ts';
import { type CurveColumn, curve, curveColumns } from '../sites/site-energy.store.ts';
import { type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import { stringPoints, toldByInverter, toldByStation } from './device-evidence.ts';
import { alarmsBegun, correctionsWithin, neighbourKeys, pvOfDevices, pvOfPlants } from './kinks.store.ts';

type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;
type Call = typeof kinkEndpoints;

const BUCKET_MS = 300_000;
/** What was before is looked at for half an hour, what came then until after its deepest place. */
const BEFORE_MS = 30 * 60_000;
const AFTER_MS = 75 * 60_000;
/** The newest bucket may still grow. */
const LATEST_MS = BUCKET_MS;
const ALARM_MARGIN_MS = 3_600_000;
/** Inverters whose strings are read, those that fell most. */
const MOST_INVERTERS = 4;
const MOST_VARIABLES = 8;

interface Day {
  readonly site: SiteFrame;
  readonly curve: CurveDay;
  readonly series: (column: CurveColumn) => Series;
}

async function dayOf({ telemetry, nowMs }: Stores, site: SiteFrame, date: string): Promise<Day> {
  const bounds = dayBounds(date, site.timeZone);
  const { startMs, endMs } = bounds;
  const length = Math.ceil((endMs - startMs) / BUCKET_MS);
  const [rows, { powerW, mostW }] = await Promise.all([
    curve(telemetry, site, bounds),
    believedPvOf(telemetry, site, { startMs, count: length }),
  ]);
  const series = (column: CurveColumn): Series => {
    const values = new Array<number | null>(length).fill(null);
    const place = 1 + curveColumns.indexOf(column);
    for (const row of rows) values[Math.floor((row[0] * 1_000 - startMs) / BUCKET_MS)] = row[place] ?? null;
    return values;
  };
  const tsMs = Array.from({ length }, (_, place) => startMs + place * BUCKET_MS);
  return {
    site,
    series,
    curve: {
      startMs,
      bucketMs: BUCKET_MS,
      pvW: Array.from(powerW, (watts) => (Number.isNaN(watts) ? null : watts)),
      mostW,
      gridW: series('grid_w'),
      clearW: clearSkyCurve(site, tsMs),
      untilMs: Math.min(endMs, nowMs() - LATEST_MS),
    },
  };
}

const toldKink = (kink: Kink): ToldKink => ({
  shape: kink.shape,
  fromMs: kink.fromMs,
  toMs: kink.toMs,
  recovers: kink.recovers,
  lostWh: kink.shape === 'gap' ? null : withoutNoise(lossOf(kink)),
});

/** Kinks of a plant's day. */
export async function kinksOf(
  stores: Stores,
  { stationID, date }: Parsed<Call['kinks']>,
  { scope }: Scoped,
): Promise<Result<Call['kinks']>> {
  const site = found(await siteFrame(stores.db, scope, stationID), 'siteNotFound');
  return { kinks: await kinksOfSite(stores, site, date) };
}

/** Kinks of a day of a plant that the caller may see. */
export async function kinksOfSite(stores: Stores, site: SiteFrame, date: string): Promise<ToldKink[]> {
  return findKinks((await dayOf(stores, site, date)).curve).map(toldKink);
}

/** What changed at one of them. */
export async function explanationOf(
  stores: Stores,
  { stationID, date, fromMs }: Parsed<Call['explain']>,
  { scope }: Scoped,
): Promise<Result<Call['explain']>> {
  const site = found(await siteFrame(stores.db, scope, stationID), 'siteNotFound');
  const day = await dayOf(stores, site, date);
  const bounds = dayBounds(date, site.timeZone);
  const kink = findKinks(day.curve).find((each) => each.fromMs === fromMs);
  const spans = tariffSpans(await tariffsOf(stores.db, site.id), bounds, site.timeZone);
  const currency = spans.at(-1)?.tariff.currency ?? '';
  if (kink === undefined) return { kink: null, causes: [], money: null, currency, device: null };
  const devices = await devicesNowOfSite(stores.db, scope, site.id, ['inverter', 'station'], stores.nowMs());
  const evidence = await evidenceOf(stores, day, kink, devices, scope);
  const causes = explainKink(kink, evidence);
  const first = Math.floor((kink.fromMs - day.curve.startMs) / BUCKET_MS);
  const isOneCurrency = spans.every(({ tariff }) => tariff.currency === currency);
  const money = isOneCurrency ? lostMoney(kink, day.curve.gridW.slice(first), BUCKET_MS, spans) : null;
  const named = new Map(devices.map((device) => [device.id, device]));
  return {
    kink: toldKink(kink),
    causes: causes.map((cause) => toldCause(cause, named)),
    money: money === null ? null : roundMoney(money, decimalsOf(currency)),
    currency,
    device: toLookAt(causes, devices),
  };
}

async function evidenceOf(
  { db, telemetry }: Stores,
  { site, curve: { startMs, untilMs, pvW, clearW }, series }: Day,
  kink: Kink,
  devices: readonly DeviceNow[],
  scope: Scoped['scope'],
): Promise<KinkEvidence> {
  const span = {
    startMs: Math.max(startMs, kink.fromMs - BEFORE_MS),
    endMs: Math.min(untilMs, kink.toMs + BEFORE_MS, kink.fromMs + AFTER_MS),
  };
  const inverters = devices.filter(({ kind }) => kind === 'inverter');
  const station = devices.find(({ kind }) => kind === 'station');
  const keys = inverters.map(({ key }) => key);
  const near = await neighbourKeys(db, scope, site);
  const [pv, neighbours, alarms, corrections, irradianceWm2] = await Promise.all([
    // Powers through all of it: what stood later than it began is a reason too.
    pvOfDevices(telemetry, keys, { ...span, endMs: Math.max(span.endMs, Math.min(untilMs, kink.toMs)) }),
    pvOfPlants(telemetry, near, span),
    alarmsBegun(db, site.id, { startMs: kink.fromMs - ALARM_MARGIN_MS, endMs: kink.fromMs + ALARM_MARGIN_MS }),
    correctionsWithin(db, site.id, { startMs: kink.fromMs, endMs: kink.toMs }),
    station === undefined ? null : toldByStation(telemetry, station, span),
  ]);
  const first = (kink.fromMs - span.startMs) / BUCKET_MS;
  const fellMost = inverters
    .map((device) => ({ device, keptW: fallOf(pv.get(device.key) ?? [], first) }))
    .toSorted((a, b) => a.keptW - b.keptW)
    .slice(0, MOST_INVERTERS);
  const told = new Map<number, Awaited<ReturnType<typeof toldByInverter>>>();
  for (const { device } of fellMost) told.set(device.key, await toldByInverter(telemetry, device, span));
  const within = (values: Series): Series =>
    values.slice((span.startMs - startMs) / BUCKET_MS, Math.ceil((span.endMs - startMs) / BUCKET_MS));
  return {
    startMs: span.startMs,
    bucketMs: BUCKET_MS,
    pvW: within(pvW),
    clearW: clearW === null ? null : within(clearW),
    gridW: within(series('grid_w')),
    batteryW: within(series('battery_w')),
    socPercent: within(series('soc_percent')),
    inverters: inverters.map(
      (device): InverterSeries => ({
        device: device.id,
        ratedW: ratedOf(device),
        pvW: pv.get(device.key) ?? [],
        strings: told.get(device.key)?.strings ?? [],
      }),
    ),
    irradianceWm2,
    alarms,
    changes: [...corrections, ...[...told.values()].flatMap(({ changes }) => changes)],
    neighbours: [...neighbours.values()],
  };
}

/** By how much the power of an inverter changed where a kink begins, W. */
function fallOf(pvW: Series, first: number): number {
  const known = (values: Series) => values.filter((watts) => watts !== null);
  const before = known(pvW.slice(0, first)).at(-1) ?? 0;
  const after = known(pvW.slice(first, first + 6));
  return after.length === 0 ? 0 : Math.min(...after) - before;
}

function ratedOf({ values }: DeviceNow): number | null {
  const told = values?.['Rating/ActivePower']?.[0];
  return typeof told === 'number' && told > 0 ? told : null;
}

type Named = ReadonlyMap<string, DeviceNow>;

const nameOf = (named: Named, device: string) => ({ deviceID: device, deviceSN: named.get(device)?.sn ?? '' });

function toldCause(cause: KinkCause, named: Named): ToldCause {
  const { confidence } = cause;
  switch (cause.kind) {
    case 'gap':
      return { kind: 'gap', confidence, devices: cause.evidence.devices.map((device) => nameOf(named, device)) };
    case 'string': {
      const { device, kind: of, ...rest } = cause.evidence;
      return { kind: 'string', confidence, of, ...rest, device: nameOf(named, device) };
    }
    case 'alarm':
      return { kind: 'alarm', confidence, ...cause.evidence, device: nameOf(named, cause.evidence.device) };
    case 'inverter':
      return { kind: 'inverter', confidence, ...cause.evidence, device: nameOf(named, cause.evidence.device) };
    case 'correction':
      return { kind: 'correction', confidence, device: nameOf(named, cause.evidence.device) };
    case 'workMode':
      return { kind: 'workMode', confidence, ...cause.evidence, device: nameOf(named, cause.evidence.device) };
    case 'standstill':
      return { kind: 'standstill', confidence, ...cause.evidence };
    case 'clipping':
      return { kind: 'clipping', confidence, ...cause.evidence };
    case 'export-limit':
      return { kind: 'export-limit', confidence, ...cause.evidence };
    case 'battery-full':
      return { kind: 'battery-full', confidence, ...cause.evidence };
    case 'cloud':
      return { kind: 'cloud', confidence, ...cause.evidence };
  }
}

/** The inverter whose curve shows a kink: the one that the likeliest reason names, or else the first. */
function toLookAt(causes: readonly KinkCause[], devices: readonly DeviceNow[]): Result<Call['explain']>['device'] {
  const inverters = devices.filter(({ kind }) => kind === 'inverter');
  const [cause] = causes;
  const wanted = cause !== undefined && 'device' in cause.evidence ? cause.evidence.device : undefined;
  const device = inverters.find(({ id }) => id === wanted) ?? inverters[0];
  if (device === undefined) return null;
  const strings = stringPoints(device).map(({ name }) => name);
  const told = Object.keys(device.values ?? {});
  const powers = ['AC/ActivePower', 'DC/Power'].filter((name) => told.includes(name));
  const variables = cause?.kind === 'string' || cause?.kind === 'cloud' ? stringsAround(strings, cause) : powers;
  return { deviceID: device.id, deviceSN: device.sn, variables: variables.length > 0 ? variables : powers };
}

/** As many strings as a chart shows, the two that are compared first. */
function stringsAround(names: readonly string[], cause: KinkCause): string[] {
  if (cause.kind !== 'string') return names.slice(0, MOST_VARIABLES);
  const { n, other } = cause.evidence;
  const isCompared = (name: string): boolean => [n, other.n].some((each) => name.includes(`${each}/`));
  return [...names.filter(isCompared), ...names.filter((name) => !isCompared(name))].slice(0, MOST_VARIABLES);
}
