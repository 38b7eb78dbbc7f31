import { randomUUID } from 'node:crypto';
import { type ActiveAlarm, statusOfAlarms } from '@sonnenwarte/device-protocol/points/alarms';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../stores/schema.ts';
import type { SiteState } from '../../stores/schema-plants.ts';
import type { DataloggerEntry, DeviceEntry, StandingAlarm } from '../registry/plant-model.ts';
import type { Tally } from './refusals.ts';

const CLEAR_AFTER_MS = 60_000;
const MOST_ALARMS = 100;
/** Of one logger, until they are written. */
const MOST_WAITING = 500;
const LONGEST_EXTRA = 256;

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
  #added = 0;
  /** How many rows of each logger wait to be written. */
  #waiting = new Map<DataloggerEntry, number>();

  constructor(db: Kysely<Database>, clearAfterMs = CLEAR_AFTER_MS) {
    this.#db = db;
    this.#clearAfterMs = clearAfterMs;
  }

  /** Takes the alarms that stand by what is written of a device. One that it told before that was known is the same. */
  adopt(device: DeviceEntry, alarms: readonly StandingAlarm[]): void {
    for (const alarm of alarms) {
      const told = device.alarms.get(alarm.code);
      if (told !== undefined && told.id !== alarm.id) {
        this.#rows = this.#rows.filter(({ id }) => id !== told.id);
        this.#countWaiting();
      }
      device.alarms.set(alarm.code, told === undefined ? alarm : { ...alarm, level: told.level, goneMs: told.goneMs });
    }
  }

  /** Whether something of a logger's devices waits here. */
  waitsFor(datalogger: DataloggerEntry): boolean {
    if (this.#waiting.has(datalogger)) return true;
    for (const device of datalogger.devices.values()) if (this.#withGone.has(device)) return true;
    return false;
  }

  /** Takes a device's full list of active alarms. An alarm that is missing from it ends after a while. */
  setActive(device: DeviceEntry, list: readonly ActiveAlarm[], nowMs: number, tally: Tally): void {
    const present = new Set<number>();
    for (const { code, level, sinceMs, extra: told } of list) {
      const standing = device.alarms.get(code);
      if (standing !== undefined) {
        present.add(code);
        standing.goneMs = 0;
        standing.level = level;
        continue;
      }
      if (device.alarms.size >= MOST_ALARMS || !this.#hasRoom(device)) {
        tally.note('too-many-alarms', String(code));
        continue;
      }
      present.add(code);
      const extra = plainText(told, tally);
      const id = randomUUID();
      const startMs = sinceMs > 0 && sinceMs <= nowMs ? sinceMs : nowMs;
      device.alarms.set(code, { id, code, level, sinceMs: startMs, extra, goneMs: 0 });
      this.#add({ id, device, code, level, since: new Date(startMs), until: null, extra });
    }
    for (const standing of device.alarms.values()) {
      if (present.has(standing.code) || standing.goneMs !== 0) continue;
      standing.goneMs = nowMs;
      this.#withGone.add(device);
    }
  }

  /** Notes an event that is over already. */
  addEvents(device: DeviceEntry, list: readonly ActiveAlarm[], nowMs: number, tally: Tally): void {
    for (const { code, level, sinceMs, extra } of list) {
      if (!this.#hasRoom(device)) {
        tally.note('too-many-alarms', String(code));
        continue;
      }
      const since = new Date(sinceMs > 0 && sinceMs <= nowMs ? sinceMs : nowMs);
      this.#add({ id: randomUUID(), device, code, level, since, until: since, extra: plainText(extra, tally) });
    }
  }

  #hasRoom({ datalogger }: DeviceEntry): boolean {
    return (this.#waiting.get(datalogger) ?? 0) < MOST_WAITING;
  }

  /** How many rows were added since it was asked last. */
  takeAdded(): number {
    const added = this.#added;
    this.#added = 0;
    return added;
  }

  #add(row: AlarmRow): void {
    this.#added += 1;
    const { datalogger } = row.device;
    this.#waiting.set(datalogger, (this.#waiting.get(datalogger) ?? 0) + 1);
    this.#rows.push(row);
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
          this.#add({ id, device, code, level, since, until: new Date(Math.max(goneMs, sinceMs)), extra });
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
        join devices on devices.id = r.device_id
        on conflict (id) do update set until = excluded.until, level = excluded.level, folded = false`.execute(
        this.#db,
      );
      this.#rows.push(...later);
    } catch (error) {
      this.#rows.unshift(...rows, ...later);
      throw error;
    }
    this.#countWaiting();
  }

  #countWaiting(): void {
    this.#waiting = new Map();
    for (const { device } of this.#rows)
      this.#waiting.set(device.datalogger, (this.#waiting.get(device.datalogger) ?? 0) + 1);
  }
}

/** PostgreSQL's texts hold neither NUL nor half a surrogate pair. */
function plainText(text: string, tally: Tally): string {
  if (text.length > LONGEST_EXTRA) tally.note('text-cut', 'Alarm');
  return text.slice(0, LONGEST_EXTRA).replaceAll('\0', '').toWellFormed();
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
    if (!device.datalogger.online) continue;
    worst = Math.max(worst, order.indexOf(device.state));
  }
  return order[worst] ?? 'offline';
}
