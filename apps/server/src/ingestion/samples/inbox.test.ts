import fc from 'fast-check';
import { Registry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { IngestionMetrics } from '../metrics.ts';
import { Inbox, type InboxLimits } from './inbox.ts';

let metrics: IngestionMetrics;
let opened: string[];
let refused: string[];

beforeEach(() => {
  metrics = new IngestionMetrics(new Registry());
  opened = [];
  refused = [];
});

const open = (limits: Partial<InboxLimits> = {}) => new Inbox(metrics, limits);

function put(inbox: Inbox, sn: string, { cost = 1, bytes = 1, isBirth = false } = {}): boolean {
  return inbox.put(sn, {
    bytes,
    isBirth,
    open() {
      opened.push(sn);
      return cost;
    },
    refuse() {
      refused.push(sn);
    },
  });
}

const held = async (reason: string) =>
  (await metrics.held.get()).values.find((value) => value.labels.reason === reason)?.value ?? 0;

describe('turns', () => {
  test('whoever waits with one message is opened after at most one of each other, however many those sent before', async () => {
    const senders = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 60 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(senders, async (batches) => {
        opened = [];
        const inbox = open();
        const sent = new Map<string, number>();
        for (const [sn, count] of batches) {
          for (let at = 0; at < count; at += 1) put(inbox, sn);
          sent.set(sn, (sent.get(sn) ?? 0) + count);
        }
        await inbox.drain();
        const seen = new Map<string, number>();
        for (const [position, sn] of opened.entries()) {
          const number = (seen.get(sn) ?? 0) + 1;
          seen.set(sn, number);
          expect(position).toBeLessThan(number * sent.size);
        }
        expect(seen).toEqual(sent);
      }),
      { numRuns: 50 },
    );
  });

  test('nothing is opened while it is put: the loop is given back between', async () => {
    const inbox = open();
    for (let at = 0; at < 100; at += 1) put(inbox, 'a');
    expect(opened).toEqual([]);
    await inbox.drain();
    expect(opened).toHaveLength(100);
  });
});

describe('budgets', () => {
  test('one who is beyond its bytes is held back and counted; others are opened meanwhile, and nothing is lost', async () => {
    const inbox = open({ bytesPerSecond: 20_000, burstBytes: 1_000 });
    for (let at = 0; at < 3; at += 1) put(inbox, 'greedy', { cost: 5_000 });
    for (let at = 0; at < 500; at += 1) put(inbox, 'good');
    await inbox.drain();
    expect(opened.filter((sn) => sn === 'greedy')).toHaveLength(3);
    expect(opened.lastIndexOf('good')).toBeLessThan(opened.lastIndexOf('greedy'));
    expect(await held('bytes')).toBeGreaterThanOrEqual(2);
    expect(refused).toEqual([]);
  });

  test('births have a budget of their own, and hold back what follows them', async () => {
    const inbox = open({ birthsPerMinute: 600, burstBirths: 2 });
    for (let at = 0; at < 3; at += 1) put(inbox, 'greedy', { isBirth: true });
    put(inbox, 'greedy');
    put(inbox, 'good', { isBirth: true });
    await inbox.drain();
    expect(opened).toEqual(['greedy', 'good', 'greedy', 'greedy', 'greedy']);
    expect(await held('births')).toBe(1);
  });

  test('no more than a bound waits of one sender: what is beyond is refused, not opened', async () => {
    const inbox = open({ mostWaitingBytes: 100 });
    const taken = Array.from({ length: 20 }, () => put(inbox, 'greedy', { bytes: 30 }));
    put(inbox, 'good', { bytes: 30 });
    expect(taken.filter(Boolean)).toHaveLength(3);
    await inbox.drain();
    expect(opened.toSorted()).toEqual(['good', 'greedy', 'greedy', 'greedy']);
    expect(refused).toHaveLength(17);
  });

  test('at the end all that waits is opened whatever it costs, and nothing more is taken', () => {
    const inbox = open({ bytesPerSecond: 1, burstBytes: 1 });
    for (let at = 0; at < 5; at += 1) put(inbox, 'greedy', { cost: 1_000 });
    inbox.stop();
    expect(opened).toHaveLength(5);
    expect(put(inbox, 'late')).toBe(false);
    expect(refused).toEqual(['late']);
    expect(inbox.isEmpty).toBe(true);
  });
});
