import type { StoredSample } from './sample-store.ts';

/** Samples of one device that go out in one message. */
export interface HistoryBatch {
  device: string;
  samples: StoredSample[];
}

/** Metrics of a message, so that it stays below 32 KiB: a historical one takes 25 bytes at most. */
export const METRICS_PER_MESSAGE = 1250;

/** Joins samples by device, oldest first, into messages that are not too long. */
export function batchesOf(samples: readonly StoredSample[]): HistoryBatch[] {
  const open = new Map<string, { batch: HistoryBatch; metrics: number }>();
  const batches: HistoryBatch[] = [];
  for (const sample of samples) {
    const current = open.get(sample.device);
    if (current !== undefined && current.metrics + sample.values.length <= METRICS_PER_MESSAGE) {
      current.batch.samples.push(sample);
      current.metrics += sample.values.length;
      continue;
    }
    const batch: HistoryBatch = { device: sample.device, samples: [sample] };
    batches.push(batch);
    open.set(sample.device, { batch, metrics: sample.values.length });
  }
  return batches;
}
