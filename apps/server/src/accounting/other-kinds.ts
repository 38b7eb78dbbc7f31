import { deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import type { DeviceBucket } from '@sonnenwarte/energy/accounting/buckets';
import type { EnergyChannel, PowerChannel } from '@sonnenwarte/energy/accounting/channels';
import { POWER_OF_ENERGY } from '@sonnenwarte/energy/accounting/channels';
import type { DeviceKind } from '@sonnenwarte/energy/accounting/device-sample';
import { worseQuality } from '@sonnenwarte/energy/accounting/quality';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { RowReader, readRows } from '../ingestion/samples/row-reader.ts';
import type { KindLayout } from '../ingestion/sessions/kinds.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { rawTable } from '../stores/telemetry-tables.ts';
import { readDeviceData } from './rollup-tables.ts';

/** Powers that a kind of device can tell, in whatever role. */
const POWERS: Record<DeviceKind, readonly PowerChannel[]> = {
  inverter: ['pv', 'ac', 'load', 'external', 'eps'],
  meter: ['grid', 'load', 'external'],
  battery: ['battery'],
  pile: ['charger'],
  ems: ['pv', 'battery', 'grid', 'load'],
  gateway: ['pv', 'battery', 'grid', 'load'],
};

/** Whether a written bucket has quantities that a kind of device cannot tell: the device was told as another kind before. */
export function hasForeign(data: Buffer, kind: DeviceKind): boolean {
  const { energyWh, powerW } = foreignOf(readDeviceData(new RowReader(data), 0), kind);
  return Object.keys(energyWh).length > 0 || Object.keys(powerW).length > 0;
}

/** A bucket with what stands in its place and a kind of device cannot tell. */
export function withForeign(bucket: DeviceBucket, data: Buffer, kind: DeviceKind): DeviceBucket {
  const old = readDeviceData(new RowReader(data), bucket.bucketMs);
  const { energyWh, powerW } = foreignOf(old, kind);
  if (Object.keys(energyWh).length === 0 && Object.keys(powerW).length === 0) return bucket;
  return {
    ...bucket,
    energyWh: { ...energyWh, ...bucket.energyWh },
    powerW: { ...powerW, ...bucket.powerW },
    quality: worseQuality(bucket.quality, old.quality),
  };
}

function foreignOf(bucket: DeviceBucket, kind: DeviceKind): Pick<DeviceBucket, 'energyWh' | 'powerW'> {
  const own = POWERS[kind];
  const isForeign = (power: PowerChannel) => !own.includes(power);
  return {
    energyWh: Object.fromEntries(
      Object.entries(bucket.energyWh).filter(([energy]) => isForeign(POWER_OF_ENERGY[energy as EnergyChannel].power)),
    ),
    powerW: Object.fromEntries(Object.entries(bucket.powerW).filter(([power]) => isForeign(power as PowerChannel))),
  };
}

/** Spans of rows that devices have in the tables of other kinds, by `devices.key` and kind. */
export async function rowsOfOtherKinds(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  keys: readonly number[],
  fromMs: number,
  toMs: number,
): Promise<Map<number, (readonly [firstMs: number, lastMs: number])[]>> {
  const found = new Map<number, (readonly [firstMs: number, lastMs: number])[]>();
  for (const other of deviceKinds) {
    if (other === kind.kind || other === 'logger') continue;
    const rows = await readRows(
      telemetry.client,
      `SELECT device, toInt64(toUnixTimestamp64Milli(min(ts))), toInt64(toUnixTimestamp64Milli(max(ts)))
       FROM ${rawTable(other)} WHERE device IN (${keys.join(',')})
         AND ts >= fromUnixTimestamp64Milli(${fromMs}, 'UTC') AND ts <= fromUnixTimestamp64Milli(${toMs}, 'UTC')
       GROUP BY device`,
    );
    while (rows.hasMore) entryOf(found, rows.uint32(), () => []).push([rows.int64(), rows.int64()]);
  }
  return found;
}
