import { localDay } from '@sonnenwarte/energy/calendar';
import { type Kysely, sql } from 'kysely';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { SHORTEST_HISTORY_MS } from '../ingestion/samples/sample.ts';
import type { Database } from '../stores/schema.ts';

/** A backlog has ended when nothing of it came for so long. */
const QUIET_MS = 5_000;
/** ... or, where the datalogger says that more is waiting, for so long. */
const PATIENCE_MS = 300_000;
const AGAIN_MS = 1_000;
/** What comes so much before a backlog is another one: some tell their newest month first. */
const APART_MS = 86_400_000;

/** A backlog of one device: the times of its samples, and when it began to come. */
interface Backlog {
  readonly device: DeviceEntry;
  oldestMs: number;
  newestMs: number;
  /** Of an earlier one, where the other begins. */
  beganMs: number;
  storedMs: number;
  /** How much of its time the sums of the plant hold. */
  summedMs: number;
  /** Up to when nothing else was stored behind it. */
  emptyToMs: number;
}

/** Of a device, how much of its time from one moment to another waits to be accounted anew, ms. */
export type WaitingMs = (device: DeviceEntry, sinceMs: number, untilMs: number) => number;

/** How much time of each backlog is to be summed now. */
export type Summable = ReadonlyMap<Pick<Backlog, 'device'>, number>;

/**
 * How far the histories are that dataloggers still send: of the time from the oldest sample that came up to when the first of
 * them came, how much the sums of their plants hold, and up to which day. Dataloggers send the oldest first. What comes of a
 * time before that is an earlier backlog: it is preliminary as well, but holds nothing back that came before it.
 */
export class Backlogs {
  readonly #db: Kysely<Database>;
  readonly #ofDevice = new Map<DeviceEntry, Backlog>();
  readonly #earlier = new Map<DeviceEntry, Backlog>();
  /** As written. */
  readonly #percents = new Map<SiteEntry, number>();
  #isWriting = false;
  #toldMs = 0;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Forgets what a process before knew. */
  async start(): Promise<void> {
    await this.#db
      .updateTable('site_latest')
      .set({ history_percent: null })
      .where('history_percent', 'is not', null)
      .execute();
  }

  /** Notes a sample of a history that has been stored. */
  note(device: DeviceEntry, tsMs: number, nowMs: number): void {
    const begins = (beganMs: number) => (): Backlog => ({
      device,
      oldestMs: tsMs,
      newestMs: tsMs,
      beganMs,
      storedMs: nowMs,
      summedMs: 0,
      emptyToMs: tsMs,
    });
    const earlierEndMs = this.#earlier.get(device)?.beganMs ?? (this.#ofDevice.get(device)?.oldestMs ?? 0) - APART_MS;
    const known =
      tsMs < earlierEndMs
        ? entryOf(this.#earlier, device, begins(this.#ofDevice.get(device)?.oldestMs ?? nowMs))
        : entryOf(this.#ofDevice, device, begins(nowMs));
    known.oldestMs = Math.min(known.oldestMs, tsMs);
    known.newestMs = Math.max(known.newestMs, tsMs);
    known.emptyToMs = Math.max(known.emptyToMs, Math.min(nextStoredMs(device, tsMs), known.beganMs));
    known.storedMs = nowMs;
  }

  /** What of the backlogs does not wait: it is in the sums once what is held now has been written. */
  summable(waitingMs: WaitingMs): Summable {
    return new Map(this.#all().map((backlog) => [backlog, heldMs(backlog) - this.#waitingOf(backlog, waitingMs)]));
  }

  summed(summable: Summable): void {
    for (const backlog of this.#all()) {
      // What is accounted once more at a joint has been there before.
      backlog.summedMs = Math.max(backlog.summedMs, summable.get(backlog) ?? 0);
    }
  }

  #all(): Backlog[] {
    return [...this.#ofDevice.values(), ...this.#earlier.values()];
  }

  #waitingOf(backlog: Backlog, waitingMs: WaitingMs): number {
    const { device, oldestMs, beganMs } = backlog;
    const isEarlier = this.#earlier.get(device) === backlog;
    return waitingMs(device, oldestMs, isEarlier ? beganMs : Number.POSITIVE_INFINITY);
  }

  /** Sites of which a history is coming, or was and is still said to. */
  get sites(): ReadonlySet<SiteEntry> {
    const sites = new Set(this.#percents.keys());
    for (const { device } of this.#all()) if (device.site !== undefined) sites.add(device.site);
    return sites;
  }

  /** The local day up to which the sums of a site hold: today, or an earlier one where a backlog has not come as far. */
  heldDay(site: SiteEntry, nowMs: number): string {
    const today = localDay(nowMs, site.zone);
    if (this.#ofDevice.size === 0) return today;
    let held = today;
    for (const device of site.devices) {
      const backlog = this.#ofDevice.get(device);
      if (backlog === undefined || backlog.beganMs - backlog.oldestMs < SHORTEST_HISTORY_MS) continue;
      const untilMs = backlog.oldestMs + backlog.summedMs;
      // A hole that later days have closed behind it concerns those days alone.
      if (backlog.emptyToMs - untilMs < SHORTEST_HISTORY_MS || localDay(backlog.emptyToMs, site.zone) < today) continue;
      const day = localDay(untilMs, site.zone);
      if (day < held) held = day;
    }
    return held;
  }

  /**
   * Writes the percentages that have changed; one write at a time, and one a second. Where a backlog has ended that is told once
   * `isComplete`: the figures of today are those that are written.
   */
  async tell(
    waitingMs: WaitingMs,
    nowMs: number,
    isComplete: (site: SiteEntry) => boolean,
    changed: (sites: readonly SiteEntry[]) => void,
  ): Promise<void> {
    if (this.#isWriting || nowMs - this.#toldMs < AGAIN_MS) return;
    if (this.#ofDevice.size + this.#earlier.size === 0 && this.#percents.size === 0) return;
    this.#toldMs = nowMs;
    this.#isWriting = true;
    try {
      const news = this.#news(waitingMs, nowMs, isComplete);
      if (news.size === 0) return;
      await this.#write(news, nowMs);
      changed([...news.keys()]);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Sites whose percentage has changed since it was written; null where no backlog comes any more. */
  #news(waitingMs: WaitingMs, nowMs: number, isComplete: (site: SiteEntry) => boolean): Map<SiteEntry, number | null> {
    const news = new Map<SiteEntry, number | null>();
    const percents = this.#percentsNow(waitingMs, nowMs);
    for (const [site, percent] of percents) if (this.#percents.get(site) !== percent) news.set(site, percent);
    for (const site of this.#percents.keys()) if (!percents.has(site) && isComplete(site)) news.set(site, null);
    return news;
  }

  async #write(news: ReadonlyMap<SiteEntry, number | null>, nowMs: number): Promise<void> {
    const rows = [...news].map(([site, percent]) => ({ id: site.id, percent, day: this.heldDay(site, nowMs) }));
    await sql`
      insert into site_latest as l (site_id, history_percent, local_day)
      select r.id, r.percent, r.day from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, percent smallint, day date)
      join sites on sites.id = r.id order by r.id
      on conflict (site_id) do update set history_percent = excluded.history_percent,
        local_day = least(l.local_day, excluded.local_day)`.execute(this.#db);
    for (const [site, percent] of news) {
      if (percent === null) this.#percents.delete(site);
      else this.#percents.set(site, percent);
    }
  }

  #percentsNow(waitingMs: WaitingMs, nowMs: number): Map<SiteEntry, number> {
    const shares = new Map<SiteEntry, number>();
    for (const backlog of this.#all()) {
      const { device } = backlog;
      const { site } = device;
      if (this.#waitingOf(backlog, waitingMs) === 0 && isSummed(backlog) && hasEnded(backlog, nowMs)) {
        const backlogs = this.#earlier.get(device) === backlog ? this.#earlier : this.#ofDevice;
        backlogs.delete(device);
        continue;
      }
      const allMs = backlog.beganMs - backlog.oldestMs;
      if (site === undefined || allMs < SHORTEST_HISTORY_MS) continue;
      // The sums of a plant hold no more than those of its device that is furthest behind.
      shares.set(site, Math.min(shares.get(site) ?? 1, backlog.summedMs / allMs));
    }
    return new Map([...shares].map(([site, share]) => [site, Math.min(99, Math.floor(100 * share))]));
  }
}

/** Time of a backlog that has come. */
const heldMs = ({ oldestMs, newestMs, beganMs }: Backlog): number => Math.min(newestMs, beganMs) - oldestMs;

/** Whether what has come is in the sums: what is held in memory is not. */
const isSummed = (backlog: Backlog): boolean => backlog.summedMs >= heldMs(backlog);

/** When a device has something else stored behind a sample that came late. */
function nextStoredMs({ emptyFromMs, emptyToMs, newestTsMs }: DeviceEntry, tsMs: number): number {
  if (tsMs >= newestTsMs) return Number.POSITIVE_INFINITY;
  return tsMs >= emptyFromMs && tsMs < emptyToMs ? emptyToMs : tsMs;
}

function hasEnded({ device: { datalogger }, storedMs }: Backlog, nowMs: number): boolean {
  if (datalogger.waitingHistory > 0) return false;
  const isMoreSaid = datalogger.online && (datalogger.self.latest('Buffer/Pending') ?? 0) > 0;
  return nowMs - storedMs >= (isMoreSaid ? PATIENCE_MS : QUIET_MS);
}
