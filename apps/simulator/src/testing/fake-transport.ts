import { decodePayload, type SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { type EdgeTopic, parseSparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Schedule } from '../edge/pause.ts';
import type { OpenTransport, TransportRequest } from '../edge/transport.ts';

export interface SentMessage {
  topic: EdgeTopic;
  bytes: Uint8Array;
  qos: 0 | 1;
  payload: SparkplugPayload;
}

/** A broker in memory: keeps what loggers send, and may hold acknowledgements back or cut connections. */
export class FakeBroker {
  readonly sent: SentMessage[] = [];
  readonly wills: TransportRequest['will'][] = [];
  isReachable = true;
  holdsAcks = false;
  #request: TransportRequest | undefined;
  #held: { resolve(): void; reject(error: Error): void }[] = [];
  #openCount = 0;

  readonly open: OpenTransport = async (request) => {
    if (!this.isReachable) throw new Error('cannot be reached');
    this.#request = request;
    this.#openCount += 1;
    const connection = this.#openCount;
    this.wills.push(request.will);
    return {
      publish: (topic, bytes, qos) => {
        if (this.#openCount !== connection || this.#request === undefined) {
          return Promise.reject(new Error('not connected'));
        }
        const parsed = parseSparkplugTopic(topic);
        if (parsed === null || parsed.type === 'STATE') return Promise.reject(new Error(`bad topic ${topic}`));
        this.sent.push({ topic: parsed, bytes, qos, payload: decodeOrEmpty(bytes) });
        if (qos === 0 || !this.holdsAcks) return Promise.resolve();
        return new Promise((resolve, reject) => this.#held.push({ resolve, reject }));
      },
      close: async (isClean) => {
        if (this.#openCount === connection) this.#end(isClean);
      },
    };
  };

  get unacknowledged(): number {
    return this.#held.length;
  }

  acknowledge(count: number): void {
    for (const each of this.#held.splice(0, count)) each.resolve();
  }

  /** Ends the connection from outside. */
  cut(): void {
    this.#end(false);
  }

  deliver(topic: string, payload: Uint8Array): void {
    this.#request?.onMessage(topic, payload);
  }

  of(type: string, device?: string): SentMessage[] {
    return this.sent.filter(({ topic }) => topic.type === type && (device === undefined || topic.device === device));
  }

  #end(_isClean: boolean): void {
    const request = this.#request;
    this.#request = undefined;
    for (const each of this.#held.splice(0)) each.reject(new Error('connection lost'));
    request?.onClose();
  }
}

function decodeOrEmpty(bytes: Uint8Array): SparkplugPayload {
  try {
    return decodePayload(bytes);
  } catch {
    return { metrics: [] };
  }
}

/** A clock that stands until a test moves it; waiting ends when the time has come. */
export class FakeSchedule implements Schedule {
  #nowMs: number;
  readonly #waiting: { atMs: number; done(): void }[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.push({ atMs: this.#nowMs + milliseconds, done });
      signal.addEventListener('abort', done);
    });
  }

  /** Moves the time, ending each wait at its own moment. */
  async pass(milliseconds: number): Promise<void> {
    const endMs = this.#nowMs + milliseconds;
    await settled();
    for (;;) {
      this.#waiting.sort((a, b) => a.atMs - b.atMs);
      const next = this.#waiting[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#waiting.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.done();
      await settled();
    }
    this.#nowMs = endMs;
    await settled();
  }
}

/** Lets everything run that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
