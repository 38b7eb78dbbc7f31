import { expect, test } from 'vitest';
import { layout } from '../ingestion/sessions/kinds.ts';
import { type AccountedDevice, type Reads, type RecomputeTask, readNextCounters } from './recompute-windows.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const AFTER_MS = Date.UTC(2026, 5, 1);
const KEY = 7;

/** When charge and discharge are read next, ms after the time that is asked for; 0 = not within what is asked. */
type Next = readonly [chargeMs: number, dischargeMs: number];

/** An engine that answers one question after the other. */
function engine(answers: readonly Next[]) {
  const asked: string[] = [];
  const exec = async ({ query }: { query: string }) => {
    const row = Buffer.alloc(4 + 2 * 9);
    row.writeUInt32LE(KEY, 0);
    for (const [place, nextMs] of (answers[asked.length] ?? []).entries())
      row.writeBigInt64LE(nextMs === 0 ? 0n : BigInt(AFTER_MS + nextMs), 4 + 9 * place);
    asked.push(query);
    return { stream: [row] };
  };
  return { reads: { client: { exec } } as unknown as Reads, asked };
}

function nextOf(firstReadMs: AccountedDevice['firstReadMs'], reads: Reads) {
  const kind = layout('battery');
  const device = { key: KEY, kind: 'battery', layout: kind, firstReadMs } as AccountedDevice;
  return readNextCounters(reads, kind, [{ device } as RecomputeTask], [AFTER_MS]);
}

test('a counter whose first reading ever comes later is not waited for, however long that takes', async () => {
  const { reads, asked } = engine([[5 * MINUTE_MS, 0]]);
  const firstReadMs = { charge: AFTER_MS - DAY_MS, discharge: AFTER_MS + 100 * DAY_MS };
  expect((await nextOf(firstReadMs, reads)).get(KEY)).toBe(AFTER_MS + 5 * MINUTE_MS);
  expect(asked).toHaveLength(1);
});

test('a counter that was read before is looked for in all that follows, the others as near as they are', async () => {
  const { reads, asked } = engine([
    [5 * MINUTE_MS, 0],
    [50 * DAY_MS, 40 * DAY_MS],
  ]);
  const firstReadMs = { charge: AFTER_MS - DAY_MS, discharge: AFTER_MS - DAY_MS };
  expect((await nextOf(firstReadMs, reads)).get(KEY)).toBe(AFTER_MS + 40 * DAY_MS);
  expect(asked).toHaveLength(2);
});
