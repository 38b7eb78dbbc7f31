import type { Acknowledge } from '../../broker/message-source.ts';
import type { DataloggerEntry } from '../registry/plant-model.ts';
import { isOfHistory, type Sample, sampleBytes } from './sample.ts';

export interface Batch {
  samples: Sample[];
  acknowledges: Acknowledge[];
  /** How much history it holds, by who told it. */
  history: Map<DataloggerEntry, number>;
  bytes: number;
  startedMs: number;
  lastMs: number;
}

const MOST_SAMPLES = 20_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Batches of samples in two lanes: what happens now does not stand behind a backlog of history. */
export class SampleQueue {
  readonly #lanes = { live: [emptyBatch()], history: [emptyBatch()] };
  samples = 0;
  bytes = 0;

  get isEmpty(): boolean {
    return this.samples === 0;
  }

  get live(): Batch {
    return this.#lanes.live[0] as Batch;
  }

  get history(): Batch {
    return this.#lanes.history[0] as Batch;
  }

  /** Says whether a batch is full now. */
  add(samples: readonly Sample[], done: Acknowledge | undefined): boolean {
    const isHistory = samples.every((sample) => sample.historical);
    const lane = isHistory ? this.#lanes.history : this.#lanes.live;
    let batch = lane.at(-1) as Batch;
    if (isFull(batch)) {
      batch = emptyBatch();
      lane.push(batch);
    }
    const nowMs = Date.now();
    if (batch.samples.length === 0) batch.startedMs = nowMs;
    batch.lastMs = nowMs;
    for (const sample of samples) {
      const bytes = sampleBytes(sample);
      batch.samples.push(sample);
      batch.bytes += bytes;
      this.bytes += bytes;
      if (isOfHistory(sample)) countHistory(batch, sample.device.datalogger);
    }
    this.samples += samples.length;
    if (done !== undefined) batch.acknowledges.push(done);
    return isFull(batch);
  }

  /** Takes a batch out for writing; it counts until it is released. */
  take(lane: 'live' | 'history'): Batch {
    const batches = this.#lanes[lane];
    const batch = batches.shift() as Batch;
    if (batches.length === 0) batches.push(emptyBatch());
    return batch;
  }

  release(batch: Batch): void {
    this.samples -= batch.samples.length;
    this.bytes -= batch.bytes;
    const nowMs = Date.now();
    for (const [datalogger, samples] of batch.history) {
      datalogger.waitingHistory -= samples;
      datalogger.historyStoredMs = nowMs;
    }
  }

  *batches(): Generator<Batch> {
    yield* this.#lanes.live;
    yield* this.#lanes.history;
  }
}

export function isFull(batch: Batch): boolean {
  return batch.samples.length >= MOST_SAMPLES || batch.bytes >= MOST_BYTES;
}

function countHistory({ history }: Batch, datalogger: DataloggerEntry): void {
  history.set(datalogger, (history.get(datalogger) ?? 0) + 1);
  datalogger.waitingHistory += 1;
}

function emptyBatch(): Batch {
  return { samples: [], acknowledges: [], history: new Map(), bytes: 0, startedMs: 0, lastMs: 0 };
}
