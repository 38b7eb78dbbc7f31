import type { LearnedReach } from '@sonnenwarte/energy/accounting/channel-reach';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import type { DeviceMemory } from './fleet-rows.store.ts';
import type { DeviceEntry, Opening } from './plant-model.ts';
import { isAccounted, knownReach } from './site-devices.ts';

/** What devices have taught, as it is written. */
export interface Learned {
  firstReadMs?: DeviceEntry['firstReadMs'];
  reach?: LearnedReach;
}

/** Gives a device that has been read what was known of it. */
export function remember(device: DeviceEntry, memory: DeviceMemory): void {
  const { reach } = memory.learned as Learned;
  device.latestMs = Math.max(device.latestMs, memory.latestMs);
  device.todayWh = memory.todayWh;
  device.todayMarks = memory.todayMarks;
  device.doubts = memory.doubts;
  rememberBeginning(device, memory);
  if (reach !== undefined && isAccounted(device)) knownReach(device).restore(reach);
}

/** Gives a device that records under another key now what is known of the series there. */
export function beginAnew(device: DeviceEntry, memory: DeviceMemory): void {
  rememberBeginning(device, memory);
  device.doubts = memory.doubts;
}

function rememberBeginning(device: DeviceEntry, { opening, learned }: DeviceMemory): void {
  const { firstReadMs } = learned as Learned;
  device.opening = opening as Opening;
  for (const channel of ENERGY_CHANNELS) {
    const firstMs = firstReadMs?.[channel] ?? device.opening[channel]?.[0];
    if (firstMs !== undefined) device.firstReadMs[channel] = firstMs;
  }
}
