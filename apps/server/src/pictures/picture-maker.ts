import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LiveClock } from '../changes/live-clock.ts';
import { CallError } from '../http/call-error.ts';

/** A picture as it is kept: two JPEGs, which tell nothing but what is seen. */
export interface MadePicture {
  readonly content: Uint8Array;
  readonly thumb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A logo as it is kept: a PNG that may be seen through. */
export interface MadeLogo {
  readonly content: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What comes of a picture, by what it is for. */
export interface Made {
  readonly photo: MadePicture;
  readonly logo: MadeLogo;
}

export interface PictureTask {
  readonly id: number;
  readonly use: keyof Made;
  readonly bytes: Uint8Array;
}

export interface PictureAnswer {
  readonly id: number;
  /** What is no picture, or has too many pixels, is not made. */
  readonly made: Made[keyof Made] | 'unreadable' | 'tooLarge';
}

/** So many wait at most, 10 MB each, and of one account. */
const MOST_WAITING = 12;
const MOST_WAITING_OF_ONE = 4;
/** What takes longer was made to take long: 50 megapixels take three or four seconds of a processor. */
const LONGEST_MS = 30_000;
const IDLE_MS = 60_000;

const refusals = {
  photo: { unreadable: 'pictureUnreadable', tooLarge: 'pictureTooLarge' },
  logo: { unreadable: 'logoUnreadable', tooLarge: 'logoTooLarge' },
} as const;

interface Waiting {
  readonly account: string;
  readonly bytes: Uint8Array;
  readonly use: keyof Made;
  readonly resolve: (made: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Makes pictures anew, one after the other, in a process of its own: it takes hundreds of MB and seconds, which are given back, and whatever a
 * picture does to it, it does to that process. It runs while there is something to do and a while longer. Accounts take turns: nobody waits for more
 * than one picture of each other account.
 */
export class PictureMaker {
  readonly #clock: LiveClock;
  readonly #waiting: Waiting[] = [];
  /** In which turn an account had its newest, while anything is to be done. */
  readonly #turns = new Map<string, number>();
  #process: ChildProcess | undefined;
  #current: Waiting | undefined;
  #made = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(clock: LiveClock) {
    this.#clock = clock;
  }

  make<const U extends keyof Made>(bytes: Uint8Array, use: U, account: string): Promise<Made[U]> {
    if (this.#isStopped || this.#waitingOf(account) >= MOST_WAITING_OF_ONE) throw new CallError('tryLater');
    if (this.#waiting.length >= MOST_WAITING) this.#makeRoomFor(account);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ account, bytes, use, resolve, reject });
      this.#next();
    });
  }

  /** How many pictures of an account are being made, or are to be. */
  pendingOf(account: string): number {
    return this.#waitingOf(account) + (this.#current?.account === account ? 1 : 0);
  }

  #waitingOf(account: string): number {
    return this.#waiting.filter((each) => each.account === account).length;
  }

  /** Of the account of which most wait the newest gives way, unless it is no more than those of the other. */
  #makeRoomFor(account: string): void {
    const counts = this.#waiting.map((each) => this.#waitingOf(each.account));
    const most = Math.max(...counts);
    if (most <= this.#waitingOf(account) + 1) throw new CallError('tryLater');
    const [given] = this.#waiting.splice(counts.lastIndexOf(most), 1);
    given?.reject(new CallError('tryLater'));
  }

  /** The oldest of the account whose turn is longest ago. */
  #take(): Waiting | undefined {
    const lastTurn = ({ account }: Waiting): number => this.#turns.get(account) ?? 0;
    const first = Math.min(...this.#waiting.map(lastTurn));
    const [taken] = this.#waiting.splice(
      Math.max(
        0,
        this.#waiting.findIndex((each) => lastTurn(each) === first),
      ),
      1,
    );
    if (taken === undefined) {
      this.#turns.clear();
      return undefined;
    }
    this.#turns.set(taken.account, this.#made + 1);
    return taken;
  }

  stop(): void {
    this.#isStopped = true;
    for (const each of this.#waiting.splice(0)) each.reject(new CallError('tryLater'));
    this.#end();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#cancel?.();
    this.#current = this.#take();
    if (this.#current === undefined) {
      this.#cancel = this.#clock.after(IDLE_MS, () => this.#end());
      return;
    }
    const { bytes, use } = this.#current;
    const task: PictureTask = { id: ++this.#made, bytes, use };
    this.#cancel = this.#clock.after(LONGEST_MS, () => this.#end());
    this.#process ??= this.#begin();
    // A process that has just ended says so itself.
    this.#process.send(task, () => undefined);
  }

  #begin(): ChildProcess {
    const maker = fork(fileURLToPath(new URL('./picture-process.ts', import.meta.url)), {
      serialization: 'advanced',
      execArgv: [],
      env: {},
    });
    maker.on('message', ({ id, made }: PictureAnswer) => {
      const done = this.#current;
      if (done === undefined || id !== this.#made) return;
      this.#current = undefined;
      if (typeof made === 'object') done.resolve(made as never);
      else done.reject(new CallError(refusals[done.use][made]));
      this.#next();
    });
    const lost = () => {
      if (this.#process === maker) this.#end();
    };
    maker.on('error', lost);
    maker.on('exit', lost);
    return maker;
  }

  /** What was being made when the process ended is no picture that can be made. */
  #end(): void {
    this.#cancel?.();
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
    const lost = this.#current;
    this.#current = undefined;
    lost?.reject(new CallError(this.#isStopped ? 'tryLater' : refusals[lost.use].unreadable));
    if (this.#waiting.length > 0) this.#next();
  }
}
