import type { DeviceBucket, EnergyChannel, PowerChannel } from '@sonnenwarte/energy/accounting/buckets';
import type { Flows } from '@sonnenwarte/energy/accounting/flows';
import { markOf, qualityAt, worseQuality } from '@sonnenwarte/energy/accounting/quality';
import type { SiteBucket } from '@sonnenwarte/energy/accounting/site-balance';
import { MARKED_QUANTITIES, marksOf } from '@sonnenwarte/energy/accounting/site-marks';
import type { RowReader } from '../ingestion/samples/row-reader.ts';
import { dayNumber, RowBuffer, secondsOf } from '../stores/row-buffer.ts';

/** Rows of the rollup tables, as they are written and read. */

/** What a day earned, saved and paid for what was bought; null without a price or without the energies that it needs. */
export interface Money {
  income: string | null;
  saving: string | null;
  paid: string | null;
}

const DEVICE_ENERGIES: readonly [column: string, channel: EnergyChannel][] = [
  ['pv_wh', 'pv'],
  ['ac_out_wh', 'acOut'],
  ['ac_in_wh', 'acIn'],
  ['load_wh', 'load'],
  ['charge_wh', 'charge'],
  ['discharge_wh', 'discharge'],
  ['import_wh', 'import'],
  ['export_wh', 'export'],
  ['external_wh', 'external'],
  ['eps_wh', 'eps'],
  ['charger_wh', 'charger'],
];
const DEVICE_POWERS: readonly [column: string, channel: PowerChannel][] = [
  ['pv_w', 'pv'],
  ['ac_w', 'ac'],
  ['load_w', 'load'],
  ['battery_w', 'battery'],
  ['grid_w', 'grid'],
  ['external_w', 'external'],
  ['eps_w', 'eps'],
  ['charger_w', 'charger'],
];

const DEVICE_DATA = [
  'samples',
  'qualities',
  'soc_percent',
  ...[...DEVICE_ENERGIES, ...DEVICE_POWERS].map(([name]) => name),
];
export const DEVICE_5M_COLUMNS: readonly string[] = ['device', 'ts', 'version', ...DEVICE_DATA];
export const DEVICE_5M_READ = `device, toUInt32(ts), ${DEVICE_DATA.join(', ')}`;

export function putDeviceBucket(rows: RowBuffer, device: number, bucket: DeviceBucket, version: number): void {
  rows.uint32(device);
  rows.uint32(secondsOf(bucket.bucketMs));
  rows.int64(version);
  putDeviceData(rows, bucket);
  rows.rows += 1;
}

function putDeviceData(rows: RowBuffer, bucket: DeviceBucket): void {
  rows.uint16(Math.min(65_535, bucket.samples));
  rows.uint32(deviceMarks(bucket));
  rows.float32(bucket.socPercent);
  for (const [, channel] of DEVICE_ENERGIES) rows.float64(bucket.energyWh[channel]);
  for (const [, channel] of DEVICE_POWERS) rows.float32(bucket.powerW[channel]);
}

function deviceMarks({ energyQuality }: DeviceBucket): number {
  if (energyQuality === undefined) return 0;
  return DEVICE_ENERGIES.reduce((marks, [, channel], place) => {
    const quality = energyQuality[channel];
    return quality === undefined ? marks : marks | markOf(quality, place);
  }, 0);
}

/** Length of what follows device and time when `DEVICE_5M_READ` is read. */
export const DEVICE_5M_DATA_BYTES = 2 + 4 + 4 + 8 * DEVICE_ENERGIES.length + 4 * DEVICE_POWERS.length;

/** A bucket as it is stored, to see whether it has changed. */
export function deviceBucketData(bucket: DeviceBucket): Buffer {
  const rows = new RowBuffer(DEVICE_5M_DATA_BYTES);
  putDeviceData(rows, bucket);
  return rows.body();
}

export function readDeviceBucket(rows: RowReader): { device: number; bucket: DeviceBucket } {
  const device = rows.uint32();
  const bucketMs = rows.uint32() * 1_000;
  return { device, bucket: readDeviceData(rows, bucketMs) };
}

/** What follows device and time. */
export function readDeviceData(rows: RowReader, bucketMs: number): DeviceBucket {
  const samples = rows.uint16();
  const marks = rows.uint32();
  const bucket: DeviceBucket = { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples, quality: 'measured' };
  const socPercent = rows.float32();
  if (!Number.isNaN(socPercent)) bucket.socPercent = socPercent;
  for (let place = 0; place < DEVICE_ENERGIES.length; place += 1) {
    const channel = (DEVICE_ENERGIES[place] as (typeof DEVICE_ENERGIES)[number])[1];
    const energyWh = rows.float64();
    if (Number.isNaN(energyWh)) continue;
    bucket.energyWh[channel] = energyWh;
    const quality = qualityAt(marks, place);
    if (quality === 'measured') continue;
    bucket.energyQuality ??= {};
    bucket.energyQuality[channel] = quality;
    bucket.quality = worseQuality(bucket.quality, quality);
  }
  for (const [, channel] of DEVICE_POWERS) {
    const powerW = rows.float32();
    if (!Number.isNaN(powerW)) bucket.powerW[channel] = powerW;
  }
  return bucket;
}

const FLOW_COLUMNS: readonly [column: string, flow: keyof Flows][] = [
  ['pv_to_load_wh', 'pvToLoadWh'],
  ['pv_to_charger_wh', 'pvToChargerWh'],
  ['pv_to_battery_wh', 'pvToBatteryWh'],
  ['pv_to_grid_wh', 'pvToGridWh'],
  ['external_to_load_wh', 'externalToLoadWh'],
  ['external_to_charger_wh', 'externalToChargerWh'],
  ['external_to_battery_wh', 'externalToBatteryWh'],
  ['external_to_grid_wh', 'externalToGridWh'],
  ['battery_to_load_wh', 'batteryToLoadWh'],
  ['battery_to_charger_wh', 'batteryToChargerWh'],
  ['battery_to_grid_wh', 'batteryToGridWh'],
  ['grid_to_load_wh', 'gridToLoadWh'],
  ['grid_to_charger_wh', 'gridToChargerWh'],
  ['grid_to_battery_wh', 'gridToBatteryWh'],
];
const LOSS_FLOWS = [
  'pvToLossWh',
  'externalToLossWh',
  'batteryToLossWh',
  'gridToLossWh',
] as const satisfies readonly (keyof Flows)[];
type SiteEnergyKey =
  | 'pvWh'
  | 'externalWh'
  | 'loadWh'
  | 'chargerWh'
  | 'chargeWh'
  | 'dischargeWh'
  | 'importWh'
  | 'exportWh'
  | 'acOutWh';
const SITE_ENERGIES: readonly [column: string, key: SiteEnergyKey][] = [
  ['pv_wh', 'pvWh'],
  ['external_wh', 'externalWh'],
  ['load_wh', 'loadWh'],
  ['charger_wh', 'chargerWh'],
  ['charge_wh', 'chargeWh'],
  ['discharge_wh', 'dischargeWh'],
  ['import_wh', 'importWh'],
  ['export_wh', 'exportWh'],
  ['ac_out_wh', 'acOutWh'],
];
const SITE_POWERS = [
  ['pv_w', 'pvW'],
  ['external_w', 'externalW'],
  ['battery_w', 'batteryW'],
  ['grid_w', 'gridW'],
  ['load_w', 'loadW'],
  ['charger_w', 'chargerW'],
] as const;

/** Names of the energies of a site's hour or day; the index is that of `SiteSum.energiesWh`. */
export const SITE_ENERGY_COLUMNS: readonly string[] = [
  ...[...SITE_ENERGIES, ...FLOW_COLUMNS].map(([name]) => name),
  'loss_wh',
  'fuel_wh',
  'fuel_to_grid_wh',
];
/** What of the energies that have a mark is estimated, in the order of their marks; NaN where that is not known. */
const ESTIMATED_COLUMNS: readonly string[] = [
  'estimated_pv_wh',
  'estimated_external_wh',
  'estimated_load_wh',
  'estimated_charger_wh',
  'estimated_charge_wh',
  'estimated_discharge_wh',
  'estimated_import_wh',
  'estimated_export_wh',
  'estimated_ac_out_wh',
];
const SITE_SUM_COLUMNS: readonly string[] = [...SITE_ENERGY_COLUMNS, ...ESTIMATED_COLUMNS];
export const SITE_5M_COLUMNS: readonly string[] = [
  'site',
  'ts',
  'version',
  'qualities',
  'soc_percent',
  ...SITE_SUM_COLUMNS,
  ...SITE_POWERS.map(([name]) => name),
];

export function putSiteBucket(rows: RowBuffer, site: number, bucket: SiteBucket, version: number): void {
  rows.uint32(site);
  rows.uint32(secondsOf(bucket.bucketMs));
  rows.int64(version);
  rows.uint32(marksOf(bucket.qualities));
  rows.float32(bucket.socPercent);
  for (const energyWh of siteEnergies(bucket)) rows.float64(energyWh);
  for (const estimatedWh of siteEstimates(bucket)) rows.float64(estimatedWh);
  for (const [, key] of SITE_POWERS) rows.float32(bucket[key]);
  rows.rows += 1;
}

/** Energies of a bucket in the order of `SITE_ENERGY_COLUMNS`, NaN where one is not known. */
function siteEnergies(bucket: SiteBucket): number[] {
  const { flows } = bucket;
  return [
    ...SITE_ENERGIES.map(([, key]) => bucket[key] ?? Number.NaN),
    ...FLOW_COLUMNS.map(([, flow]) => flows?.[flow] ?? Number.NaN),
    flows === undefined ? Number.NaN : LOSS_FLOWS.reduce((sum, flow) => sum + flows[flow], 0),
    bucket.fuelWh ?? Number.NaN,
    bucket.fuelToGridWh ?? Number.NaN,
  ];
}

function siteEstimates({ estimatedWh }: SiteBucket): number[] {
  return MARKED_QUANTITIES.map((name) => estimatedWh[name] ?? 0);
}

/** A site's hour or day: sums of what is known, NaN where nothing is. What of them is estimated is known only where it is of all parts. */
export class SiteSum {
  readonly energiesWh: number[] = new Array<number>(SITE_ENERGY_COLUMNS.length).fill(Number.NaN);
  /** By `MARKED_QUANTITIES`. */
  readonly estimatedWh: number[] = new Array<number>(MARKED_QUANTITIES.length).fill(0);
  /** See `marksOf`. */
  qualities = 0;

  addBucket(bucket: SiteBucket): void {
    this.add(marksOf(bucket.qualities), siteEnergies(bucket), siteEstimates(bucket));
  }

  add(qualities: number, energiesWh: readonly number[], estimatedWh: readonly number[]): void {
    this.qualities |= qualities;
    for (let index = 0; index < estimatedWh.length; index += 1)
      this.estimatedWh[index] = (this.estimatedWh[index] as number) + (estimatedWh[index] as number);
    for (let index = 0; index < energiesWh.length; index += 1) {
      const value = energiesWh[index] as number;
      if (Number.isNaN(value)) continue;
      const sum = this.energiesWh[index] as number;
      this.energiesWh[index] = Number.isNaN(sum) ? value : sum + value;
    }
  }

  energyWh(column: string): number | undefined {
    const value = this.energiesWh[SITE_ENERGY_COLUMNS.indexOf(column)];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }
}

export const SITE_ENERGIES_READ = `qualities, ${SITE_SUM_COLUMNS.join(', ')}`;

const readEnergies: number[] = new Array<number>(SITE_ENERGY_COLUMNS.length).fill(0.5);
const readEstimates: number[] = new Array<number>(MARKED_QUANTITIES.length).fill(0.5);

/** Adds qualities and energies of a row to a sum; `undefined` skips them. */
export function addEnergies(rows: RowReader, sum: SiteSum | undefined): void {
  const qualities = rows.uint32();
  for (let index = 0; index < readEnergies.length; index += 1) readEnergies[index] = rows.float64();
  for (let index = 0; index < readEstimates.length; index += 1) readEstimates[index] = rows.float64();
  sum?.add(qualities, readEnergies, readEstimates);
}

export const SITE_HOUR_COLUMNS: readonly string[] = [
  'site',
  'ts',
  'day',
  'hour',
  'version',
  'qualities',
  ...SITE_SUM_COLUMNS,
];

export function putSiteHour(
  rows: RowBuffer,
  hour: { site: number; tsMs: number; day: string; index: number; sum: SiteSum },
  version: number,
): void {
  rows.uint32(hour.site);
  rows.uint32(secondsOf(hour.tsMs));
  rows.uint16(dayNumber(hour.day));
  rows.uint8(hour.index);
  rows.int64(version);
  putSum(rows, hour.sum);
  rows.rows += 1;
}

export const SITE_DAY_COLUMNS: readonly string[] = [
  'site',
  'day',
  'version',
  'qualities',
  ...SITE_SUM_COLUMNS,
  'income',
  'saving',
  'paid',
];

export function putSiteDay(
  rows: RowBuffer,
  entry: Money & { site: number; day: string; sum: SiteSum },
  version: number,
): void {
  rows.uint32(entry.site);
  rows.uint16(dayNumber(entry.day));
  rows.int64(version);
  putSum(rows, entry.sum);
  for (const amount of [entry.income, entry.saving, entry.paid]) putMoney(rows, amount);
  rows.rows += 1;
}

function putSum(rows: RowBuffer, { qualities, energiesWh, estimatedWh }: SiteSum): void {
  rows.uint32(qualities);
  for (const wh of energiesWh) rows.float64(wh);
  for (const wh of estimatedWh) rows.float64(wh);
}

/** A decimal of six places, as the type Decimal(18, 6) is stored. */
function putMoney(rows: RowBuffer, amount: string | null): void {
  rows.uint8(amount === null ? 1 : 0);
  if (amount !== null) rows.bigint(BigInt(amount.replace('.', '')));
}
