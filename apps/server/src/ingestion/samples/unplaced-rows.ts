import { createHash } from 'node:crypto';
import { RowBuffer } from '../../stores/row-buffer.ts';
import type { Sample } from './sample.ts';

export const UNPLACED_TABLE = 'raw_unplaced';
export const UNPLACED_COLUMNS = ['device', 'told', 'received', 'flags', 'digest', 'readings'] as const;

/** Rows of samples that have no time: what they told, in JSON by the names of points. */
export function unplacedRows(samples: readonly Sample[]): Buffer {
  const out = new RowBuffer();
  for (const sample of samples) {
    const text = JSON.stringify(valuesOf(sample));
    out.uint32(sample.device.key);
    out.int64(sample.toldMs);
    out.int64(sample.receivedMs);
    out.uint8(sample.flags);
    out.bigint(createHash('sha256').update(text).digest().readBigInt64LE());
    out.text(text);
  }
  return out.body();
}

function valuesOf({ device, values, texts, other = [] }: Sample): Record<string, number | string> {
  const { names, textNames } = device.layout;
  const told = new Map<string, number | string>();
  values.forEach((value, index) => {
    const name = names[index];
    if (name !== undefined && !Number.isNaN(value)) told.set(name, value);
  });
  texts?.forEach((text, index) => {
    const name = textNames[index];
    if (name !== undefined && text !== undefined) told.set(name, text.toWellFormed());
  });
  for (let at = 0; at + 1 < other.length; at += 2) told.set(other[at] ?? '', (other[at + 1] ?? '').toWellFormed());
  return Object.fromEntries(told);
}
