import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { CommandResult, Told } from '../ingestion/sessions/command-hooks.ts';
import { type CommandEvent, type CommandTimes, eventOfResult } from './commands.states.ts';
import type { Held } from './held.ts';
import { commandIdOf, isProvenByReturn, type OpenCommand, subjectOf } from './open-command.ts';
import {
  advanced,
  answerMsOf,
  backEvent,
  type Draft,
  type Happened,
  type Hearer,
  isAsWanted,
  ofCommand,
  overdue,
  toldEvent,
} from './progress.ts';
import type { Telling } from './read-backs.ts';
import { isPlain, type Wire } from './wire.ts';

/** What happens to commands; `again`: how often it was put back because somebody else held the command. */
export type Happening = { readonly again?: number } & What;

interface Received {
  readonly values: Told;
  /** When it came. */
  readonly atMs: number;
}

type What =
  | { readonly type: 'heard'; readonly loggerKeys: readonly number[] | undefined }
  | ({ readonly type: 'answered'; readonly entry: DeviceEntry; readonly result: CommandResult } & Received)
  | ({ readonly type: 'told'; readonly subject: string; readonly isBirth: boolean } & Received)
  | { readonly type: 'back' | 'here'; readonly subject: string }
  | ({ readonly type: 'shown'; readonly id: string } & Received)
  | { readonly type: 'unspeakable'; readonly command: OpenCommand; readonly code: number; readonly message: string };

export interface RoundOptions {
  readonly held: Held;
  readonly wire: Pick<Wire, 'entryOf' | 'isThere'>;
  readonly times: CommandTimes;
  readonly nowMs: number;
  /** Commands that had been given up, of which something was told. */
  readonly late: ReadonlyMap<string, OpenCommand>;
  /** Whose next command may be sent now. */
  readonly touch: (subject: string) => void;
}

/** What happened in one moment, and what comes of it: steps that are written together, and what is to be sent afterwards. */
export class Round {
  readonly drafts = new Map<OpenCommand, Draft>();
  readonly sends = new Map<OpenCommand, 'command' | 'reading'>();
  /** What devices told with their answers, or by themselves of what was written. */
  readonly tellings: Telling[] = [];
  /** What they told with answers to what was not asked here. */
  readonly unasked: { readonly entry: DeviceEntry; readonly values: Told; readonly atMs: number }[] = [];
  readonly nowMs: number;
  readonly #causes = new Map<OpenCommand, Set<Happening>>();
  #taking: Happening | undefined;
  readonly #late: ReadonlyMap<string, OpenCommand>;
  readonly #held: Held;
  readonly #wire: RoundOptions['wire'];
  readonly #times: CommandTimes;
  readonly #touch: (subject: string) => void;

  constructor({ held, wire, times, nowMs, late, touch }: RoundOptions) {
    this.nowMs = nowMs;
    this.#late = late;
    this.#held = held;
    this.#wire = wire;
    this.#times = times;
    this.#touch = touch;
  }

  /** Takes what has happened. */
  take(happening: Happening): void {
    this.#taking = happening;
    this.#take(happening);
    this.#taking = undefined;
  }

  /** What has made a command another than it was. */
  causesOf(command: OpenCommand): readonly Happening[] {
    return [...(this.#causes.get(command) ?? [])];
  }

  #put(command: OpenCommand, draft: Draft): void {
    this.drafts.set(command, draft);
    if (this.#taking === undefined) return;
    const causes = this.#causes.get(command) ?? new Set();
    this.#causes.set(command, causes.add(this.#taking));
  }

  #take(happening: Happening): void {
    switch (happening.type) {
      case 'heard':
        return;
      case 'here':
        this.#touch(happening.subject);
        return;
      case 'back':
        this.#back(happening.subject);
        return;
      case 'answered':
        this.#answered(happening);
        return;
      case 'told':
        this.#told(happening);
        return;
      case 'shown': {
        const command = this.#late.get(happening.id);
        if (command !== undefined) this.#shown(command, happening);
        return;
      }
      case 'unspeakable': {
        const { command, code, message } = happening;
        this.#step(command, 'refuse', { word: { code, message } });
      }
    }
  }

  #back(subject: string): void {
    this.#touch(subject);
    const command = this.#held.underWayOf(subject);
    if (command === undefined) return;
    const event = backEvent(this.#now(command), this.#hearerOf(command), this.#times, this.nowMs);
    if (event !== undefined) this.#step(command, event);
  }

  #answered({ entry, result, values, atMs }: Extract<Happening, { type: 'answered' }>): void {
    const { id, isReading } = commandIdOf(result.id);
    const command = this.#held.byId(id) ?? this.#late.get(id);
    // Nobody ends what was said to somebody else, or was never said. A datalogger may answer for its devices.
    const isAsked = command !== undefined && [subjectOf(command), command.loggerId].includes(entry.id);
    if (!isAsked || command.state === 'queued') {
      // Of which of its devices a datalogger speaks then, nobody knows.
      if (entry !== entry.datalogger.self) this.unasked.push({ entry, values, atMs });
      return;
    }
    const own = ofCommand(command, values);
    if (Object.keys(values).length > 0) this.tellings.push({ command, values, atMs });
    const isDone = isAsWanted(command, own);
    if (isReading) {
      if (isDone !== undefined) this.#step(command, isDone ? 'readAsWanted' : 'readOtherwise', { values: own });
      return;
    }
    const { code, message } = result;
    const event = this.#proven(command, eventOfResult(command.kind, code, isDone));
    this.#step(command, event, { word: { code, message }, values: own });
  }

  /** What a datalogger shows by connecting again is done once it has, also where its answer came only afterwards. */
  #proven(command: OpenCommand, event: CommandEvent): CommandEvent {
    if (event !== 'done' || !isProvenByReturn(command)) return event;
    const beganMs = this.#wire.entryOf(command)?.datalogger.sessionMs ?? 0;
    return command.content.action === 'Reboot' && beganMs > (command.sentMs ?? beganMs) ? 'done' : 'begun';
  }

  #told({ subject, values, isBirth, atMs }: Extract<Happening, { type: 'told' }>): void {
    const command = this.#held.underWayOf(subject);
    if (command === undefined) return;
    const hearer = this.#hearerOf(command);
    const own = ofCommand(command, values);
    if (Object.keys(own).length === 0 && command.kind !== 'read') return;
    const now = this.#now(command);
    const seen = hearer.isPlain && command.kind === 'write' ? { ...command.echo, ...own } : own;
    const event = toldEvent({ ...command, ...now }, seen, hearer, isBirth);
    if (hearer.isPlain && !isBirth) command.echo = seen;
    if (event !== undefined && this.#step(command, event, { values: seen }))
      this.tellings.push({ command, values: seen, atMs });
  }

  /** Only where all is told that was wanted. */
  #shown(command: OpenCommand, { values, atMs }: Received): void {
    const now = this.#now(command);
    if (now.state !== 'timedOut') return;
    const seen = { ...now.readBack, ...values };
    if (isAsWanted(command, seen) === true) {
      this.#step(command, 'toldAsWanted', { values: seen });
      this.tellings.push({ command, values, atMs });
    } else this.#put(command, { ...now, readBack: seen });
  }

  /** Looks at a command whose time has come. */
  overdue(command: OpenCommand): void {
    const now = { ...command, ...this.#now(command) };
    if (now.dueMs === null || now.dueMs > this.nowMs) return;
    const due = overdue(now, this.#hearerOf(command), this.#times, this.nowMs);
    if (due === undefined) return;
    if ('event' in due) this.#step(command, due.event);
    else this.drafts.set(command, { ...now, dueMs: due.untilMs });
  }

  /** Sends what is next of a subject, where it is there. */
  sendNext(subject: string): void {
    const command = this.#held.nextOf(subject);
    if (command === undefined || this.drafts.has(command)) return;
    if (this.nowMs >= command.expiresMs) this.#step(command, 'expire');
    else if (this.#hearerOf(command).isThere) this.#step(command, 'send');
  }

  #hearerOf(command: OpenCommand): Hearer {
    const entry = this.#wire.entryOf(command);
    return { isThere: this.#wire.isThere(entry), isPlain: entry !== undefined && isPlain(entry) };
  }

  #now(command: OpenCommand): Draft {
    return this.drafts.get(command) ?? command;
  }

  /** False where the event changes nothing. */
  #step(command: OpenCommand, event: CommandEvent, beside: Pick<Happened, 'word' | 'values'> = {}): boolean {
    const answerMs = answerMsOf(command, this.#hearerOf(command).isPlain, this.#times);
    const step = advanced(this.#now(command), event, { nowMs: this.nowMs, answerMs, ...beside });
    if (step === undefined) return false;
    this.#put(command, step.to);
    if (step.sends === undefined || (step.sends === 'reading' && command.isOvertaken)) this.sends.delete(command);
    else this.sends.set(command, step.sends);
    return true;
  }
}
