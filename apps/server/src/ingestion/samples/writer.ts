import type { Logger } from 'pino';
import { type Acknowledge, noAcknowledge } from '../../broker/message-source.ts';
import { inSlices } from '../../in-slices.ts';
import type { TelemetryHandle } from '../../stores/telemetry-engine.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { Registry } from '../registry/registry.ts';
import { freshSamples, refusedFor } from './fresh-samples.ts';
import { RowInserter } from './row-inserter.ts';
import type { Sample } from './sample.ts';
import { type Batch, isFull, SampleQueue } from './sample-queue.ts';
import { StoredRows } from './stored-rows.ts';

/** Above this number a sender waits for its message to be stored, so that history does not delay what happens now. */
const BEHIND_SAMPLES = 40_000;
const MOST_QUEUED_BYTES = 256 * 1024 * 1024;
const GATHER_MS = 250;
/** History is gathered until its senders wait for us, but not longer than this. */
const GATHER_HISTORY_MS = 1_500;
const HISTORY_QUIET_MS = 60;
const LOOK_MS = 20;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;
const ATTEMPTS_WHEN_STOPPING = 5;
const SILENT_MS = 10_000;

export interface WriterOptions {
  telemetry: TelemetryHandle;
  registry: Registry;
  metrics: IngestionMetrics;
  logger: Logger;
  /** Bytes that may wait for storage; above them messages are refused, so that loggers keep their data. */
  mostQueuedBytes?: number;
  /** A write that takes longer may be one that never ends. */
  silentMs?: number;
  /** Called with what has been stored and is new, before the acknowledgement. */
  stored(samples: readonly Sample[]): Promise<void>;
}

/** Gathers samples of all loggers into batches, stores them and acknowledges. What the store does not take now waits. */
export class SampleWriter {
  readonly #options: WriterOptions;
  readonly #stored: StoredRows;
  readonly #inserter: RowInserter;
  readonly #queue = new SampleQueue();
  readonly #mostBytes: number;
  readonly #silentMs: number;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #batch: Batch | undefined;
  #attemptMs: number | undefined;
  #isDraining = false;
  #isStopping = false;
  #wake: (() => void) | undefined;
  /** Why nothing is stored now; empty while all is well. */
  lastError = '';

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#stored = new StoredRows(options.telemetry.client);
    this.#inserter = new RowInserter(options);
    this.#mostBytes = options.mostQueuedBytes ?? MOST_QUEUED_BYTES;
    this.#silentMs = options.silentMs ?? SILENT_MS;
    options.telemetry.onRestart(() => this.#wake?.());
  }

  get queuedSamples(): number {
    return this.#queue.samples;
  }

  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  get isBehind(): boolean {
    return this.#queue.samples >= BEHIND_SAMPLES || this.isHolding;
  }

  /** The store refuses, or has not answered for so long that it may be frozen. */
  get isHolding(): boolean {
    return this.lastError !== '' || Date.now() - (this.#attemptMs ?? Date.now()) > this.#silentMs;
  }

  get isFull(): boolean {
    return this.#queue.bytes >= this.#mostBytes;
  }

  /** Receipt time of the oldest sample that is not stored, undefined when there is none. */
  get oldestMs(): number | undefined {
    let oldest: number | undefined;
    for (const batch of [...(this.#batch === undefined ? [] : [this.#batch]), ...this.#queue.batches()]) {
      const receivedMs = batch.samples[0]?.receivedMs;
      if (receivedMs !== undefined && receivedMs < (oldest ?? Number.POSITIVE_INFINITY)) oldest = receivedMs;
    }
    return oldest;
  }

  /** Takes the samples of one message. `done` is called when all are stored, or at once with an error when there is no room. */
  add(samples: readonly Sample[], done: Acknowledge): void {
    if (this.#isStopping || this.isFull) {
      this.#options.metrics.rejected.inc({ reason: 'overloaded' }, samples.length);
      done(new Error('storage is behind'));
      return;
    }
    const isBatchFull = this.#queue.add(samples, done === noAcknowledge ? undefined : done);
    if (this.#writing !== undefined) return;
    if (isBatchFull) this.#startWriting();
    else this.#timer ??= setTimeout(() => this.#look(), LOOK_MS);
  }

  /** Stores what is there and waits for it. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    try {
      while (!this.#queue.isEmpty || this.#writing !== undefined) {
        this.#startWriting();
        await this.#writing;
      }
    } finally {
      this.#isDraining = false;
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
    for (const batch of [this.#batch, ...this.#queue.batches()]) {
      for (const done of batch?.acknowledges.splice(0) ?? []) done(new Error('the server stops'));
    }
    this.#wake?.();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#dueLane() !== undefined) this.#startWriting();
    else if (!this.#queue.isEmpty) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  /** The lane whose batch is to be written now; the live one goes first. */
  #dueLane(): 'live' | 'history' | undefined {
    const nowMs = Date.now();
    const { live, history } = this.#queue;
    const isAll = this.#isDraining || this.#isStopping;
    if (live.samples.length > 0 && (isAll || isFull(live) || nowMs - live.startedMs >= GATHER_MS)) return 'live';
    if (history.samples.length === 0) return undefined;
    const isGathered =
      isFull(history) || nowMs - history.startedMs >= GATHER_HISTORY_MS || nowMs - history.lastMs >= HISTORY_QUIET_MS;
    return isAll || isGathered ? 'history' : undefined;
  }

  #startWriting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (!this.#queue.isEmpty) this.#timer ??= setTimeout(() => this.#look(), LOOK_MS);
    });
  }

  async #writeAll(): Promise<void> {
    for (let lane = this.#dueLane(); lane !== undefined; lane = this.#dueLane()) {
      this.#batch = this.#queue.take(lane);
      await this.#writeBatch(this.#batch);
      this.#batch = undefined;
    }
  }

  async #writeBatch(batch: Batch): Promise<void> {
    const { metrics, registry, logger, stored } = this.#options;
    const stopTimer = metrics.flushSeconds.startTimer();
    let fresh: Sample[] | undefined;
    let pending: Set<Sample> | undefined;
    for (let attempt = 1, waitMs = FIRST_RETRY_MS; ; attempt += 1) {
      this.#attemptMs = Date.now();
      try {
        if (registry.hasUnsettled) await registry.settle();
        fresh ??= await freshSamples(batch.samples, this.#stored, metrics);
        pending ??= new Set([...fresh, ...batch.samples.filter(isToBeKept)]);
        await this.#inserter.insert(pending);
        break;
      } catch (error) {
        this.lastError = error instanceof Error ? error.message : String(error);
        if (this.#isStopping && attempt >= ATTEMPTS_WHEN_STOPPING) {
          logger.error({ err: error, samples: batch.samples.length }, 'samples not stored before the end');
          metrics.rejected.inc({ reason: 'store-error' }, batch.samples.length);
          this.#attemptMs = undefined;
          this.#queue.release(batch);
          for (const done of batch.acknowledges.splice(0)) done(new Error('storage failed'));
          return;
        }
        if (attempt === 1) logger.warn({ err: error }, 'cannot store samples, trying again');
        await this.#pause(waitMs);
        waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
      }
    }
    if (this.lastError !== '') logger.info({ samples: batch.samples.length }, 'samples are stored again');
    this.lastError = '';
    this.#attemptMs = undefined;
    stopTimer();
    await stored(fresh);
    this.#queue.release(batch);
    await inSlices(batch.acknowledges.splice(0), (done) => done(null));
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

const isToBeKept = (sample: Sample): boolean => sample.isUnplaced && refusedFor(sample) === undefined;
