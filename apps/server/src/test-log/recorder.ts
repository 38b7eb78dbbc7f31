import { MOST_RECORDED_BYTES, MOST_RECORDED_MESSAGES } from '@sonnenwarte/contract/test-log/test-log';
import { rebirthCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { encodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import {
  GROUP,
  parseJsonTopic,
  parseSparkplugTopic,
  sparkplugTopic,
} from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { IncomingMessage, MessageSink, MessageSource } from '../broker/message-source.ts';
import type { Database } from '../stores/schema.ts';
import { type Aliases, readMessage } from './readable.ts';
import {
  dropOldRefused,
  dropRefusedBeyond,
  endDue,
  type NewMessage,
  noteRefused,
  runningRecordings,
  writeMessages,
} from './recorder.store.ts';

interface Running {
  readonly id: string;
  readonly untilMs: number;
  readonly aliases: Aliases;
  messages: number;
  bytes: number;
}

const LOOK_MS = 1_000;
/** That wait to be written, of all recordings together; what comes beyond is not recorded. */
const MOST_WAITING = 2_000;
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
const WRITTEN_AT_ONCE = 200;
/** Refused messages of dataloggers that nobody records, in a second. */
const MOST_REFUSED_A_LOOK = 10;
const MOST_REFUSED = 20_000;
const KEPT_OF_REFUSED_BYTES = 2 * 1024;

/**
 * Writes down what dataloggers say and are told: of those that an administrator records everything, of all others what was refused. It only
 * listens, and never keeps anybody waiting. Where nothing is recorded a message costs one look into an empty map.
 */
export class Recorder {
  readonly #db: Kysely<Database>;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #running = new Map<string, Running>();
  #waiting: NewMessage[] = [];
  #waitingBytes = 0;
  readonly #entries = new WeakMap<IncomingMessage, NewMessage>();
  readonly #ids = new WeakMap<NewMessage, string>();
  #refusedLater: [id: string, reason: string][] = [];
  #refusedNow = 0;
  #source: MessageSource | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #looks = 0;

  constructor(db: Kysely<Database>, logger: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#logger = logger;
  }

  async start(source: MessageSource): Promise<void> {
    this.#source = source;
    await this.look().catch((error: unknown) => this.#warn(error));
    this.#timer = setInterval(() => void this.look().catch((error: unknown) => this.#warn(error)), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking?.catch(() => undefined);
    await this.#write().catch((error: unknown) => this.#warn(error));
  }

  /** The same sink, overheard. */
  around(sink: MessageSink): MessageSink {
    return {
      message: (message, done, read) => {
        this.#heard(message);
        sink.message(message, done, read);
      },
      disconnected: (sn, connection) => sink.disconnected(sn, connection),
      listens: (sn) => sink.listens?.(sn),
      accepts: () => sink.accepts(),
      isBehind: () => sink.isBehind(),
    };
  }

  /** The same source, whose messages to dataloggers are overheard. */
  overheard(source: MessageSource): MessageSource {
    return {
      ...source,
      publish: (topic, payload, options) => {
        this.#told(topic, payload);
        return source.publish(topic, payload, options);
      },
    };
  }

  /** A message, or a part of it, was not taken. */
  refused(message: IncomingMessage, reason: string): void {
    const entry = this.#entries.get(message);
    if (entry !== undefined) {
      if (entry.refusedFor !== '') return;
      entry.refusedFor = reason;
      const id = this.#ids.get(entry);
      if (id !== undefined && this.#refusedLater.length < MOST_WAITING) this.#refusedLater.push([id, reason]);
      return;
    }
    if (this.#refusedNow >= MOST_REFUSED_A_LOOK) return;
    this.#refusedNow += 1;
    const read = readMessage(message.topic, message.payload, new Map());
    this.#add({ ...this.#entryOf(message.sn, 'up', message.payload.length, read, null), refusedFor: reason });
  }

  /** Finds out what is to be recorded, ends what is over and writes what waits; at most once at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    this.#refusedNow = 0;
    await this.#write();
    if (this.#running.size > 0) await endDue(this.#db);
    const rows = await runningRecordings(this.#db);
    const wanted = new Map(rows.map((row) => [row.sn, row]));
    for (const [sn, { id }] of this.#running) if (wanted.get(sn)?.id !== id) this.#running.delete(sn);
    for (const { id, sn, until, messages, bytes } of rows) {
      const known = this.#running.get(sn);
      const aliases = known?.aliases ?? new Map();
      this.#running.set(sn, { id, untilMs: until.getTime(), aliases, messages, bytes: Number(bytes) });
      // Its births tell the names of what it tells by numbers.
      if (known === undefined) this.#askForBirths(sn);
    }
    this.#looks += 1;
    if (this.#looks % 60 === 0) await dropRefusedBeyond(this.#db, MOST_REFUSED);
  }

  #askForBirths(sn: string): void {
    if (this.#source === undefined || (this.#source.kind === 'embedded' && this.#source.connectionOf(sn) === 0)) return;
    const payload = Buffer.from(encodePayload(rebirthCommand()));
    this.overheard(this.#source)
      .publish(sparkplugTopic(GROUP, 'NCMD', sn), payload)
      .catch((error: unknown) => this.#warn(error));
  }

  #heard(message: IncomingMessage): void {
    const running = this.#runningOf(message.sn);
    if (running === undefined) return;
    const read = readMessage(message.topic, message.payload, running.aliases);
    const entry = this.#entryOf(message.sn, 'up', message.payload.length, read, running.id);
    if (this.#add(entry)) this.#count(running, entry);
    this.#entries.set(message, entry);
  }

  #told(topic: string, payload: Buffer): void {
    if (this.#running.size === 0) return;
    const parsed = parseSparkplugTopic(topic);
    const sn = parsed === null ? parseJsonTopic(topic)?.sn : parsed.type === 'STATE' ? undefined : parsed.edge;
    const running = sn === undefined ? undefined : this.#runningOf(sn);
    if (sn === undefined || running === undefined) return;
    const entry = this.#entryOf(sn, 'down', payload.length, readMessage(topic, payload, running.aliases), running.id);
    if (this.#add(entry)) this.#count(running, entry);
  }

  #runningOf(sn: string): Running | undefined {
    const running = this.#running.get(sn);
    if (running === undefined || Date.now() >= running.untilMs) return undefined;
    return running.messages >= MOST_RECORDED_MESSAGES || running.bytes >= MOST_RECORDED_BYTES ? undefined : running;
  }

  #count(running: Running, { payload }: NewMessage): void {
    running.messages += 1;
    running.bytes += payload.length;
  }

  #entryOf(
    sn: string,
    direction: 'up' | 'down',
    size: number,
    { kind, deviceSn, bytes, readable, isWithheld }: ReturnType<typeof readMessage>,
    recordingId: string | null,
  ): NewMessage {
    // What the broker gives is a part of a larger read; kept is a copy.
    const payload = Buffer.from(recordingId === null ? bytes.subarray(0, KEPT_OF_REFUSED_BYTES) : bytes);
    const said = recordingId === null ? shortened(readable) : readable;
    return {
      recordingId,
      sn,
      deviceSn,
      atMs: Date.now(),
      direction,
      kind,
      size,
      payload,
      readable: said,
      isWithheld,
      refusedFor: '',
    };
  }

  #add(entry: NewMessage): boolean {
    if (this.#waiting.length >= MOST_WAITING || this.#waitingBytes + entry.payload.length > MOST_WAITING_BYTES)
      return false;
    this.#waiting.push(entry);
    this.#waitingBytes += entry.payload.length;
    return true;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const part = this.#waiting.slice(0, WRITTEN_AT_ONCE);
      const ids = await this.#written(part);
      this.#waiting = this.#waiting.slice(part.length);
      this.#waitingBytes = this.#waiting.reduce((sum, { payload }) => sum + payload.length, 0);
      for (const [at, entry] of part.entries()) {
        const id = ids[at];
        if (id !== undefined) this.#ids.set(entry, id);
      }
      const refused = [...new Set(part.flatMap(({ recordingId, sn }) => (recordingId === null ? [sn] : [])))];
      if (refused.length > 0) await dropOldRefused(this.#db, refused);
    }
    const later = this.#refusedLater;
    this.#refusedLater = [];
    for (const [id, reason] of later) await noteRefused(this.#db, id, reason);
  }

  /** Numbers of the messages; undefined for one that the database does not take, which keeps none of the others waiting. */
  async #written(part: readonly NewMessage[]): Promise<readonly (string | undefined)[]> {
    try {
      return await writeMessages(this.#db, part);
    } catch (error) {
      if (!isOfData(error)) throw error;
      if (part.length > 1) {
        const half = Math.ceil(part.length / 2);
        return [...(await this.#written(part.slice(0, half))), ...(await this.#written(part.slice(half)))];
      }
      this.#warn(error);
      return [undefined];
    }
  }

  #warn(error: unknown): void {
    this.#logger.warn({ err: error }, 'messages of dataloggers could not be recorded');
  }
}

const shortened = ({ values, text }: NewMessage['readable']): NewMessage['readable'] => ({
  ...(values !== undefined && { values: values.slice(0, 50) }),
  ...(text !== undefined && { text: text.slice(0, KEPT_OF_REFUSED_BYTES) }),
});

/** Whether PostgreSQL refuses what is written for what it is: its class 22, data exceptions. */
const isOfData = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('22');
