import type { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { batteryStatusCodes, batteryStatusOf } from '@sonnenwarte/contract/status';
import { fewestDigits, withoutNoise } from '@sonnenwarte/energy/rounding';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { TimedValue } from '../stores/schema-plants.ts';
import { agingDays, batteryLatest, visibleDevice } from './batteries.store.ts';

type Info = Result<typeof batteryEndpoints.batteryInfo>;

/** State of the battery of an inverter, or of a battery itself; without one, or while it does not report, nothing is known. */
export async function batteryInfoOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id }: Parsed<typeof batteryEndpoints.batteryInfo>,
  { scope }: Scoped,
): Promise<Info> {
  const device = found(await visibleDevice(db, scope, id), 'deviceNotFound');
  const latest = await batteryLatest(db, device, nowMs());
  const battery = latest?.state === 'offline' ? undefined : latest;
  const values: Readonly<Record<string, TimedValue>> = battery?.values ?? {};
  const point = (name: string): number | null => {
    const value = values[name]?.[0];
    return typeof value === 'number' ? fewestDigits(value) : null;
  };
  const powerW = point('Bat/Power') ?? withoutNoise(battery?.power_w ?? null);
  const remainingKwh = point('Bat/RemainingEnergy');
  return {
    status: batteryStatusCodes[batteryStatusOf(point('Bat/State'), powerW)],
    soc: point('Bat/Soc') ?? withoutNoise(battery?.soc_percent ?? null),
    volt: point('Bat/Voltage'),
    current: point('Bat/Current'),
    power: powerW,
    temperature: point('Bat/Temperature'),
    residual: remainingKwh === null ? null : withoutNoise(remainingKwh * 1_000),
  };
}

const YEAR_MS = 366 * 86_400_000;

/** How a battery ages, day by day; of another device nothing is known. */
export async function batteryAgingOf(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  { id }: Parsed<typeof batteryEndpoints.batteryAging>,
  { scope }: Scoped,
): Promise<Result<typeof batteryEndpoints.batteryAging>> {
  const device = found(await visibleDevice(db, scope, id), 'deviceNotFound');
  if (device.kind !== 'battery') return { days: [] };
  const days = await agingDays(telemetry, device.key, device.time_zone ?? 'UTC', nowMs() - YEAR_MS);
  return {
    days: days.map(({ day, soh, cycles, spread }) => ({
      day,
      sohPercent: withoutNoise(soh),
      cycles: withoutNoise(cycles),
      spreadMv: spread === null ? null : Math.round(spread * 1_000),
    })),
  };
}
