import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import type { Logger } from 'pino';
import { inSlices } from '../../in-slices.ts';
import type { TelemetryHandle } from '../../stores/telemetry-engine.ts';
import type { IngestionMetrics } from '../metrics.ts';
import { type KindLayout, layout } from '../sessions/kinds.ts';
import { entryOf } from './entry-of.ts';
import { RowEncoder } from './row-encoder.ts';
import type { Sample } from './sample.ts';
import { UNPLACED_COLUMNS, UNPLACED_TABLE, unplacedRows } from './unplaced-rows.ts';

/** Days that one insert may touch; the engine refuses more than 100 partitions. */
const MOST_DAYS = 80;
const DAY_MS = 86_400_000;
const LOG_AGAIN_AFTER_MS = 60_000;

/**
 * Errors that a row itself causes, by ClickHouse's number: it cannot be parsed, converted or is out of bounds. Everything else,
 * a full disk or too little memory, is the store's own trouble and ends some time.
 */
const ROW_ERRORS = new Set([6, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 117, 128, 131, 321, 349, 407]);

/** Writes samples into the raw tables. What was written once is not written again when the rest is tried anew. */
export class RowInserter {
  readonly #telemetry: TelemetryHandle;
  readonly #metrics: IngestionMetrics;
  readonly #logger: Logger;
  readonly #encoders = new Map<DeviceKind, RowEncoder>();
  #loggedMs = 0;

  constructor(options: { telemetry: TelemetryHandle; metrics: IngestionMetrics; logger: Logger }) {
    this.#telemetry = options.telemetry;
    this.#metrics = options.metrics;
    this.#logger = options.logger;
  }

  /** Writes all, or rejects; `pending` then holds those that are still to be written. */
  async insert(pending: Set<Sample>): Promise<void> {
    const byKind = new Map<KindLayout, Sample[]>();
    const unplaced: Sample[] = [];
    for (const sample of pending) {
      if (sample.isUnplaced) unplaced.push(sample);
      else entryOf(byKind, sample.device.layout, () => []).push(sample);
    }
    const results = await Promise.allSettled([
      ...[...byKind].map(([kind, list]) => this.#insertKind(kind, list, pending)),
      this.#insertUnplaced(unplaced, pending),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #insertKind(kind: KindLayout, samples: Sample[], pending: Set<Sample>): Promise<void> {
    for (const part of withinDays(samples)) await this.#insertPart(kind, part, pending);
  }

  async #insertUnplaced(samples: readonly Sample[], pending: Set<Sample>): Promise<void> {
    if (samples.length === 0) return;
    await this.#telemetry.insertRowBinary(UNPLACED_TABLE, UNPLACED_COLUMNS, unplacedRows(samples));
    for (const sample of samples) pending.delete(sample);
  }

  /** Where a row is at fault the part is halved until that row stands alone; it is left out, all others are stored. */
  async #insertPart(kind: KindLayout, part: Sample[], pending: Set<Sample>): Promise<void> {
    const encoder = entryOf(this.#encoders, kind.kind, () => new RowEncoder(layout(kind.kind)));
    encoder.reset();
    await inSlices(part, (sample) => encoder.add(sample));
    try {
      await this.#telemetry.insertRowBinary(kind.table, kind.columns, encoder.body());
    } catch (error) {
      if (!isRowError(error)) throw error;
      const [only] = part;
      if (part.length > 1) {
        const middle = part.length >> 1;
        await this.#insertPart(kind, part.slice(0, middle), pending);
        await this.#insertPart(kind, part.slice(middle), pending);
      } else if (only !== undefined) this.#quarantine(kind, only, error, pending);
      return;
    }
    for (const sample of part) pending.delete(sample);
    this.#metrics.samples.inc({ kind: kind.kind }, part.length);
  }

  #quarantine(kind: KindLayout, sample: Sample, error: unknown, pending: Set<Sample>): void {
    pending.delete(sample);
    this.#metrics.rejected.inc({ reason: 'row-refused' });
    const nowMs = Date.now();
    if (nowMs - this.#loggedMs < LOG_AGAIN_AFTER_MS) return;
    this.#loggedMs = nowMs;
    const { device, tsMs, values, texts, other } = sample;
    const known = values.flatMap((value, index) => (Number.isNaN(value) ? [] : [[kind.names[index], value]]));
    this.#logger.error(
      {
        err: error,
        sn: device.datalogger.sn,
        device: device.sn,
        tsMs,
        values: Object.fromEntries(known),
        texts,
        other,
      },
      'the telemetry store refuses a row',
    );
  }
}

function isRowError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const number = Number(code ?? /Code: (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  return ROW_ERRORS.has(number);
}

/** The samples in parts that each touch few enough days. */
function withinDays(samples: Sample[]): Sample[][] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { tsMs } of samples) {
    if (tsMs < first) first = tsMs;
    if (tsMs > last) last = tsMs;
  }
  if (last - first < MOST_DAYS * DAY_MS) return [samples];
  const parts = new Map<number, Sample[]>();
  for (const sample of samples) entryOf(parts, Math.floor(sample.tsMs / (MOST_DAYS * DAY_MS)), () => []).push(sample);
  return [...parts.values()];
}
