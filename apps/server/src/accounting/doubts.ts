import type { LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import { ENERGY_CHANNELS, type EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import { type Kysely, sql } from 'kysely';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import type { Database } from '../stores/schema.ts';

interface Doubt {
  tsMs: number;
  channel: EnergyChannel;
  neededW: number;
}

const MOST_OF_A_DEVICE = 32;
const MOST_LOADED = 50_000;

/**
 * Joints of counters at which something was left out that would count if the channel carried more than was known: they are
 * accounted anew when more is known, so that figures do not depend on when it was learned.
 */
export class Doubts {
  readonly #doubts = new Map<DeviceEntry, Doubt[]>();

  async load(db: Kysely<Database>, registry: Registry): Promise<void> {
    const rows = await db
      .selectFrom('device_events')
      .innerJoin('devices', 'devices.id', 'device_events.device_id')
      .select(['devices.sn', 'device_events.ts', 'device_events.detail'])
      .where(sql<boolean>`detail ? 'neededW'`)
      .orderBy('device_events.ts', 'desc')
      .limit(MOST_LOADED)
      .execute();
    for (const { sn, ts, detail } of rows.toReversed()) {
      const device = registry.deviceBySn(sn);
      const { channel, neededW } = detail;
      if (device === undefined || typeof neededW !== 'number') continue;
      this.#add(device, { tsMs: ts.getTime(), channel: channel as EnergyChannel, neededW });
    }
  }

  /** Takes what was found in a stretch, in place of what was known of it. */
  take(device: DeviceEntry, events: readonly LedgerEvent[], fromMs = Number.POSITIVE_INFINITY, toMs = fromMs): void {
    const known = this.#doubts.get(device);
    if (known !== undefined) {
      this.#doubts.set(
        device,
        known.filter(({ tsMs }) => tsMs < fromMs || tsMs > toMs),
      );
    }
    for (const { tsMs, channel, neededW } of events) {
      if (neededW !== undefined) this.#add(device, { tsMs, channel, neededW });
    }
  }

  /** Times of joints that are to be accounted anew, because their channel is now known to carry what they need. */
  ask(device: DeviceEntry): number[] {
    const { reach } = device;
    const risen = reach?.takeRisen() ?? 0;
    const known = this.#doubts.get(device);
    if (reach === undefined || risen === 0 || known === undefined) return [];
    const isAnswered = ({ channel, neededW }: Doubt) => {
      const index = ENERGY_CHANNELS.indexOf(channel);
      return (risen & (1 << index)) !== 0 && neededW <= (reach.limitW[index] ?? 0);
    };
    const answered = known.filter(isAnswered);
    if (answered.length > 0)
      this.#doubts.set(
        device,
        known.filter((doubt) => !isAnswered(doubt)),
      );
    return answered.map(({ tsMs }) => tsMs);
  }

  #add(device: DeviceEntry, doubt: Doubt): void {
    const doubts = entryOf(this.#doubts, device, () => []);
    if (doubts.length >= MOST_OF_A_DEVICE) doubts.shift();
    doubts.push(doubt);
  }
}
