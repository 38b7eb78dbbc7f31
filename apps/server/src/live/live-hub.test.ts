import { BEAT_MS, type LiveEvent } from '@sonnenwarte/contract/live/live';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import type { LiveListener, LiveNews } from '../changes/live-bus.ts';
import { CallError } from '../http/call-error.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { LiveReads } from './live.store.ts';
import { CHECK_MS, createLiveHub, type LiveHub, MAX_STREAMS_PER_SESSION, SEND_EVERY_MS } from './live-hub.ts';

const idOf = (key: number) => `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`;
const siteOf = (key: number) => `site:${idOf(key)}`;

class Sink {
  readonly events: LiveEvent[] = [];
  readonly #closing = new AbortController();
  readonly closed = this.#closing.signal;
  backlogBytes = 0;
  send(event: LiveEvent): void {
    if (!this.closed.aborted) this.events.push(event);
  }
  end(): void {
    this.#closing.abort();
  }
  /** What came since the last look, beats left out. */
  take(): string[] {
    return this.takeAll().filter((event) => event !== 'beat');
  }
  takeAll(): string[] {
    return this.events.splice(0).map((event) => {
      if (event.type === 'site') return `${event.site.stationID.slice(-1)}=${event.site.todayWh}`;
      if (event.type === 'gone') return `gone ${event.subject.slice(-1)}`;
      return event.type === 'fleet' ? `fleet=${event.fleet.totalWh}` : event.type;
    });
  }
}

/** Stores of plants 1 to 9, of which those in `hidden` are out of everybody's scope. */
class World {
  readonly clock = new ManualClock(1_800_000_000_000);
  readonly values = new Map<number, number>();
  readonly hidden = new Set<number>([9]);
  readonly reads: string[] = [];
  readonly actors = new Map<string, Actor>();
  fails = false;
  lookUpFails = false;
  #listener: LiveListener = () => undefined;
  readonly hub: LiveHub;

  constructor() {
    const sites = async (ids: readonly string[]) => {
      this.reads.push(ids.map((id) => id.slice(-1)).join(','));
      if (this.fails) throw new Error('the store does not answer');
      return new Map(
        ids.map((id): [string, LiveEvent] => [id, siteEvent(id, this.values.get(Number(id.slice(-1))) ?? 0)]),
      );
    };
    const reads: LiveReads = {
      visible: async (_, ids) => ({
        sites: new Map(
          ids.sites
            .map((id): [string, number] => [id, Number(id.slice(-1))])
            .filter(([, key]) => !this.hidden.has(key)),
        ),
        devices: new Map(),
      }),
      sites,
      devices: async () => new Map(),
      handovers: async () => new Map(),
      fleet: async () => ({ type: 'fleet', fleet: { totalWh: this.values.get(1) ?? 0 } as never }),
    };
    this.hub = createLiveHub({
      reads,
      clock: this.clock,
      bus: {
        subscribe: (listener) => {
          this.#listener = listener;
          return () => undefined;
        },
      },
      findActor: async (token) => {
        if (this.lookUpFails) throw new Error('the database does not answer');
        const actor = this.actors.get(token);
        if (actor === undefined) throw new CallError('sessionEnded');
        return actor;
      },
      logger: { warn: () => undefined, error: () => undefined },
    });
  }

  change(...keys: number[]): void {
    for (const key of keys) this.values.set(key, (this.values.get(key) ?? 0) + 1);
    this.say({ sites: keys, devices: [], missed: false });
  }

  say(news: LiveNews): void {
    this.#listener(news);
  }

  async open(token: string, subjects: string[]): Promise<Sink> {
    const actor: Actor = {
      accountId: token,
      username: token,
      level: 255,
      organisationID: '',
      organisationPath: [],
      codes: new Set(),
      sessionId: token,
      mustChangePassword: false,
      viewAs: null,
    };
    this.actors.set(token, actor);
    const sink = new Sink();
    await this.hub.open({ actor, token, address: '', userAgent: '' }, subjects, sink);
    await this.clock.advance(0);
    return sink;
  }
}

const siteEvent = (stationID: string, todayWh: number): LiveEvent => ({
  type: 'site',
  site: { stationID, todayWh } as never,
  today: {} as never,
});

let world: World;
beforeEach(() => {
  world = new World();
});

describe('live hub', () => {
  test('a stream begins with hello and the present state of each subject', async () => {
    world.values.set(2, 7);
    const sink = await world.open('a', [siteOf(1), siteOf(2), siteOf(2)]);
    expect(sink.take()).toEqual(['hello', '1=0', '2=7']);
    expect(world.reads).toEqual(['1,2']);
  });

  test('a subject out of scope, an unknown one and one that is no id are gone alike', async () => {
    const sink = await world.open('a', [siteOf(9), `site:${'-'.repeat(36)}`, `device:${idOf(5)}`]);
    expect(sink.take()).toEqual(['hello', 'gone 9', 'gone -', 'gone 5']);
    world.change(9);
    await world.clock.advance(5_000);
    expect(sink.take()).toEqual([]);
  });

  test('changes come at once when it was quiet, else once a second with the newest state', async () => {
    const sink = await world.open('a', [siteOf(1)]);
    await world.clock.advance(SEND_EVERY_MS);
    sink.take();
    world.change(1);
    await world.clock.advance(0);
    expect(sink.take()).toEqual(['1=1']);
    for (let step = 0; step < 9; step += 1) {
      world.change(1);
      await world.clock.advance(SEND_EVERY_MS / 10);
    }
    expect(sink.take()).toEqual([]);
    await world.clock.advance(SEND_EVERY_MS / 10);
    expect(sink.take()).toEqual(['1=10']);
    await world.clock.advance(5 * SEND_EVERY_MS);
    expect(sink.take()).toEqual([]);
  });

  test('streams and subjects that change together are read together, and each hears only what it watches', async () => {
    const [a, b] = [await world.open('a', [siteOf(1), siteOf(2)]), await world.open('b', [siteOf(2), siteOf(3)])];
    await world.clock.advance(2 * SEND_EVERY_MS);
    a.take();
    b.take();
    world.reads.length = 0;
    world.change(1, 2, 3, 4);
    await world.clock.advance(SEND_EVERY_MS);
    expect(world.reads).toEqual(['1,2,3']);
    expect(a.take()).toEqual(['1=1', '2=1']);
    expect(b.take()).toEqual(['2=1', '3=1']);
  });

  test('a second stream gets the known state without another read', async () => {
    await world.open('a', [siteOf(1)]);
    world.reads.length = 0;
    const second = await world.open('b', [siteOf(1)]);
    await world.clock.advance(SEND_EVERY_MS);
    expect(second.take()).toEqual(['hello', '1=0']);
    expect(world.reads).toEqual([]);
  });

  test('after a cut of the bus every watched subject is read anew', async () => {
    const sink = await world.open('a', [siteOf(1), siteOf(2)]);
    await world.clock.advance(SEND_EVERY_MS);
    sink.take();
    world.values.set(2, 5);
    world.say({ sites: [], devices: [], missed: true });
    await world.clock.advance(SEND_EVERY_MS);
    expect(sink.take()).toEqual(['1=0', '2=5']);
  });

  test('a change is not lost when the store does not answer for a while', async () => {
    const sink = await world.open('a', [siteOf(1)]);
    await world.clock.advance(SEND_EVERY_MS);
    sink.take();
    world.fails = true;
    world.change(1);
    await world.clock.advance(3 * SEND_EVERY_MS);
    expect(sink.take()).toEqual([]);
    world.fails = false;
    await world.clock.advance(2 * SEND_EVERY_MS);
    expect(sink.take()).toEqual(['1=1']);
  });

  test('the fleet is sent at once and on the change of any plant', async () => {
    const sink = await world.open('a', ['fleet']);
    expect(sink.take()).toEqual(['hello', 'fleet=0']);
    world.change(1);
    await world.clock.advance(2 * SEND_EVERY_MS);
    expect(sink.take()).toEqual(['fleet=1']);
  });

  test('a client that takes nothing gets only the newest state once it has caught up, and is let go in the end', async () => {
    const sink = await world.open('a', [siteOf(1)]);
    await world.clock.advance(SEND_EVERY_MS);
    sink.take();
    sink.backlogBytes = 1_000_000;
    for (let step = 0; step < 5; step += 1) {
      world.change(1);
      await world.clock.advance(SEND_EVERY_MS);
    }
    expect(sink.take()).toEqual([]);
    sink.backlogBytes = 0;
    await world.clock.advance(SEND_EVERY_MS);
    expect(sink.take()).toEqual(['1=5']);
    sink.backlogBytes = 1_000_000;
    await world.clock.advance(5 * CHECK_MS);
    expect(sink.closed.aborted).toBe(true);
    expect(world.hub.streams).toBe(0);
  });

  test('beats come every two seconds while the session lives; its end closes the stream within fifteen', async () => {
    const sink = await world.open('a', []);
    await world.clock.advance(2 * BEAT_MS);
    expect(sink.takeAll()).toEqual(['hello', 'beat', 'beat']);
    world.actors.delete('a');
    await world.clock.advance(CHECK_MS);
    expect(sink.closed.aborted).toBe(true);
  });

  test('a stream stays open while the session cannot be looked up', async () => {
    const sink = await world.open('a', []);
    world.lookUpFails = true;
    await world.clock.advance(2 * CHECK_MS);
    expect(sink.takeAll()).toContain('beat');
    expect(sink.closed.aborted).toBe(false);
  });

  test('a subject that leaves the scope is gone within a minute, and no change of it is told afterwards', async () => {
    const sink = await world.open('a', [siteOf(1), siteOf(2)]);
    world.hidden.add(1);
    await world.clock.advance(60_000);
    expect(sink.take()).toContain('gone 1');
    world.change(1, 2);
    await world.clock.advance(2 * SEND_EVERY_MS);
    expect(sink.take()).toEqual(['2=1']);
  });

  test('after a change of tenancy, sessions that ended and subjects out of scope are let go at once', async () => {
    const ended = await world.open('a', [siteOf(1)]);
    const sink = await world.open('b', [siteOf(1), siteOf(2)]);
    sink.take();
    world.actors.delete('a');
    world.hidden.add(1);
    world.say({ sites: [], devices: [], missed: false, tenancy: true });
    await world.clock.advance(0);
    expect(ended.closed.aborted).toBe(true);
    expect(sink.closed.aborted).toBe(false);
    expect(sink.take()).toContain('gone 1');
    world.change(1, 2);
    await world.clock.advance(2 * SEND_EVERY_MS);
    expect(sink.take()).toEqual(['2=1']);
  });

  test('what changes by silence alone is told within a minute', async () => {
    const sink = await world.open('a', [siteOf(1)]);
    world.values.set(1, 4);
    await world.clock.advance(60_000 + SEND_EVERY_MS);
    expect(sink.take()).toContain('1=4');
  });

  test('beyond the limit of streams of a session the oldest ends', async () => {
    const first = await world.open('a', []);
    for (let number = 1; number < MAX_STREAMS_PER_SESSION; number += 1) await world.open('a', []);
    expect(first.closed.aborted).toBe(false);
    const last = await world.open('a', []);
    expect(first.closed.aborted).toBe(true);
    expect(last.closed.aborted).toBe(false);
    expect(world.hub.streams).toBe(MAX_STREAMS_PER_SESSION);
  });

  test('closing the hub ends all streams', async () => {
    const sinks = [await world.open('a', [siteOf(1)]), await world.open('b', [])];
    world.hub.close();
    expect(sinks.every(({ closed }) => closed.aborted)).toBe(true);
    expect(world.hub.streams).toBe(0);
  });
});
