import type { LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import { type DeviceEntry, type Doubt, MOST_DOUBTS } from '../ingestion/registry/plant-model.ts';

/**
 * Joints of counters at which something was left out that would count if the channel carried more than was known: they are
 * accounted anew when more is known, so that figures do not depend on when it was learned. Takes what was found in a stretch,
 * in place of what was known of it.
 */
export function takeDoubts(
  device: DeviceEntry,
  events: readonly LedgerEvent[],
  fromMs = Number.POSITIVE_INFINITY,
  toMs = fromMs,
): void {
  if (device.doubts.length === 0 && events.every(({ neededW }) => neededW === undefined)) return;
  const doubts = device.doubts.filter(({ tsMs }) => tsMs < fromMs || tsMs > toMs);
  for (const { tsMs, channel, neededW } of events) {
    if (neededW !== undefined) doubts.push({ tsMs, channel, neededW });
  }
  device.doubts = doubts.slice(-MOST_DOUBTS);
}

/** Times of joints that are to be accounted anew, because their channel is now known to carry what they need. */
export function answeredDoubts(device: DeviceEntry): number[] {
  const { reach, doubts } = device;
  const risen = reach?.takeRisen() ?? 0;
  if (reach === undefined || risen === 0 || doubts.length === 0) return [];
  const isAnswered = ({ channel, neededW }: Doubt) => {
    const index = ENERGY_CHANNELS.indexOf(channel);
    return (risen & (1 << index)) !== 0 && neededW <= (reach.limitW[index] ?? 0);
  };
  const answered = doubts.filter(isAnswered);
  if (answered.length > 0) device.doubts = doubts.filter((doubt) => !isAnswered(doubt));
  return answered.map(({ tsMs }) => tsMs);
}
