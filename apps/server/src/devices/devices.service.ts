import type { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { batteryStatusOf, statusCodeOf } from '@sonnenwarte/contract/status';
import { type Point, pointByName, pointLabelKey, pointLabelsEn } from '@sonnenwarte/device-protocol/points/points';
import { dayBounds, formatPlantTime, localDay, zoneOffsetMs } from '@sonnenwarte/energy/calendar';
import { fewestDigits } from '@sonnenwarte/energy/rounding';
import { toDeviceRow, toLatestValues } from '../device-rows/device-row.ts';
import { devicesNow } from '../device-rows/device-rows.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { countryName } from '../map/countries.ts';
import type { Uses } from '../services.ts';
import { figuresOf, type SiteStores } from '../sites/sites.service.ts';
import { activeAlarms, deviceFrame, deviceIdentity, surroundingsOf } from './devices.store.ts';
import { samplesOf } from './samples.store.ts';

type Inverters = typeof deviceEndpoints;

const HOUR_MS = 3_600_000;

/** Identity of a device. */
export async function addressbookOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { deviceID: id }: Parsed<Inverters['addressbook']>,
  { scope }: Scoped,
): Promise<Result<Inverters['addressbook']>> {
  const device = found(await deviceIdentity(db, scope, id, nowMs()), 'deviceNotFound');
  const { grid_connected_on: connectedOn, time_zone: zone } = device;
  return {
    deviceSN: device.sn,
    plantName: device.site_name ?? '',
    moduleSN: device.logger_sn,
    deviceType: device.model,
    status: statusCodeOf(device.state),
    state: device.state,
    country: countryName(device.country ?? ''),
    countryCode: device.country ?? '',
    city: device.city ?? '',
    address: device.address ?? '',
    feedinDate:
      connectedOn === null || zone === null ? '' : formatPlantTime(dayBounds(connectedOn, zone).startMs, zone),
    hardwareVersion: device.hardware,
    softVersion: {
      master: device.version_master,
      slave: device.version_slave,
      manager: device.version_manager,
      afci: device.version_afci,
    },
    protocolVersion: device.profile,
  };
}

function labelOf(name: string): string {
  const label = pointLabelKey(name);
  const text = label === undefined ? undefined : pointLabelsEn[label.key];
  return text?.replace('{{n}}', String(label?.n ?? '')) ?? name;
}

/** Points that a device has reported, in the order of the catalogue's names. */
export async function variablesOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { deviceID: id }: Parsed<Inverters['variables']>,
  { scope }: Scoped,
): Promise<Result<Inverters['variables']>> {
  const device = found(await deviceFrame(db, scope, id, nowMs()), 'deviceNotFound');
  const points = device.points.flatMap((name) => pointByName(device.kind, name) ?? []);
  return {
    variables: points
      .map(({ name, unit }) => ({ variable: name, name: labelOf(name), unit }))
      .sort((a, b) => (a.variable < b.variable ? -1 : 1)),
  };
}

/** Newest values of a device and its active alarms. */
export async function realOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { deviceID: id }: Parsed<Inverters['real']>,
  { scope }: Scoped,
): Promise<Result<Inverters['real']>> {
  const [now] = await devicesNow(db, scope, [id], nowMs());
  const device = found(now, 'deviceNotFound');
  const alarms = await activeAlarms(db, device.id);
  return {
    device: toDeviceRow(device),
    values: toLatestValues(device),
    alarms: alarms.map(({ code, level, since }) => ({ code, level, sinceMs: since.getTime() })),
  };
}

/** What a device stands beside. Of several batteries the powers add up, and the state of charge is their mean. */
export async function deviceSurroundings(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { deviceID: id }: Parsed<Inverters['surroundings']>,
  { scope }: Scoped,
): Promise<Result<Inverters['surroundings']>> {
  const device = found(await surroundingsOf(db, scope, id, nowMs()), 'deviceNotFound');
  const { batteries } = device;
  const told = (values: readonly (number | null)[]): number[] | null =>
    values.length > 0 && values.every((value) => value !== null) ? (values as number[]) : null;
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const powers = told(batteries.map(({ power_w }) => power_w));
  const socs = told(batteries.map(({ soc_percent }) => soc_percent));
  const powerW = powers && sum(powers);
  const [first] = batteries;
  const times = batteries.flatMap(({ ts }) => ts?.getTime() ?? []);
  return {
    moduleOnline: device.logger_is_online === true,
    arrays: (device.arrays ?? []).map(({ azimuthDeg, inclinationDeg, kwp }) => ({ azimuthDeg, inclinationDeg, kwp })),
    battery:
      first === undefined
        ? null
        : {
            powerW,
            socPercent: socs && sum(socs) / socs.length,
            batteryStatus: batteryStatusOf(batteries.length === 1 ? first.battery_state : null, powerW),
            updatedAtMs: times.length === 0 ? null : Math.min(...times),
          },
  };
}

type BeginDate = Parsed<Inverters['historyRaw']>['beginDate'];

/** The instant of a plant's wall clock; in the hour that is repeated, the first of the two. */
function instantOf(begin: BeginDate, timeZone: string): number {
  const wallMs = Date.UTC(begin.year, begin.month - 1, begin.day, begin.hour, begin.minute, begin.second);
  if (new Date(wallMs).getUTCDate() !== begin.day) {
    throw new CallError('refusedInput', {
      fields: [{ path: 'beginDate.day', reason: 'invalid_value', params: {} }],
    });
  }
  const earlier = wallMs - zoneOffsetMs(wallMs - 24 * HOUR_MS, timeZone);
  return earlier + zoneOffsetMs(earlier, timeZone) === wallMs ? earlier : wallMs - zoneOffsetMs(earlier, timeZone);
}

function spanOf(timespan: 'hour' | 'day', begin: BeginDate, timeZone: string): { startMs: number; endMs: number } {
  const startMs = instantOf(begin, timeZone);
  return timespan === 'hour' ? { startMs, endMs: startMs + HOUR_MS } : dayBounds(localDay(startMs, timeZone), timeZone);
}

/** Samples of points of a device, as they were told: also what is shown as 0 elsewhere. Names that the catalogue does not know are left out. */
export async function historyRawOf(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  input: Parsed<Inverters['historyRaw']>,
  { scope }: Scoped,
): Promise<Result<Inverters['historyRaw']>> {
  const device = found(await deviceFrame(db, scope, input.deviceID, nowMs()), 'deviceNotFound');
  const points = [...new Set(input.variables)].flatMap((name): Point[] => {
    const point = pointByName(device.kind, name);
    return point === undefined ? [] : [point];
  });
  if (points.length === 0) return [];
  const span = spanOf(input.timespan, input.beginDate, device.timeZone);
  const { timesMs, values } = await samplesOf(telemetry, device, points, span);
  const times = timesMs.map((tsMs) => formatPlantTime(tsMs, device.timeZone));
  return points.map((point, place) => {
    const data: { time: string; tsMs: number; value: number | string }[] = [];
    for (const [at, value] of values[place]?.entries() ?? []) {
      if (value === null || value === '') continue;
      const told = typeof value === 'number' ? fewestDigits(value) : value;
      data.push({ time: times[at] ?? '', tsMs: timesMs[at] ?? 0, value: told });
    }
    return { variable: point.name, name: labelOf(point.name), unit: point.unit, data };
  });
}

/** `EUR(€)`, as clients of this API family read it. */
export function currencyText(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return currency;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const symbol = parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  return `${currency}(${symbol})`;
}

/** Power of an inverter now, generation and earnings of its plant. */
export async function earningsOf(
  stores: SiteStores,
  { deviceID: id }: Parsed<Inverters['earnings']>,
  { scope }: Scoped,
): Promise<Result<Inverters['earnings']>> {
  const { site, powerW } = found(await deviceFrame(stores.db, scope, id, stores.nowMs()), 'deviceNotFound');
  const plant = site === null ? undefined : await figuresOf(stores, site);
  const earned = (period: 'today' | 'month' | 'year' | 'total') => {
    const { income = null, saving = null } = plant?.figures[period] ?? {};
    const outputWh = plant?.outputWh(period) ?? null;
    return {
      generation: outputWh === null ? null : outputWh / 1_000,
      earnings: income === null && saving === null ? null : Number(income ?? 0) + Number(saving ?? 0),
    };
  };
  return {
    currency: currencyText(plant?.figures.currency ?? ''),
    power: powerW === null ? null : powerW / 1_000,
    systemCapacity: site?.systemSizeKwp ?? 0,
    today: earned('today'),
    month: earned('month'),
    year: earned('year'),
    cumulate: earned('total'),
  };
}
