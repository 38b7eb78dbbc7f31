import type { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { TimedValue } from '../stores/schema-plants.ts';
import { batteryLatest, visibleDevice } from './batteries.store.ts';

type Info = Result<typeof batteryEndpoints.batteryInfo>;

const IDLE = 0;
const NORMAL = 1;
const CHARGING = 2;
/** From the numbers of `Bat/State` in the catalogue of points. */
const statusOfState: Readonly<Record<number, number>> = { 1: CHARGING, 2: NORMAL, 3: IDLE };

function statusOf(state: number | null, powerW: number | null): number {
  const status = state === null ? undefined : statusOfState[state];
  if (status !== undefined) return status;
  if (powerW === null || powerW === 0) return IDLE;
  return powerW < 0 ? CHARGING : NORMAL;
}

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
    return typeof value === 'number' ? value : null;
  };
  const powerW = point('Bat/Power') ?? battery?.power_w ?? null;
  const remainingKwh = point('Bat/RemainingEnergy');
  return {
    status: statusOf(point('Bat/State'), powerW),
    soc: point('Bat/Soc') ?? battery?.soc_percent ?? null,
    volt: point('Bat/Voltage'),
    current: point('Bat/Current'),
    power: powerW,
    temperature: point('Bat/Temperature'),
    residual: remainingKwh === null ? null : remainingKwh * 1_000,
  };
}
