import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { DEFAULT_GAP_MS, type DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import { deviceClass, type SiteDevice } from '@sonnenwarte/energy/accounting/site-topology';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { DEVICE_5M_READ, readDeviceBucket } from './rollup-tables.ts';

/** A device that has been silent for less than this is only late: its next report tells what it did meanwhile. */
const LATE_MS = DEFAULT_GAP_MS + BUCKET_MS;
/** Longer than any night of which a roof plant wakes up. */
const LONGEST_SLEEP_MS = 20 * 3_600_000;
/** A device that has been silent for longer is not waited for any more. */
export const RETIRED_AFTER_MS = 7 * 86_400_000;
const IDLE_W = 50;
const IDLE_SHARE = 0.02;
const SLEEPERS: readonly string[] = ['inverter', 'battery', 'pile'];

/** The last bucket of each device, before a time, in which it was heard; none where that is too long ago to matter. */
export async function lastHeard(
  telemetry: Pick<TelemetryHandle, 'client'>,
  keys: readonly number[],
  beforeMs: number,
): Promise<Map<number, DeviceBucket>> {
  const found = new Map<number, DeviceBucket>();
  await eachRowOf(
    telemetry.client,
    keys,
    (list) => `SELECT ${DEVICE_5M_READ} FROM device_5m FINAL
     WHERE device IN (${list}) AND ts < ${Math.round(beforeMs / 1_000)}
       AND ts >= ${Math.max(0, Math.round((beforeMs - RETIRED_AFTER_MS) / 1_000))} AND samples > 0
     ORDER BY device, ts DESC LIMIT 1 BY device`,
    (rows) => {
      const { device, bucket } = readDeviceBucket(rows);
      found.set(device, bucket);
    },
  );
  return found;
}

/** What the silence of a device in a bucket means. */
export type Silence = 'late' | 'asleep' | 'retired' | 'missing';

/**
 * @param last bucket in which it was heard last; undefined where that was more than a week ago, or never.
 * @param isReplaced whether another device of its class was heard for the first time since.
 */
export function silenceOf(
  device: SiteDevice,
  last: DeviceBucket | undefined,
  bucketMs: number,
  isReplaced: boolean,
): Silence {
  if (last === undefined || isReplaced) return 'retired';
  const silentMs = bucketMs - last.bucketMs;
  if (silentMs > RETIRED_AFTER_MS) return 'retired';
  if (silentMs <= LATE_MS) return 'late';
  return silentMs <= LONGEST_SLEEP_MS && fellAsleep(device, last) ? 'asleep' : 'missing';
}

/** Whether a device that may sleep did next to nothing when it was heard last. */
function fellAsleep({ kind, ratedW = 0 }: SiteDevice, { powerW, energyWh }: DeviceBucket): boolean {
  if (!SLEEPERS.includes(kind)) return false;
  const idleW = Math.max(IDLE_W, ratedW * IDLE_SHARE);
  const powers = Object.values(powerW);
  const hours = BUCKET_MS / 3_600_000;
  if (powers.length === 0 && Object.keys(energyWh).length === 0) return false;
  return powers.every((each) => Math.abs(each) <= idleW) && Object.values(energyWh).every((wh) => wh <= idleW * hours);
}

/** A sleeping device does nothing: what it told when it was heard last is nought. */
export function asleepBucket(last: DeviceBucket, bucketMs: number): DeviceBucket {
  const bucket: DeviceBucket = { bucketMs, energyWh: {}, powerW: {}, maxPowerW: {}, samples: 0, quality: 'measured' };
  for (const channel of Object.keys(last.energyWh) as (keyof typeof last.energyWh)[]) bucket.energyWh[channel] = 0;
  for (const channel of Object.keys(last.powerW) as (keyof typeof last.powerW)[]) bucket.powerW[channel] = 0;
  return bucket;
}

/** When a device was heard for the first time, as far as it counts anything. */
function firstHeardMs({ opening }: DeviceEntry): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const channel of ENERGY_CHANNELS) firstMs = Math.min(firstMs, opening[channel]?.[0] ?? firstMs);
  return firstMs;
}

interface Newcomer {
  deviceKey: number;
  firstMs: number;
}

/** Of each class of a site's devices the two that were heard for the first time last: one of them may be the silent one itself. */
export class Newcomers {
  readonly #ofClass = new Map<ReturnType<typeof deviceClass>, [last: Newcomer, secondLast?: Newcomer]>();

  constructor(site: SiteEntry, devices: readonly SiteDevice[]) {
    const described = new Map(devices.map((device) => [device.deviceKey, device]));
    for (const entry of site.devices) {
      const device = described.get(entry.key);
      const firstMs = device === undefined ? Number.POSITIVE_INFINITY : firstHeardMs(entry);
      if (device !== undefined && Number.isFinite(firstMs)) this.#add(device, firstMs);
    }
  }

  #add(device: SiteDevice, firstMs: number): void {
    const own = deviceClass(device);
    const newcomer = { deviceKey: device.deviceKey, firstMs };
    const known = this.#ofClass.get(own);
    if (known === undefined) this.#ofClass.set(own, [newcomer]);
    else if (firstMs > known[0].firstMs) this.#ofClass.set(own, [newcomer, known[0]]);
    else if (firstMs > (known[1]?.firstMs ?? Number.NEGATIVE_INFINITY)) known[1] = newcomer;
  }

  /** Whether another device of the site does since what a silent one did before. */
  hasReplaced(silent: SiteDevice, last: DeviceBucket | undefined): boolean {
    if (last === undefined) return false;
    const newest = this.#ofClass.get(deviceClass(silent));
    const other = newest?.[0].deviceKey === silent.deviceKey ? newest[1] : newest?.[0];
    return other !== undefined && other.firstMs > last.bucketMs;
  }
}
