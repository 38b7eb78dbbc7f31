import type { ListedRecord, RecordFrame, RecordPart } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ChangedCommand, CommandChannel } from '../commands/orders.ts';
import { partsOf } from '../in-slices.ts';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { askForList, askForRecords, mendGap } from './asking.ts';
import { AutomaticBudget } from './automatic-budget.ts';
import { failureOf } from './failures.ts';
import {
  fail,
  fetchedBy,
  holdOverdue,
  holdRecords,
  listedBy,
  nextDue,
  receiveBy,
  tellOfRecords,
} from './fetching.store.ts';
import { keepList, listsOf, newestKept, noteListFailed } from './lists.store.ts';
import { takeParts } from './taken-parts.ts';

export interface ReceiverOptions {
  readonly db: Kysely<Database>;
  readonly commands: CommandChannel;
  readonly logger: Pick<Logger, 'warn'>;
  /** How long the next part of a record may take. */
  readonly partWaitMs?: number;
}

/** What has come of one device. */
interface Heard {
  readonly parts: RecordPart[];
  bytes: number;
  list: readonly ListedRecord[] | undefined;
}

const PART_WAIT_MS = 30_000;
/** Of parts that wait to be written; what comes beyond is asked for again. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
const MOST_BYTES_OF_DEVICE = 512 * 1024;
const MOST_ANNOUNCED = 20_000;
const DEVICES_AT_ONCE = 200;
const OVERDUE_AT_ONCE = 50;
const AGAIN_AFTER_MS = 2_000;
const LONGEST_TIMER_MS = 600_000;
/** Fetched without anybody asking: of a list the newest, of the last day. */
const FETCHED_OF_LIST = 3;
const FETCHED_SINCE_MS = 86_400_000;

/**
 * Takes what devices tell of their fault records, follows each fetch to its end, and asks for what is new by itself. What is true stands in the tables; a
 * process that is killed in between goes on from there.
 */
export class RecordReceiver {
  readonly #options: ReceiverOptions;
  readonly #budget = new AutomaticBudget();
  /** Index of the newest record that a device has announced and that was looked into. */
  readonly #known = new WeakMap<DeviceEntry, number>();
  readonly #announced = new Map<DeviceEntry, number>();
  #heard = new Map<string, Heard>();
  #waitingBytes = 0;
  #changed: string[] = [];
  #isDue = true;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isStopped = false;
  #endsHearing = (): void => undefined;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  start(): void {
    this.#endsHearing = this.#options.commands.onChange((changed) => this.#commandsChanged(changed));
    this.#work();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endsHearing();
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** Waits until what has come is written. */
  async drain(): Promise<void> {
    await this.#working;
  }

  /** A device has told something of its fault records. */
  heard(device: DeviceEntry, { newest, list, part }: RecordFrame): void {
    if (this.#isStopped) return;
    if (newest !== undefined && newest > 0 && this.#known.get(device) !== newest) {
      if (this.#announced.size < MOST_ANNOUNCED) this.#announced.set(device, newest);
    }
    if (device.id !== '' && (list !== undefined || part !== undefined)) this.#keep(device.id, list, part);
    this.#work();
  }

  #keep(deviceId: string, list: readonly ListedRecord[] | undefined, part: RecordPart | undefined): void {
    const heard = this.#heard.get(deviceId) ?? { parts: [], bytes: 0, list: undefined };
    this.#heard.set(deviceId, heard);
    if (list !== undefined) heard.list = list;
    const bytes = part?.data.length ?? 0;
    if (part === undefined || heard.bytes + bytes > MOST_BYTES_OF_DEVICE) return;
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) return;
    heard.parts.push(part);
    heard.bytes += bytes;
    this.#waitingBytes += bytes;
  }

  #commandsChanged(changed: readonly ChangedCommand[]): void {
    const ids = changed.flatMap(({ id, action }) =>
      action === 'FaultRecordRead' || action === 'FaultRecordList' ? [id] : [],
    );
    if (ids.length === 0 || this.#isStopped) return;
    this.#changed.push(...ids);
    this.#work();
  }

  get #hasWork(): boolean {
    const isAnnounced = [...this.#announced.keys()].some(({ id }) => id !== '');
    return !this.#isStopped && (this.#isDue || this.#heard.size > 0 || this.#changed.length > 0 || isAnnounced);
  }

  #work(): void {
    if (this.#working !== undefined || this.#isStopped) return;
    this.#working = this.#rounds().finally(() => {
      this.#working = undefined;
      if (this.#hasWork) this.#work();
    });
  }

  async #rounds(): Promise<void> {
    // What comes in one turn is taken together.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.#hasWork) await this.#round();
      await this.#arm();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'fault records could not be written');
      this.#isDue = false;
      if (!this.#isStopped) this.#wakeIn(AGAIN_AFTER_MS);
    }
  }

  async #round(): Promise<void> {
    this.#isDue = false;
    const heard = this.#heard;
    this.#heard = new Map();
    this.#waitingBytes = 0;
    // One that cannot be written keeps nothing from the others: what is missing is asked for again.
    for (const [deviceId, told] of heard) await this.#each(() => this.#take(deviceId, told));
    const changed = this.#changed.splice(0);
    if (changed.length > 0) await this.#each(() => this.#follow(changed));
    await this.#each(() => this.#lookIntoAnnounced());
    await this.#overdue();
  }

  async #each(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'something of fault records could not be written');
    }
  }

  async #take(deviceId: string, { parts, list }: Heard): Promise<void> {
    const { db, commands, partWaitMs: waitMs = PART_WAIT_MS } = this.#options;
    const nowMs = Date.now();
    for (const index of new Set(parts.map((part) => part.index))) {
      const ofRecord = parts.filter((part) => part.index === index);
      await inTransaction(db, (tx) => takeParts(tx, deviceId, ofRecord, { commands, nowMs, waitMs }));
    }
    if (list === undefined) return;
    await inTransaction(db, async (tx) => {
      await keepList(tx, deviceId, list, new Date(nowMs));
      await tellOfRecords(tx);
    });
    await this.#fetchNewest(deviceId, nowMs);
  }

  async #fetchNewest(deviceId: string, nowMs: number): Promise<void> {
    const { db, commands } = this.#options;
    await inTransaction(db, async (tx) => {
      const kept = await newestKept(tx, deviceId, new Date(nowMs - FETCHED_SINCE_MS), FETCHED_OF_LIST);
      if (kept.length === 0) return;
      const records = await holdRecords(
        tx,
        kept.map(({ id }) => id),
      );
      const allowed = records.filter(({ logger_id }) => this.#budget.take(logger_id, nowMs));
      if (allowed.length === 0) return;
      await tellOfRecords(tx);
      await askForRecords(tx, allowed, { commands, nowMs, orderedBy: null });
    });
  }

  async #lookIntoAnnounced(): Promise<void> {
    const { db, commands } = this.#options;
    const told = [...this.#announced].filter(([{ id }]) => id !== '');
    for (const [device, newest] of told) {
      this.#announced.delete(device);
      this.#known.set(device, newest);
    }
    const newestOf = new Map(told.map(([{ id }, newest]) => [id, newest]));
    for (const ids of partsOf([...newestOf.keys()], DEVICES_AT_ONCE)) {
      const nowMs = Date.now();
      for (const { id, logger_id, newest, asked_until } of await listsOf(db, ids)) {
        if (newest === newestOf.get(id) || (asked_until !== null && asked_until.getTime() > nowMs)) continue;
        if (!this.#budget.take(logger_id, nowMs)) continue;
        await inTransaction(db, async (tx) => {
          await tellOfRecords(tx);
          await askForList(tx, { device_id: id, logger_id }, { commands, nowMs, orderedBy: null });
        });
      }
    }
  }

  /** What became of commands that ask for records. */
  async #follow(commandIds: readonly string[]): Promise<void> {
    const { db, partWaitMs = PART_WAIT_MS } = this.#options;
    for (const { id, state, code, batch_id } of await fetchedBy(db, commandIds)) {
      const failure = failureOf(state, code);
      await inTransaction(db, async (tx) => {
        const [record] = await holdRecords(tx, [id]);
        if (record === undefined || record.batch_id !== batch_id) return;
        if (state === 'confirmed') await receiveBy(tx, id, new Date(Date.now() + partWaitMs));
        // Parts have come, although the answer has not: the rest is waited for.
        if (failure === undefined || (failure === 'silent' && record.state === 'receiving')) return;
        await fail(tx, id, failure, code);
        await tellOfRecords(tx);
      });
    }
    for (const { device_id, state, code, batch_id } of await listedBy(db, commandIds)) {
      // A device that has answered without a list has not answered.
      const failure = state === 'confirmed' ? 'silent' : failureOf(state, code);
      if (failure === undefined || batch_id === null) continue;
      await noteListFailed(db, device_id, batch_id, failure, code === ResultCode.ok ? null : code);
      await tellOfRecords(db);
    }
  }

  async #overdue(): Promise<void> {
    const { db, commands } = this.#options;
    const nowMs = Date.now();
    const next = await nextDue(db);
    if (next === undefined || next > nowMs) return;
    await inTransaction(db, async (tx) => {
      const records = await holdOverdue(tx, new Date(nowMs), OVERDUE_AT_ONCE);
      if (records.length === 0) return;
      await tellOfRecords(tx);
      for (const record of records) await mendGap(tx, record, 'silent', { commands, nowMs });
      this.#isDue = records.length === OVERDUE_AT_ONCE;
    });
  }

  async #arm(): Promise<void> {
    if (this.#isStopped) return;
    const isAnyUnnamed = this.#announced.size > 0;
    const nextMs = await nextDue(this.#options.db);
    const dueMs = nextMs === undefined ? LONGEST_TIMER_MS : Math.max(0, nextMs - Date.now());
    this.#wakeIn(Math.min(isAnyUnnamed ? AGAIN_AFTER_MS : LONGEST_TIMER_MS, dueMs));
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#isDue = true;
      this.#work();
    }, ms);
    this.#timer.unref();
  }
}
