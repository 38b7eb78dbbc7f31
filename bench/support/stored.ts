import type { LoadOptions } from '../load/messages.ts';
import { knownDevices } from './fleet.ts';
import { deviceSn } from './names.ts';
import type { BenchPortal } from './portal.ts';
import { telemetryRows } from './telemetry.ts';

export interface Stored {
  /** Distinct samples in storage. */
  samples: number;
  /** Acknowledged samples of the devices that are not there. */
  missing: number;
}

/** Holds what was acknowledged against what is stored, device by device. */
export async function compareStored(
  portal: BenchPortal,
  loads: readonly { options: LoadOptions; ackedByDevice: readonly number[] }[],
): Promise<Stored> {
  const rows = await telemetryRows(
    portal.dataDir,
    'SELECT device, uniqExact(ts) FROM raw_inverter GROUP BY device SETTINGS max_threads = 2',
  );
  const storedByKey = new Map(rows.map(([key = 0, count = 0]) => [key, count]));
  const keyBySn = new Map((await knownDevices(portal.db)).map(({ sn, key }) => [sn, key]));
  let missing = 0;
  for (const { options, ackedByDevice } of loads) {
    for (const [at, acked] of ackedByDevice.entries()) {
      const datalogger = options.firstDatalogger + Math.floor(at / options.devicesPerDatalogger);
      const key = keyBySn.get(deviceSn(datalogger, at % options.devicesPerDatalogger));
      const stored = key === undefined ? 0 : (storedByKey.get(key) ?? 0);
      missing += Math.max(0, acked - stored);
    }
  }
  return { samples: rows.reduce((sum, [, count = 0]) => sum + count, 0), missing };
}
