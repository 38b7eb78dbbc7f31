import type { ClickHouseClient } from '@clickhouse/client';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { dayBounds, localDay, type TimeBounds } from '@sonnenwarte/energy/calendar';
import { type MeasuredStorage, measuredStorage } from '@sonnenwarte/energy/plan/measured-storage';
import { type RecordedSpan, recordedSpan } from '@sonnenwarte/energy/plan/recorded-span';
import { planBuckets } from './recorded.store.ts';

/** Recorded days of a plant, read once for all that is asked of them. */
export interface PlanRecord extends TimeBounds {
  readonly fromDay: string;
  readonly toDay: string;
  readonly span: RecordedSpan;
  readonly measured: MeasuredStorage;
  /** State of charge before the first of them. */
  readonly socBefore: number | null;
  /** Buckets of which all is known. */
  readonly known: number;
  /** Energy of the arrays by day, Wh. */
  readonly pvWh: number;
}

export interface RecordSite {
  readonly key: number;
  readonly timeZone: string;
}

const MOST_KEPT = 24;
const KEPT_MS = 10 * 60_000;
const DAYS_OF_MONTH = 30;
const DAY_MS = 86_400_000;

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

interface Kept {
  readonly readMs: number;
  readonly record: Promise<PlanRecord>;
  /** What was worked out of it, by what it was worked out for. */
  readonly worked: Map<string, Promise<unknown>>;
}

const MOST_WORKED = 8;

/** Recorded days of plants that somebody looks at: a few of them are kept for minutes, as every change of a plan is replayed on them. */
export class PlanRecords {
  readonly #telemetry: ClickHouseClient;
  readonly #nowMs: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(telemetry: ClickHouseClient, nowMs: () => number) {
    this.#telemetry = telemetry;
    this.#nowMs = nowMs;
  }

  /** Yesterday, or the last thirty days before today. */
  of(site: RecordSite, span: 'yesterday' | 'month'): Promise<PlanRecord> {
    return this.#keptOf(site, span).record;
  }

  /** What is worked out of recorded days for something, once. */
  worked<T>(site: RecordSite, span: 'yesterday' | 'month', of: string, work: () => Promise<T>): Promise<T> {
    const { worked } = this.#keptOf(site, span);
    const known = worked.get(of);
    if (known !== undefined) return known as Promise<T>;
    const fresh = work();
    worked.set(of, fresh);
    fresh.catch(() => worked.delete(of));
    const [oldest] = worked.keys();
    if (worked.size > MOST_WORKED && oldest !== undefined) worked.delete(oldest);
    return fresh;
  }

  #keptOf(site: RecordSite, span: 'yesterday' | 'month'): Kept {
    const nowMs = this.#nowMs();
    const today = localDay(nowMs, site.timeZone);
    const toDay = daysBefore(today, 1);
    const fromDay = span === 'yesterday' ? toDay : daysBefore(today, DAYS_OF_MONTH);
    const key = `${site.key} ${site.timeZone} ${fromDay} ${toDay}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && nowMs - kept.readMs < KEPT_MS) return kept;
    const fresh = { readMs: nowMs, record: this.#read(site, fromDay, toDay), worked: new Map() };
    this.#kept.delete(key);
    this.#kept.set(key, fresh);
    fresh.record.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return fresh;
  }

  async #read({ key, timeZone }: RecordSite, fromDay: string, toDay: string): Promise<PlanRecord> {
    const bounds = { startMs: dayBounds(fromDay, timeZone).startMs, endMs: dayBounds(toDay, timeZone).endMs };
    const buckets = await planBuckets(this.#telemetry, key, { ...bounds, startMs: bounds.startMs - BUCKET_MS });
    const before = buckets.find(({ tsMs }) => tsMs < bounds.startMs);
    const within = buckets.filter(({ tsMs }) => tsMs >= bounds.startMs);
    const span = recordedSpan(within, bounds, timeZone);
    return {
      ...bounds,
      fromDay,
      toDay,
      span,
      measured: measuredStorage(span),
      socBefore: before?.socPercent ?? null,
      known: within.length,
      pvWh: within.reduce((sum, { pvWh }) => sum + (pvWh ?? 0), 0),
    };
  }
}
