import type { DeviceKind } from '@sonnenwarte/device-protocol/points';
import type { Logger } from 'pino';
import { type Acknowledge, noAcknowledge } from '../broker/message-source.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import { entryOf } from './entry-of.ts';
import { type KindLayout, layout } from './kinds.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { DeviceEntry } from './plant-model.ts';
import type { Registry } from './registry.ts';
import { RowEncoder } from './row-encoder.ts';
import { mergeInto, type Sample, sampleBytes } from './sample.ts';
import { StoredRows } from './stored-rows.ts';

const MOST_SAMPLES = 20_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** Above this number a sender waits for its message to be stored, so that history does not delay what happens now. */
const BEHIND_SAMPLES = 40_000;
const MOST_QUEUED_BYTES = 256 * 1024 * 1024;
const GATHER_MS = 250;
const REFUSE_AFTER_MS = 5_000;
const LONGEST_RETRY_MS = 2_000;
const ATTEMPTS = 5;
/** Days that one insert may touch; the engine refuses more than 100 partitions. */
const MOST_DAYS = 80;
const DAY_MS = 86_400_000;

interface Batch {
  samples: Sample[];
  acknowledges: Acknowledge[];
  bytes: number;
  startedMs: number;
}

export interface WriterOptions {
  telemetry: TelemetryHandle;
  registry: Registry;
  metrics: IngestionMetrics;
  logger: Logger;
  /** Called with what has been stored and is new, before the acknowledgement. */
  stored(samples: readonly Sample[]): void;
}

/** Gathers samples of all loggers into batches, stores them and acknowledges. */
export class SampleWriter {
  readonly #options: WriterOptions;
  readonly #stored: StoredRows;
  readonly #encoders = new Map<DeviceKind, RowEncoder>();
  readonly #queue: Batch[] = [];
  #current: Batch = emptyBatch();
  #queuedBytes = 0;
  #queuedSamples = 0;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout;
  #writing: Promise<void> | undefined;
  #batch: Batch | undefined;
  #isStopping = false;
  #wake: (() => void) | undefined;
  lastError = '';

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#stored = new StoredRows(options.telemetry.client);
    this.#watch = setInterval(() => this.#refuseOld(), 500);
    this.#watch.unref();
    options.telemetry.onRestart(() => this.#wake?.());
  }

  get queuedSamples(): number {
    return this.#queuedSamples;
  }

  get isBehind(): boolean {
    return this.#queuedSamples >= BEHIND_SAMPLES;
  }

  get isFull(): boolean {
    return this.#queuedBytes >= MOST_QUEUED_BYTES;
  }

  /** Receipt time of the oldest sample that is not stored, undefined when there is none. */
  get oldestMs(): number | undefined {
    const oldest = this.#batch ?? this.#queue[0] ?? this.#current;
    return oldest.samples[0]?.receivedMs;
  }

  /** Takes the samples of one message. `done` is called when all are stored, or with an error when they are not in time. */
  add(samples: readonly Sample[], done: Acknowledge): void {
    if (this.#isStopping || this.isFull) {
      this.#options.metrics.rejected.inc({ reason: 'overloaded' }, samples.length);
      done(new Error('storage is behind'));
      return;
    }
    const batch = this.#current;
    if (batch.samples.length === 0) batch.startedMs = Date.now();
    for (const sample of samples) {
      const bytes = sampleBytes(sample);
      batch.samples.push(sample);
      batch.bytes += bytes;
      this.#queuedBytes += bytes;
    }
    this.#queuedSamples += samples.length;
    if (done !== noAcknowledge) batch.acknowledges.push(done);
    if (batch.samples.length >= MOST_SAMPLES || batch.bytes >= MOST_BYTES) {
      this.#queue.push(batch);
      this.#current = emptyBatch();
      this.#startWriting();
    } else if (this.#timer === undefined && this.#writing === undefined) {
      this.#timer = setTimeout(() => this.#startWriting(), GATHER_MS);
    }
  }

  /** Stores what is there and waits for it. */
  async drain(): Promise<void> {
    while (this.#current.samples.length > 0 || this.#queue.length > 0 || this.#writing !== undefined) {
      this.#startWriting();
      await this.#writing;
    }
  }

  /** Takes no more, stores what is there, and gives up on what the store does not take within the time. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.drain(), tooLate]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    for (const batch of [this.#batch, ...this.#queue, this.#current]) {
      for (const done of batch?.acknowledges.splice(0) ?? []) done(new Error('the server stops'));
    }
    this.#wake?.();
  }

  #startWriting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#current.samples.length === 0 || this.#timer !== undefined) return;
      const waitedMs = Date.now() - this.#current.startedMs;
      this.#timer = setTimeout(() => this.#startWriting(), Math.max(0, GATHER_MS - waitedMs));
    });
  }

  async #writeAll(): Promise<void> {
    if (this.#queue.length === 0 && this.#current.samples.length > 0) {
      this.#queue.push(this.#current);
      this.#current = emptyBatch();
    }
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      this.#batch = batch;
      await this.#writeBatch(batch);
      this.#batch = undefined;
      this.#queuedBytes -= batch.bytes;
      this.#queuedSamples -= batch.samples.length;
    }
  }

  async #writeBatch(batch: Batch): Promise<void> {
    const { metrics, logger } = this.#options;
    const stopTimer = metrics.flushSeconds.startTimer();
    let fresh: Sample[] | undefined;
    for (let attempt = 1, waitMs = 50; ; attempt += 1) {
      try {
        await this.#settle();
        fresh ??= await this.#select(batch.samples);
        await this.#insert(fresh);
        break;
      } catch (error) {
        this.lastError = error instanceof Error ? error.message : String(error);
        const mayHelp =
          isTelemetryUnavailable(error) || isDatabaseUnavailable(error) || this.#options.telemetry.state() !== 'up';
        if ((!mayHelp && attempt >= ATTEMPTS) || (this.#isStopping && attempt >= ATTEMPTS)) {
          logger.error({ err: error, samples: batch.samples.length }, 'a batch of samples cannot be stored');
          metrics.rejected.inc({ reason: 'store-error' }, batch.samples.length);
          for (const done of batch.acknowledges.splice(0)) done(new Error('storage failed'));
          return;
        }
        if (attempt === 1) logger.warn({ err: error }, 'cannot store samples, trying again');
        await this.#pause(waitMs);
        waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
      }
    }
    this.lastError = '';
    stopTimer();
    this.#options.stored(fresh);
    for (const done of batch.acknowledges.splice(0)) done(null);
  }

  async #settle(): Promise<void> {
    if (this.#options.registry.hasUnsettled) await this.#options.registry.settle();
  }

  /** Of a batch what is new: one sample for each device and time, joined with what is stored, without duplicates. */
  async #select(samples: readonly Sample[]): Promise<Sample[]> {
    const fresh: Sample[] = [];
    const late = new Map<KindLayout, Map<DeviceEntry, Map<number, Sample>>>();
    const newest = new Map<DeviceEntry, Sample>();
    const unknown = new Set<DeviceEntry>();
    const { metrics } = this.#options;
    for (const sample of samples) {
      const { device, tsMs } = sample;
      if (device.isRefused || device.key === 0) {
        metrics.rejected.inc({ reason: 'device-of-another-logger' });
        continue;
      }
      const last = newest.get(device);
      if (last !== undefined ? tsMs > last.tsMs : tsMs > device.newestTsMs) {
        newest.set(device, sample);
        fresh.push(sample);
        continue;
      }
      if (last !== undefined && last.tsMs === tsMs) {
        if (!mergeInto(last, sample, device.layout.isDouble)) metrics.duplicates.inc();
        continue;
      }
      if (Number.isNaN(device.newestTsMs)) unknown.add(device);
      const devices = entryOf(late, device.layout, () => new Map<DeviceEntry, Map<number, Sample>>());
      const times = entryOf(devices, device, () => new Map<number, Sample>());
      const twin = times.get(tsMs);
      if (twin === undefined) times.set(tsMs, sample);
      else if (!mergeInto(twin, sample, device.layout.isDouble)) metrics.duplicates.inc();
    }
    if (unknown.size > 0) await this.#stored.learnNewest(unknown);
    for (const [kind, devices] of late) await this.#joinLate(kind, devices, fresh, newest);
    for (const [device, sample] of newest) {
      if (!(sample.tsMs <= device.newestTsMs)) device.newestTsMs = sample.tsMs;
    }
    return fresh;
  }

  async #joinLate(
    kind: KindLayout,
    devices: Map<DeviceEntry, Map<number, Sample>>,
    fresh: Sample[],
    newest: Map<DeviceEntry, Sample>,
  ): Promise<void> {
    for (const sample of fresh) {
      const twin = devices.get(sample.device)?.get(sample.tsMs);
      if (twin === undefined) continue;
      if (!mergeInto(sample, twin, kind.isDouble)) this.#options.metrics.duplicates.inc();
      devices.get(sample.device)?.delete(sample.tsMs);
    }
    const stored = await this.#stored.find(kind, devices);
    for (const [device, times] of devices) {
      for (const [tsMs, sample] of times) {
        const old = stored.get(device)?.get(tsMs);
        if (old !== undefined) {
          if (!mergeInto(old, sample, kind.isDouble)) {
            this.#options.metrics.duplicates.inc();
            continue;
          }
          old.receivedMs = Math.max(sample.receivedMs, old.receivedMs + 1);
          old.historical = sample.historical;
        }
        fresh.push(old ?? sample);
        const last = newest.get(device);
        if (last === undefined || last.tsMs < tsMs) newest.set(device, old ?? sample);
      }
    }
  }

  async #insert(samples: readonly Sample[]): Promise<void> {
    const byKind = new Map<KindLayout, Sample[]>();
    for (const sample of samples) {
      entryOf(byKind, sample.device.layout, () => []).push(sample);
    }
    await Promise.all([...byKind].map(([kind, list]) => this.#insertKind(kind, list)));
  }

  async #insertKind(kind: KindLayout, samples: Sample[]): Promise<void> {
    for (const part of withinDays(samples)) {
      const encoder = this.#encoder(kind.kind);
      encoder.reset();
      for (const sample of part) encoder.add(sample);
      await this.#options.telemetry.insertRowBinary(kind.table, kind.columns, encoder.body());
    }
    this.#options.metrics.samples.inc({ kind: kind.kind }, samples.length);
  }

  #encoder(kind: DeviceKind): RowEncoder {
    return entryOf(this.#encoders, kind, () => new RowEncoder(layout(kind)));
  }

  #refuseOld(): void {
    const beforeMs = Date.now() - REFUSE_AFTER_MS;
    for (const batch of [this.#batch, ...this.#queue, this.#current]) {
      if (batch === undefined || batch.acknowledges.length === 0 || batch.startedMs > beforeMs) continue;
      this.#options.metrics.rejected.inc({ reason: 'not-stored-in-time' }, batch.acknowledges.length);
      for (const done of batch.acknowledges.splice(0)) done(new Error('not stored in time'));
    }
  }

  #pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function emptyBatch(): Batch {
  return { samples: [], acknowledges: [], bytes: 0, startedMs: Date.now() };
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
  for (const sample of samples) {
    const part = Math.floor(sample.tsMs / (MOST_DAYS * DAY_MS));
    const list = parts.get(part);
    if (list === undefined) parts.set(part, [sample]);
    else list.push(sample);
  }
  return [...parts.values()];
}
