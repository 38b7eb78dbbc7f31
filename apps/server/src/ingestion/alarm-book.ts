import { randomUUID } from 'node:crypto';
import { type ActiveAlarm, statusOfAlarms } from '@sonnenwarte/device-protocol/alarms';
import { type Kysely, sql } from 'kysely';
import type { Database, SiteState } from '../stores/schema.ts';
import type { DeviceEntry, StandingAlarm } from './plant-model.ts';
import type { Registry } from './registry.ts';

const CLEAR_AFTER_MS = 60_000;
const MOST_ALARMS = 100;

interface AlarmRow {
  id: string;
  device: DeviceEntry;
  code: number;
  level: number;
  since: Date;
  until: Date | null;
  extra: string;
}

/** The alarms that stand, by what devices say of themselves. */
export class AlarmBook {
  readonly #db: Kysely<Database>;
  readonly #clearAfterMs: number;
  readonly #withGone = new Set<DeviceEntry>();
  #rows: AlarmRow[] = [];

  constructor(db: Kysely<Database>, clearAfterMs = CLEAR_AFTER_MS) {
    this.#db = db;
    this.#clearAfterMs = clearAfterMs;
  }

  async load(registry: Registry): Promise<void> {
    const rows = await this.#db
      .selectFrom('alarms')
      .innerJoin('devices', 'devices.id', 'alarms.device_id')
      .select(['alarms.id', 'devices.sn', 'code', 'level', 'since', 'extra'])
      .where('until', 'is', null)
      .execute();
    for (const { id, sn, code, level, since, extra } of rows) {
      const alarm: StandingAlarm = { id, code, level, sinceMs: since.getTime(), extra, goneMs: 0 };
      registry.deviceBySn(sn)?.alarms.set(code, alarm);
    }
  }

  /** Takes a device's full list of active alarms. An alarm that is missing from it ends after a while. */
  setActive(device: DeviceEntry, list: readonly ActiveAlarm[], nowMs: number): void {
    const present = new Set<number>();
    for (const { code, level, sinceMs, extra } of list.slice(0, MOST_ALARMS)) {
      present.add(code);
      const standing = device.alarms.get(code);
      if (standing !== undefined) {
        standing.goneMs = 0;
        standing.level = level;
        continue;
      }
      const id = randomUUID();
      const startMs = sinceMs > 0 && sinceMs <= nowMs ? sinceMs : nowMs;
      device.alarms.set(code, { id, code, level, sinceMs: startMs, extra, goneMs: 0 });
      this.#rows.push({ id, device, code, level, since: new Date(startMs), until: null, extra: extra.slice(0, 500) });
    }
    for (const standing of device.alarms.values()) {
      if (present.has(standing.code) || standing.goneMs !== 0) continue;
      standing.goneMs = nowMs;
      this.#withGone.add(device);
    }
  }

  /** Notes an event that is over already. */
  addEvents(device: DeviceEntry, list: readonly ActiveAlarm[], nowMs: number): void {
    for (const { code, level, sinceMs, extra } of list.slice(0, MOST_ALARMS)) {
      const since = new Date(sinceMs > 0 && sinceMs <= nowMs ? sinceMs : nowMs);
      this.#rows.push({ id: randomUUID(), device, code, level, since, until: since, extra: extra.slice(0, 500) });
    }
  }

  /** Ends alarms that have been missing long enough; returns the devices that this changes. */
  tick(nowMs: number): DeviceEntry[] {
    const changed: DeviceEntry[] = [];
    for (const device of this.#withGone) {
      let waiting = false;
      let ended = false;
      for (const alarm of device.alarms.values()) {
        if (alarm.goneMs === 0) continue;
        if (nowMs - alarm.goneMs < this.#clearAfterMs) {
          waiting = true;
          continue;
        }
        device.alarms.delete(alarm.code);
        ended = true;
        const { id, code, level, sinceMs, goneMs, extra } = alarm;
        if (id !== undefined) {
          const since = new Date(sinceMs);
          this.#rows.push({ id, device, code, level, since, until: new Date(Math.max(goneMs, sinceMs)), extra });
        }
      }
      if (!waiting) this.#withGone.delete(device);
      if (ended) changed.push(device);
    }
    return changed;
  }

  /** Writes what changed; devices must have their ids. */
  async flush(): Promise<void> {
    const rows = this.#rows.filter((row) => row.device.id !== '');
    if (rows.length === 0) return;
    const later = this.#rows.filter((row) => row.device.id === '' && !row.device.isRefused);
    this.#rows = [];
    const last = new Map(rows.map((row) => [row.id, row]));
    const values = [...last.values()].map(({ device, ...row }) => ({
      ...row,
      device_id: device.id,
      site_id: device.site?.id ?? null,
    }));
    try {
      await sql`
        insert into alarms (id, device_id, site_id, code, level, since, until, extra)
        select r.id, r.device_id, r.site_id, r.code, r.level, r.since, r.until, r.extra
        from json_to_recordset(${JSON.stringify(values)}::json) as r (
          id uuid, device_id uuid, site_id uuid, code int, level int, since timestamptz, until timestamptz, extra text)
        on conflict (id) do update set until = excluded.until, level = excluded.level`.execute(this.#db);
      this.#rows.push(...later);
    } catch (error) {
      this.#rows.unshift(...rows, ...later);
      throw error;
    }
  }
}

export function deviceState(device: DeviceEntry): SiteState {
  if (!device.online) return 'offline';
  const levels: number[] = [];
  for (const alarm of device.alarms.values()) levels.push(alarm.level);
  return statusOfAlarms(levels);
}

const order: readonly SiteState[] = ['normal', 'alarm', 'fault'];

/** The worst of the devices that are there; offline where no logger or no device is. */
export function siteState(devices: Iterable<DeviceEntry>): SiteState {
  let worst = -1;
  for (const device of devices) {
    if (!device.logger.online) continue;
    worst = Math.max(worst, order.indexOf(device.state));
  }
  return order[worst] ?? 'offline';
}
