import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { parallelSystemEndpoints } from '@sonnenwarte/contract/parallel-system/parallel-system';
import { toDeviceRow } from '../device-rows/device-row.ts';
import { devicesOfSite } from '../device-rows/device-rows.store.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { sitesByIds } from '../sites/sites.store.ts';
import { ratingsOf } from './parallel-system.store.ts';
import { unitGroupOf } from './unit-group.ts';

type System = (typeof parallelSystemEndpoints)['system'];

const roleOf = (role: string): 'master' | 'slave' | null => (role === 'master' || role === 'slave' ? role : null);

/** Inverters and batteries of a plant side by side. */
export async function parallelSystemOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID }: Parsed<System>,
  { scope }: Scoped,
): Promise<Result<System>> {
  const now = nowMs();
  const [site] = await sitesByIds(db, scope, [stationID], now);
  const { id, name } = found(site, 'siteNotFound');
  const [devices, ratings] = await Promise.all([devicesOfSite(db, scope, id, now), ratingsOf(db, scope, id)]);
  const groupOf = (kind: 'inverter' | 'battery') =>
    unitGroupOf(
      devices
        .filter((device) => device.kind === kind)
        .map((device) => {
          const row = toDeviceRow(device);
          return {
            deviceID: row.deviceID,
            deviceSN: row.deviceSN,
            deviceType: row.deviceType,
            role: roleOf(row.role),
            state: row.state,
            powerW: row.powerW,
            ratedPowerW: ratings.get(row.deviceID) ?? null,
            socPercent: row.socPercent,
            updatedAtMs: row.updatedAtMs,
            intervalS: row.intervalS,
          };
        }),
    );
  return { name, inverters: groupOf('inverter'), batteries: groupOf('battery') };
}
