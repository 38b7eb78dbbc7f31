import { DueTimes } from './due-times.ts';
import { isOpen, Lane, type OpenCommand, subjectOf } from './open-command.ts';

/** The open commands as the dispatcher holds them: by id, in the lane of their subject, by when they are due. */
export class Held {
  readonly #byId = new Map<string, OpenCommand>();
  readonly #lanes = new Map<string, Lane>();
  readonly #subjects = new Map<number, Set<string>>();
  readonly #due = new DueTimes<OpenCommand>();

  byId(id: string): OpenCommand | undefined {
    return this.#byId.get(id);
  }

  has(subject: string): boolean {
    return this.#lanes.has(subject);
  }

  underWayOf(subject: string): OpenCommand | undefined {
    return this.#lanes.get(subject)?.underWay;
  }

  /** Whose turn it is. */
  nextOf(subject: string): OpenCommand | undefined {
    return this.#lanes.get(subject)?.next;
  }

  subjectsOf(loggerKey: number): Iterable<string> {
    return this.#subjects.get(loggerKey) ?? [];
  }

  get nextMs(): number | undefined {
    return this.#due.nextMs;
  }

  /** How many there are of each state, and when the oldest was ordered. */
  get summary(): { readonly counts: ReadonlyMap<string, number>; readonly oldestMs: number | undefined } {
    const counts = new Map<string, number>();
    let oldestMs: number | undefined;
    for (const { state, createdMs } of this.#byId.values()) {
      counts.set(state, (counts.get(state) ?? 0) + 1);
      oldestMs = Math.min(oldestMs ?? createdMs, createdMs);
    }
    return { counts, oldestMs };
  }

  /** Takes what was read for what is open, of all dataloggers or of some; answers the subjects that it concerns. */
  replace(read: readonly OpenCommand[], loggerKeys: readonly number[] | undefined): Set<string> {
    const concerned = new Set<string>();
    const open = new Set(read.map(({ id }) => id));
    const subjects =
      loggerKeys === undefined ? [...this.#lanes.keys()] : loggerKeys.flatMap((key) => [...this.subjectsOf(key)]);
    for (const subject of subjects) {
      for (const command of [...(this.#lanes.get(subject)?.commands ?? [])]) {
        if (open.has(command.id)) continue;
        this.release(command);
        concerned.add(subject);
      }
    }
    for (const command of read) {
      concerned.add(subjectOf(command));
      const known = this.#byId.get(command.id);
      if (known === undefined) this.#put(command);
      else if (known.state !== command.state || known.tries !== command.tries) Object.assign(known, command);
      if (known === undefined) this.awaitDue(command);
    }
    return concerned;
  }

  #put(command: OpenCommand): void {
    const subject = subjectOf(command);
    this.#byId.set(command.id, command);
    let lane = this.#lanes.get(subject);
    if (lane === undefined) {
      lane = new Lane();
      this.#lanes.set(subject, lane);
    }
    lane.put(command);
    const ofLogger = this.#subjects.get(command.loggerKey) ?? new Set();
    this.#subjects.set(command.loggerKey, ofLogger.add(subject));
  }

  /** Lets go of a command; false where it was not held. */
  release(command: OpenCommand): boolean {
    if (this.#byId.get(command.id) !== command) return false;
    this.#byId.delete(command.id);
    const subject = subjectOf(command);
    const lane = this.#lanes.get(subject);
    lane?.remove(command);
    if (lane?.commands.length !== 0) return true;
    this.#lanes.delete(subject);
    const ofLogger = this.#subjects.get(command.loggerKey);
    ofLogger?.delete(subject);
    if (ofLogger?.size === 0) this.#subjects.delete(command.loggerKey);
    return true;
  }

  awaitDue(command: OpenCommand): void {
    if (command.dueMs !== null) this.#due.put(command, command.dueMs);
  }

  lookAgain(command: OpenCommand, atMs: number): void {
    if (this.#byId.get(command.id) === command) this.#due.put(command, atMs);
  }

  /** Commands at which it is time to look, the earliest first. */
  takeDue(nowMs: number, most: number): OpenCommand[] {
    const found: OpenCommand[] = [];
    for (const command of this.#due.take(nowMs)) {
      if (this.#byId.get(command.id) === command && isOpen(command)) found.push(command);
      if (found.length >= most) break;
    }
    return found;
  }
}
