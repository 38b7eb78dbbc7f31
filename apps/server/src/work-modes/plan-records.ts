import type { ClickHouseClient } from '@clickhouse/client';
import { dayBounds, localDay, type TimeBounds } from '@sonnenwarte/energy/calendar';
import { type MeasuredStorage, measuredStorage } from '@sonnenwarte/energy/plan/measured-storage';
import { type RecordedSpan, recordedSpan, wholeDays } from '@sonnenwarte/energy/plan/recorded-span';
import type { SampledPowers } from '@sonnenwarte/energy/plan/sampled-powers';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { planBuckets } from './recorded.store.ts';
import { sampledPowers } from './sampled.store.ts';

/** Recorded days of a plant, read once for all that is asked of them. */
export interface PlanRecord extends TimeBounds {
  readonly fromDay: string;
  readonly toDay: string;
  readonly span: RecordedSpan;
  /** How powers went within the five minutes of a single day, where its devices told it. */
  readonly samples: SampledPowers | undefined;
  readonly measured: MeasuredStorage;
  /** State of charge before the first of them. */
  readonly socBefore: number | null;
  /** Buckets of which all is known. */
  readonly known: number;
  /** Days that are known as far as that they can be told; without any, nothing is. */
  readonly wholeDays: number;
  /** Whether a history of the plant was still coming when it was read. */
  readonly isComing: boolean;
  /** Energy of the arrays by day, Wh. */
  readonly pvWh: number;
}

export interface RecordSite {
  readonly id: string;
  readonly key: number;
  readonly timeZone: string;
}

const MOST_KEPT = 24;
const KEPT_MS = 10 * 60_000;
const DAYS_OF_MONTH = 30;
const DAY_MS = 86_400_000;

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** Whether dataloggers of a plant still send what they kept. */
async function historyIsComing(db: Kysely<Database>, siteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('site_latest')
    .select('history_percent')
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return row !== undefined && row.history_percent !== null;
}

interface Kept {
  readonly readMs: number;
  readonly record: Promise<PlanRecord>;
  /** What was worked out of it, by what it was worked out for. */
  readonly worked: Map<string, Promise<unknown>>;
}

const MOST_WORKED = 8;

/**
 * Recorded days of plants that somebody looks at: a few of them are kept for minutes, as every change of a plan is replayed on them. What is not enough to
 * tell anything, or still grows by a history that is coming, is read anew each time.
 */
export class PlanRecords {
  readonly #db: Kysely<Database>;
  readonly #telemetry: ClickHouseClient;
  readonly #nowMs: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(db: Kysely<Database>, telemetry: ClickHouseClient, nowMs: () => number) {
    this.#db = db;
    this.#telemetry = telemetry;
    this.#nowMs = nowMs;
  }

  /** Yesterday, or the last thirty days before today. */
  of(site: RecordSite, span: 'yesterday' | 'month'): Promise<PlanRecord> {
    return this.#keptOf(site, span).record;
  }

  /** What is worked out of recorded days for something, once. */
  worked<T>(site: RecordSite, span: 'yesterday' | 'month', of: string, work: () => Promise<T>): Promise<T> {
    const worked = this.#heldOf(site, span)?.worked;
    if (worked === undefined) return work();
    const known = worked.get(of);
    if (known !== undefined) return known as Promise<T>;
    const fresh = work();
    worked.set(of, fresh);
    fresh.catch(() => worked.delete(of));
    const [oldest] = worked.keys();
    if (worked.size > MOST_WORKED && oldest !== undefined) worked.delete(oldest);
    return fresh;
  }

  #daysOf(site: RecordSite, span: 'yesterday' | 'month') {
    const today = localDay(this.#nowMs(), site.timeZone);
    const toDay = daysBefore(today, 1);
    const fromDay = span === 'yesterday' ? toDay : daysBefore(today, DAYS_OF_MONTH);
    return { fromDay, toDay, key: `${site.key} ${site.timeZone} ${fromDay} ${toDay}` };
  }

  #heldOf(site: RecordSite, span: 'yesterday' | 'month'): Kept | undefined {
    const kept = this.#kept.get(this.#daysOf(site, span).key);
    return kept !== undefined && this.#nowMs() - kept.readMs < KEPT_MS ? kept : undefined;
  }

  #keptOf(site: RecordSite, span: 'yesterday' | 'month'): Kept {
    const held = this.#heldOf(site, span);
    if (held !== undefined) return held;
    const { fromDay, toDay, key } = this.#daysOf(site, span);
    const fresh: Kept = { readMs: this.#nowMs(), record: this.#read(site, fromDay, toDay), worked: new Map() };
    this.#kept.delete(key);
    this.#kept.set(key, fresh);
    const drop = () => {
      if (this.#kept.get(key) === fresh) this.#kept.delete(key);
    };
    fresh.record.then((record) => {
      if (record.isComing || record.wholeDays === 0) drop();
    }, drop);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return fresh;
  }

  async #read({ id, key, timeZone }: RecordSite, fromDay: string, toDay: string): Promise<PlanRecord> {
    const bounds = { startMs: dayBounds(fromDay, timeZone).startMs, endMs: dayBounds(toDay, timeZone).endMs };
    // Whether a history is coming is asked first: what comes while the record is read would else be taken for all there is.
    const isComing = await historyIsComing(this.#db, id);
    const [{ buckets, socBefore }, samples] = await Promise.all([
      planBuckets(this.#db, this.#telemetry, { id, key }, bounds),
      fromDay === toDay ? sampledPowers(this.#db, this.#telemetry, id, bounds) : undefined,
    ]);
    const span = recordedSpan(buckets, bounds, timeZone);
    return {
      ...bounds,
      fromDay,
      toDay,
      span,
      samples,
      measured: measuredStorage(span),
      socBefore,
      known: buckets.length,
      wholeDays: wholeDays(span),
      isComing,
      pvWh: buckets.reduce((sum, { pvWh }) => sum + (pvWh ?? 0), 0),
    };
  }
}
