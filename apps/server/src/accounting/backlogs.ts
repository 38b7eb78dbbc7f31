import { type Kysely, sql } from 'kysely';
import { entryOf } from '../ingestion/entry-of.ts';
import type { DeviceEntry, SiteEntry } from '../ingestion/plant-model.ts';
import type { Database } from '../stores/schema.ts';

/** What comes late by less is sent again after a reconnection, and no backlog. */
const SHORTEST_MS = 3_600_000;
/** A backlog has ended when nothing of it came for so long. */
const QUIET_MS = 5_000;
/** ... or, where the datalogger says that more is waiting, for so long. */
const PATIENCE_MS = 300_000;
const AGAIN_MS = 1_000;

/** A backlog of one device: the times of its samples, and when it began to come. */
interface Backlog {
  oldestMs: number;
  newestMs: number;
  beganMs: number;
  storedMs: number;
  /** How much of its time the sums of the plant hold. */
  summedMs: number;
}

/** Of a device, how much time waits to be accounted anew, ms. */
export type WaitingMs = (device: DeviceEntry) => number;

/**
 * How far the histories are that dataloggers still send: of the time from the oldest sample that came up to when the first of
 * them came, how much the sums of their plants hold. Dataloggers send the oldest first.
 */
export class Backlogs {
  readonly #db: Kysely<Database>;
  readonly #ofDevice = new Map<DeviceEntry, Backlog>();
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

  /** Notes a historical sample that has been stored. */
  note(device: DeviceEntry, tsMs: number, nowMs: number): void {
    const known = this.#ofDevice.get(device);
    if (known === undefined) {
      this.#ofDevice.set(device, { oldestMs: tsMs, newestMs: tsMs, beganMs: nowMs, storedMs: nowMs, summedMs: 0 });
      return;
    }
    if (tsMs < known.oldestMs) known.oldestMs = tsMs;
    if (tsMs > known.newestMs) known.newestMs = tsMs;
    known.storedMs = nowMs;
  }

  /** All that does not wait is in the sums now. */
  summed(waitingMs: WaitingMs): void {
    for (const [device, backlog] of this.#ofDevice) {
      const storedMs = Math.min(backlog.newestMs, backlog.beganMs) - backlog.oldestMs;
      // What is accounted once more at a joint has been there before.
      backlog.summedMs = Math.max(backlog.summedMs, storedMs - waitingMs(device));
    }
  }

  /** Writes the percentages that have changed; one write at a time, and one a second. */
  async tell(waitingMs: WaitingMs, nowMs: number, changed: (sites: readonly SiteEntry[]) => void): Promise<void> {
    if (this.#isWriting || nowMs - this.#toldMs < AGAIN_MS) return;
    if (this.#ofDevice.size === 0 && this.#percents.size === 0) return;
    this.#toldMs = nowMs;
    this.#isWriting = true;
    try {
      const news = this.#news(waitingMs, nowMs);
      if (news.size === 0) return;
      await this.#write(news);
      changed([...news.keys()]);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Sites whose percentage has changed since it was written; null where no backlog comes any more. */
  #news(waitingMs: WaitingMs, nowMs: number): Map<SiteEntry, number | null> {
    const news = new Map<SiteEntry, number | null>();
    const percents = this.#percentsNow(waitingMs, nowMs);
    for (const [site, percent] of percents) if (this.#percents.get(site) !== percent) news.set(site, percent);
    for (const site of this.#percents.keys()) if (!percents.has(site)) news.set(site, null);
    return news;
  }

  async #write(news: ReadonlyMap<SiteEntry, number | null>): Promise<void> {
    const rows = [...news].map(([{ id }, percent]) => ({ id, percent }));
    await sql`
      insert into site_latest (site_id, history_percent)
      select r.id, r.percent from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, percent smallint)
      join sites on sites.id = r.id
      on conflict (site_id) do update set history_percent = excluded.history_percent`.execute(this.#db);
    for (const [site, percent] of news) {
      if (percent === null) this.#percents.delete(site);
      else this.#percents.set(site, percent);
    }
  }

  #percentsNow(waitingMs: WaitingMs, nowMs: number): Map<SiteEntry, number> {
    const sums = new Map<SiteEntry, { allMs: number; doneMs: number }>();
    for (const [device, backlog] of this.#ofDevice) {
      if (waitingMs(device) === 0 && hasEnded(device, backlog, nowMs)) {
        this.#ofDevice.delete(device);
        continue;
      }
      const { site } = device;
      const allMs = backlog.beganMs - backlog.oldestMs;
      if (site === undefined || allMs < SHORTEST_MS) continue;
      const sum = entryOf(sums, site, () => ({ allMs: 0, doneMs: 0 }));
      sum.allMs += allMs;
      sum.doneMs += backlog.summedMs;
    }
    return new Map(
      [...sums].map(([site, { allMs, doneMs }]) => [site, Math.min(99, Math.floor((100 * doneMs) / allMs))]),
    );
  }
}

function hasEnded({ logger }: DeviceEntry, { storedMs }: Backlog, nowMs: number): boolean {
  if (logger.waitingHistory > 0) return false;
  const isMoreSaid = logger.online && (logger.self.latest('Buffer/Pending') ?? 0) > 0;
  return nowMs - storedMs >= (isMoreSaid ? PATIENCE_MS : QUIET_MS);
}
