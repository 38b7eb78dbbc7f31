import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { LiveBus } from '../changes/live-bus.ts';
import type { SettingChange } from '../device-settings/reported.store.ts';
import type { DataloggerEntry, DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { isRowRefused } from '../ingestion/registry/registry.store.ts';
import type { CommandResult, Told } from '../ingestion/sessions/command-hooks.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import type { Channel } from './channel.ts';
import { recordEnds } from './command-audit.ts';
import { COMMAND_TIMES, type CommandTimes } from './commands.states.ts';
import { type CommandChange, commandsThatMayTurn, openCommands, writeChanges } from './commands.store.ts';
import { Held } from './held.ts';
import { CommandMetrics } from './metrics.ts';
import { changedCommand, commandIdOf, isOpen, type OpenCommand, subjectOf } from './open-command.ts';
import { keepReadBacks, type Telling } from './read-backs.ts';
import { type Happening, Round } from './round.ts';
import { sendAll } from './sending.ts';
import type { Wire } from './wire.ts';

export interface DispatcherOptions {
  readonly db: Kysely<Database>;
  readonly bus: { subscribe: LiveBus['subscribe']; publish: LiveBus['publish'] };
  readonly wire: Wire;
  readonly channel: Channel;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly times?: CommandTimes | undefined;
  /** Hears whose settings were written. */
  readonly settingsWritten?: (subjectIds: readonly string[]) => void;
  /** Hears what devices told with an answer to what nobody here has asked: it is true all the same. */
  readonly toldUnasked?: (entry: DeviceEntry, values: Told, atMs: number) => void;
}

/** Happenings of one round: their writes are one statement. */
const MOST_AT_ONCE = 500;
/** While the database is away no more are kept: what is lost of answers is asked for again. */
const MOST_WAITING = 20_000;
const MOST_SETTLED = 5_000;
const AGAIN_AFTER_MS = 500;
/** Of a command that somebody else holds at this moment. */
const HELD_ELSEWHERE_MS = 250;
const MOST_PUT_BACK = 20;
const LONGEST_TIMER_MS = 60_000;

/**
 * Takes commands from the table to those that they are for and follows them to their end. The table is what is true: each step is written before
 * anything is sent, so that whoever comes after a process that ended goes on with it.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #times: CommandTimes;
  readonly #metrics: CommandMetrics;
  readonly #held = new Held();
  /** Of which the device's own word is known, by id with whom they were for: it may say it again. */
  readonly #settled = new Map<string, string>();
  /** The last one of each of these. */
  readonly #lastSettled = new Map<string, string>();
  readonly #touched = new Set<string>();
  #waiting: Happening[] = [];
  #working: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #isStopped = false;
  #isDue = false;
  /** More happened than could be kept: what is open is read again. */
  #hasLost = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#times = options.times ?? COMMAND_TIMES;
    this.#metrics = new CommandMetrics(options.metrics, this.#held);
  }

  /** Takes up what is open. */
  start(): void {
    this.#unsubscribe = this.#options.bus.subscribe((news) => {
      if (news.missed) this.#note({ type: 'heard', loggerKeys: undefined });
      else if (news.commands !== undefined) this.#note({ type: 'heard', loggerKeys: news.commands });
    });
    this.#note({ type: 'heard', loggerKeys: undefined });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** Waits until all that has happened is written. */
  async drain(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  isAwaited(entry: DeviceEntry): boolean {
    return this.#held.underWayOf(entry.id) !== undefined;
  }

  born(entry: DeviceEntry, isBack: boolean): void {
    if (this.#held.has(entry.id)) this.#note({ type: isBack ? 'back' : 'here', subject: entry.id });
  }

  told(entry: DeviceEntry, values: Told, isBirth: boolean, atMs = Date.now()): void {
    if (this.isAwaited(entry)) this.#note({ type: 'told', subject: entry.id, values, isBirth, atMs });
  }

  answered(entry: DeviceEntry, result: CommandResult, values: Told, atMs = Date.now()): void {
    const { id } = commandIdOf(result.id);
    if (!this.#settled.has(id)) this.#note({ type: 'answered', entry, result, values, atMs });
    // What it says again is of now, unless something was written since.
    else if (this.#lastSettled.get(entry.id) === id && this.#held.underWayOf(entry.id) === undefined)
      this.#options.toldUnasked?.(entry, values, atMs);
  }

  listens({ key }: DataloggerEntry): void {
    for (const subject of this.#held.subjectsOf(key)) this.#note({ type: 'here', subject });
  }

  /** Settings are others than before: a command of which nobody knows how it ended may be seen to have been done. */
  changed(changes: readonly SettingChange[]): void {
    for (const { author, name, value, atMs } of changes) {
      if (author?.state === 'timedOut') this.#note({ type: 'shown', id: author.id, values: { [name]: value }, atMs });
    }
  }

  #note(happening: Happening): void {
    if (this.#isStopped) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#waiting.shift();
      this.#hasLost = true;
    }
    this.#waiting.push(happening);
    this.#work();
  }

  #work(): void {
    if (this.#working !== undefined || this.#isStopped) return;
    this.#working = this.#rounds().finally(() => {
      this.#working = undefined;
      if (this.#hasWork) this.#work();
      else this.#arm();
    });
  }

  get #hasWork(): boolean {
    return !this.#isStopped && (this.#waiting.length > 0 || this.#touched.size > 0 || this.#isDue);
  }

  async #rounds(): Promise<void> {
    // What happens in one turn is taken together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#hasWork) {
      this.#isDue = false;
      const happenings = this.#waiting.splice(0, MOST_AT_ONCE);
      if (this.#hasLost) happenings.unshift({ type: 'heard', loggerKeys: undefined });
      this.#hasLost = false;
      try {
        await this.#round(happenings);
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'commands could not be written');
        this.#waiting = [...happenings, ...this.#waiting].slice(0, MOST_WAITING);
        this.#isDue = true;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      }
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const { nextMs } = this.#held;
    if (nextMs === undefined || this.#isStopped) return;
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, nextMs - Date.now()));
    this.#timer = setTimeout(() => {
      this.#isDue = true;
      this.#work();
    }, waitMs);
    this.#timer.unref();
  }

  async #round(happenings: readonly Happening[]): Promise<void> {
    for (const happening of happenings) if (happening.type === 'heard') await this.#read(happening.loggerKeys);
    const nowMs = Date.now();
    const late = await this.#lateCommands(happenings);
    const round = new Round({
      held: this.#held,
      wire: this.#options.wire,
      times: this.#times,
      nowMs,
      late,
      touch: (subject) => this.#touched.add(subject),
    });
    for (const happening of happenings) round.take(happening);
    const due = this.#held.takeDue(nowMs, MOST_AT_ONCE);
    if (due.length === MOST_AT_ONCE) this.#isDue = true;
    for (const command of due) {
      this.#touched.add(subjectOf(command));
      round.overdue(command);
    }
    const touched = [...this.#touched].slice(0, MOST_AT_ONCE);
    for (const subject of touched) round.sendNext(subject);
    try {
      await this.#write(round);
    } catch (error) {
      for (const command of due) this.#held.lookAgain(command, nowMs + AGAIN_AFTER_MS);
      throw error;
    }
    for (const subject of touched) this.#touched.delete(subject);
    await this.#finish(round);
  }

  /** Reads what is open, of all or of some dataloggers. */
  async #read(loggerKeys: readonly number[] | undefined): Promise<void> {
    const commands = await openCommands(this.#options.db, loggerKeys);
    for (const subject of this.#held.replace(commands, loggerKeys)) this.#touched.add(subject);
  }

  /** Of what was answered, that which had been given up. */
  async #lateCommands(happenings: readonly Happening[]): Promise<Map<string, OpenCommand>> {
    const ids = happenings.flatMap((happening) => {
      if (happening.type === 'shown') return [happening.id];
      if (happening.type !== 'answered') return [];
      const { id } = commandIdOf(happening.result.id);
      return this.#held.byId(id) === undefined ? [id] : [];
    });
    if (ids.length === 0) return new Map();
    const found = await commandsThatMayTurn(this.#options.db, ids);
    return new Map(found.map((command) => [command.id, command]));
  }

  async #write(round: Round): Promise<void> {
    for (const { entry, values, atMs } of round.unasked) this.#options.toldUnasked?.(entry, values, atMs);
    if (round.drafts.size === 0 && round.tellings.length === 0) return;
    const changes = [...round.drafts].map(([command, to]) => ({ command, to }));
    const ids = await this.#store(changes, round.tellings, round.nowMs).catch((error: unknown) => {
      if (!isRowRefused(error)) throw error;
      return this.#storeEach(changes, round);
    });
    for (const { command, to } of changes) {
      if (ids.has(to.id)) {
        Object.assign(command, to);
        continue;
      }
      // Somebody else has it: who took it back tells so; where they did not in the end, it is looked at again.
      round.drafts.delete(command);
      round.sends.delete(command);
      if (!this.#putBack(round.causesOf(command))) this.#held.lookAgain(command, round.nowMs + HELD_ELSEWHERE_MS);
    }
  }

  /** What a device answered while somebody else held its command is taken once more: it says it only once. False where there is nothing of that. */
  #putBack(happenings: readonly Happening[]): boolean {
    const again = happenings.flatMap((each) =>
      (each.again ?? 0) < MOST_PUT_BACK ? [{ ...each, again: (each.again ?? 0) + 1 }] : [],
    );
    if (again.length === 0) return false;
    setTimeout(() => {
      for (const each of again) this.#note(each);
    }, HELD_ELSEWHERE_MS).unref();
    return true;
  }

  /** Writes steps with what was told; answers the ids of the commands that are as they are to be. */
  async #store(changes: readonly CommandChange[], tellings: readonly Telling[], nowMs: number): Promise<Set<string>> {
    const { db, settingsWritten } = this.#options;
    const { ids, subjects } = await inTransaction(db, async (trx) => {
      const ids = changes.length === 0 ? new Set<string>() : await writeChanges(trx, changes);
      const kept = changes.filter(({ to }) => ids.has(to.id));
      const subjects = await keepReadBacks(trx, kept, tellings, nowMs);
      await recordEnds(
        trx,
        kept.filter(({ command, to }) => !isOpen(to) && to.state !== command.state).map(({ to }) => to),
      );
      return { ids, subjects };
    });
    if (subjects.length > 0) settingsWritten?.(subjects);
    return ids;
  }

  /** The database will never take something of one of them: the others are written. */
  async #storeEach(changes: readonly CommandChange[], { tellings, nowMs }: Round): Promise<Set<string>> {
    const written = new Set<string>();
    for (const change of changes) {
      const own = tellings.filter(({ command }) => command === change.command);
      try {
        const ids = await this.#store([change], own, nowMs);
        for (const id of ids) written.add(id);
      } catch (error) {
        if (!isRowRefused(error)) throw error;
        this.#options.logger.error({ err: error, command: change.to.id }, 'a command could not be written');
      }
    }
    return written;
  }

  async #finish(round: Round): Promise<void> {
    const { wire, channel, bus, logger } = this.#options;
    for (const command of round.drafts.keys()) {
      if (isOpen(command)) this.#held.awaitDue(command);
      else this.#end(command);
    }
    await sendAll(round.sends, wire, logger, (command, { code, message }) =>
      this.#note({ type: 'unspeakable', command, code, message }),
    );
    if (round.drafts.size === 0) return;
    const changed = [...round.drafts.keys()];
    await bus
      .publish({
        // What is said to a datalogger itself shows on its plant.
        sites: changed.flatMap((command) =>
          command.deviceKey === null ? (wire.entryOf(command)?.datalogger.site?.key ?? []) : [],
        ),
        devices: changed.flatMap(({ deviceKey }) => deviceKey ?? []),
      })
      .catch((error: unknown) => logger.debug({ err: error }, 'nobody is told of changed commands'));
    await channel.tell(changed.map(changedCommand));
  }

  #end(command: OpenCommand): void {
    this.#metrics.ended(command);
    if (this.#held.release(command)) this.#touched.add(subjectOf(command));
    if (command.code === null) return;
    const subject = subjectOf(command);
    this.#settled.set(command.id, subject);
    this.#lastSettled.set(subject, command.id);
    if (this.#settled.size <= MOST_SETTLED) return;
    const [oldest] = this.#settled;
    if (oldest === undefined) return;
    this.#settled.delete(oldest[0]);
    if (this.#lastSettled.get(oldest[1]) === oldest[0]) this.#lastSettled.delete(oldest[1]);
  }
}
