import { BEAT_MS } from '@sonnenwarte/contract/live/live';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { backoffMs } from './backoff.ts';
import { freshnessOf } from './freshness.ts';
import { createLiveStream, HIDDEN_PAUSE_MS, SILENCE_MS, type StreamState } from './live-stream.ts';

interface Opened {
  subjects: string[];
  send: (event: object) => void;
  end: () => void;
}

function setUp() {
  const opened: Opened[] = [];
  const states: StreamState[] = [];
  const events: string[] = [];
  const stream = createLiveStream({
    url: '/c/v0/live',
    nowMs: () => Date.now(),
    random: () => 1,
    onEvent: (event) => events.push(event.type),
    onState: (state) => states.push(state),
    fetch: async (_url, init) => {
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start: (created) => {
          controller = created;
        },
      });
      init?.signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
      opened.push({
        subjects: (JSON.parse(init?.body) as { subjects: string[] }).subjects,
        send: (event) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)),
        end: () => controller.close(),
      });
      return new Response(body);
    },
  });
  return { stream, opened, states, events, connected: () => states.at(-1)?.connected ?? false };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('live stream', () => {
  test('one stream carries all subjects, opened once when several users come at a time', async () => {
    const { stream, opened } = setUp();
    stream.watch(['fleet']);
    stream.watch(['fleet', 'site:b', 'site:a', 'fleet']);
    await pass(200);
    expect(opened.map((each) => each.subjects)).toEqual([['fleet', 'site:a', 'site:b']]);
  });

  test('it is opened anew when the subjects change, and not when they do not', async () => {
    const { stream, opened } = setUp();
    stream.watch(['fleet']);
    await pass(200);
    stream.watch([]);
    stream.watch(['fleet']);
    await pass(200);
    expect(opened).toHaveLength(1);
    stream.watch(['site:a']);
    await pass(200);
    expect(opened.map((each) => each.subjects)).toEqual([['fleet'], ['site:a']]);
  });

  test('it is connected with the first event, broken when it ends, and heals by itself', async () => {
    const { stream, opened, events, connected } = setUp();
    stream.watch(['fleet']);
    await pass(200);
    expect(connected()).toBe(false);
    opened[0]?.send({ type: 'hello', nowMs: 1 });
    await pass(0);
    expect(connected()).toBe(true);
    opened[0]?.end();
    await pass(0);
    expect(connected()).toBe(false);
    await pass(1_000);
    opened[1]?.send({ type: 'hello', nowMs: 2 });
    await pass(0);
    expect(connected()).toBe(true);
    expect(events).toEqual(['hello', 'hello']);
  });

  test('a stream without beats counts as dead and is opened anew', async () => {
    const { stream, opened, connected } = setUp();
    stream.watch(['fleet']);
    await pass(200);
    opened[0]?.send({ type: 'beat', nowMs: 1 });
    await pass(BEAT_MS);
    opened[0]?.send({ type: 'beat', nowMs: 2 });
    await pass(SILENCE_MS - 1);
    expect(connected()).toBe(true);
    await pass(1);
    expect(connected()).toBe(false);
    await pass(1_000);
    expect(opened).toHaveLength(2);
  });

  test('a page hidden for long closes its stream and opens it when it is shown again', async () => {
    const { stream, opened, connected } = setUp();
    stream.watch(['fleet']);
    await pass(200);
    opened[0]?.send({ type: 'hello', nowMs: 1 });
    await pass(0);
    stream.setHidden(true);
    for (let beats = 0; beats < HIDDEN_PAUSE_MS / BEAT_MS; beats += 1) {
      expect(connected()).toBe(true);
      opened[0]?.send({ type: 'beat', nowMs: 1 });
      await pass(BEAT_MS);
    }
    expect(connected()).toBe(false);
    expect(opened).toHaveLength(1);
    stream.setHidden(false);
    await pass(0);
    expect(opened).toHaveLength(2);
  });
});

describe('back-off', () => {
  test('doubles up to half a minute and is spread over the upper half', () => {
    expect([1, 2, 3, 6, 50].map((failures) => backoffMs(failures, 1))).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
    expect(backoffMs(3, 0)).toBe(2_000);
  });
});

describe('freshness', () => {
  test('a value is late once it is older than two upload intervals', () => {
    expect(freshnessOf(null, 60, 0)).toBe('none');
    expect(freshnessOf(0, 60, 120_000)).toBe('live');
    expect(freshnessOf(0, 60, 120_001)).toBe('late');
  });

  test('of what is asked for every so often lasts two of these pauses, so that nothing healthy turns late between them', () => {
    expect(freshnessOf(0, 10, 45_000)).toBe('late');
    expect(freshnessOf(0, 10, 60_000, 30_000)).toBe('live');
    expect(freshnessOf(0, 10, 60_001, 30_000)).toBe('late');
    expect(freshnessOf(0, 300, 600_000, 30_000)).toBe('live');
  });
});
