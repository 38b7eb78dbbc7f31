import type { ClickHouseClient } from '@clickhouse/client';
import { BUCKET_MS } from '@sonnenwarte/energy/insight/plant-day';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import { type DaySpan, devicesOfKind, type ToldInverter } from './day-readings.ts';
import type { InsightDevice, InsightPlant } from './plants.store.ts';

/** When a device was heard before a day, epoch ms. */
interface Heard {
  firstMs: number;
  lastMs: number;
}

/** Buckets of a day in which a device belonged to its plant, the last not included. */
interface Stay {
  from: number;
  until: number;
}

/** Who has a size only, has it by the light of the day: what was there from 6 to 18 o'clock. */
const DAYTIME = [0.25, 0.75] as const;

const isHeardAt = (heard: Uint8Array | undefined): boolean => heard?.includes(1) ?? false;

/**
 * Plants with the inverters that they had on a day, by what was recorded: what was first heard later is neither silent before nor part of the
 * plant, nor is what another has replaced. Where no arrays are entered, the size follows: what is entered is that of all the inverters of today.
 * Of what is left, buckets in which it was not there yet or no more count as heard.
 */
export async function plantsThen(
  telemetry: ClickHouseClient,
  plants: readonly InsightPlant[],
  told: ReadonlyMap<number, ToldInverter>,
  span: DaySpan,
): Promise<InsightPlant[]> {
  const heardOf = ({ key }: InsightDevice) => told.get(key)?.heard;
  const before = await heardBefore(
    telemetry,
    plants.flatMap((plant) => uncertain(plant, heardOf, span)),
    span,
  );
  return plants.map((plant) => {
    const inverters = devicesOfKind([plant], 'inverter');
    const stays = staysOf(inverters, heardOf, before, span);
    for (const [{ key }, { from, until }] of stays) told.get(key)?.heard.fill(1, 0, from).fill(1, until);
    if (stays.size === inverters.length && [...stays.values()].every((each) => isWhole(each, span))) return plant;
    return {
      ...plant,
      devices: plant.devices.filter((device) => device.kind !== 'inverter' || stays.has(device)),
      systemSizeKwp: plant.systemSizeKwp * sizeShare(inverters, stays, span),
    };
  });
}

/** Plants of which only the powers are read, with the inverters that were heard until the end of a day, as far as that is known. */
export const plantsBy = (plants: readonly InsightPlant[], { startMs, count }: DaySpan): InsightPlant[] =>
  plants.map((plant) => {
    const endMs = startMs + count * BUCKET_MS;
    const devices = plant.devices.filter(({ firstMs }) => firstMs === null || firstMs < endMs);
    if (devices.length === plant.devices.length) return plant;
    const stays = new Map(devices.map((device) => [device, { from: 0, until: count }]));
    const share = sizeShare(devicesOfKind([plant], 'inverter'), stays, { startMs, count });
    return { ...plant, devices, systemSizeKwp: plant.systemSizeKwp * share };
  });

const isWhole = ({ from, until }: Stay, { count }: DaySpan): boolean => from === 0 && until === count;

/** Inverters of which the day alone does not tell whether they were there: nobody knows their first day, or nothing was heard of them. */
function uncertain(
  plant: InsightPlant,
  heardOf: (device: InsightDevice) => Uint8Array | undefined,
  { startMs }: DaySpan,
): InsightDevice[] {
  const inverters = devicesOfKind([plant], 'inverter');
  const isAnySilent = inverters.some((device) => !isHeardAt(heardOf(device)));
  return inverters.filter(
    (device) =>
      !isHeardAt(heardOf(device)) ||
      ((device.firstMs === null || device.firstMs >= startMs) && (isAnySilent || heardOf(device)?.[0] === 0)),
  );
}

async function heardBefore(
  telemetry: ClickHouseClient,
  devices: readonly InsightDevice[],
  { startMs }: DaySpan,
): Promise<Map<number, Heard>> {
  const found = new Map<number, Heard>();
  await eachRowOf(
    telemetry,
    devices.map(({ key }) => key),
    (list) => `SELECT device, toUInt32(min(ts)), toUInt32(max(ts)) FROM device_5m
      WHERE device IN (${list}) AND ts < toDateTime(${startMs / 1_000}, 'UTC') AND samples > 0 GROUP BY device`,
    (rows) => {
      const key = rows.uint32();
      found.set(key, { firstMs: rows.uint32() * 1_000, lastMs: rows.uint32() * 1_000 });
    },
  );
  return found;
}

function staysOf(
  inverters: readonly InsightDevice[],
  heardOf: (device: InsightDevice) => Uint8Array | undefined,
  before: ReadonlyMap<number, Heard>,
  { startMs, count }: DaySpan,
): Map<InsightDevice, Stay> {
  const timeOf = (bucket: number): number => startMs + bucket * BUCKET_MS;
  const found = inverters.flatMap((device) => {
    const heard = heardOf(device) ?? new Uint8Array(count);
    const former = before.get(device.key);
    const [first, last] = [heard.indexOf(1), heard.lastIndexOf(1)];
    const isFormer = former !== undefined || first === 0 || (device.firstMs !== null && device.firstMs < startMs);
    if (!isFormer && first === -1) return [];
    const firstMs = former?.firstMs ?? (isFormer ? (device.firstMs ?? startMs) : timeOf(first));
    // Nobody knows when one was heard last that has been silent since its counters were read first.
    const lastMs = last >= 0 ? timeOf(last) : (former?.lastMs ?? firstMs);
    return [{ device, from: isFormer ? 0 : first, firstMs, lastMs }];
  });
  const stays = new Map<InsightDevice, Stay>();
  for (const { device, from, lastMs } of found) {
    const successors = found.filter((other) => other.device !== device && other.firstMs > lastMs);
    const replacedMs = Math.min(...successors.map(({ firstMs }) => firstMs));
    const until = Math.min(count, Math.max(0, Math.floor((replacedMs - startMs) / BUCKET_MS)));
    if (until > 0) stays.set(device, { from, until });
  }
  return stays;
}

/** Of all the inverters of today by their ratings, how much was there in daytime; 1 where a rating is not known. */
function sizeShare(
  inverters: readonly InsightDevice[],
  stays: ReadonlyMap<InsightDevice, Stay>,
  { count }: DaySpan,
): number {
  const [start, end] = DAYTIME.map((part) => Math.round(part * count)) as [number, number];
  let thereW = 0;
  let allW = 0;
  for (const device of inverters) {
    if (device.ratedPowerW === null || device.ratedPowerW <= 0) return 1;
    allW += device.ratedPowerW;
    const stay = stays.get(device);
    if (stay === undefined) continue;
    const buckets = Math.max(0, Math.min(end, stay.until) - Math.max(start, stay.from));
    thereW += (device.ratedPowerW * buckets) / Math.max(1, end - start);
  }
  return thereW > 0 && allW > 0 ? thereW / allW : 1;
}
