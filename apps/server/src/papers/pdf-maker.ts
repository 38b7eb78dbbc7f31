import { parentPort, Worker } from 'node:worker_threads';
import type { LiveClock } from '../changes/live-clock.ts';
import { CallError } from '../http/call-error.ts';

interface DrawTask<Task> {
  readonly id: number;
  readonly task: Task;
}

type DrawnAnswer = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly error: string });

/** What a thread that draws does: it draws each task that it is sent, and answers. */
export function drawTasks<Task>(draw: (task: Task) => Promise<Buffer>): void {
  parentPort?.on('message', async ({ id, task }: DrawTask<Task>) => {
    const answer: DrawnAnswer = await draw(task).then(
      (pdf) => ({ id, pdf: new Uint8Array(pdf) }),
      (error: unknown) => ({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    parentPort?.postMessage(answer);
  });
}

/** So many wait at most. */
const MOST_WAITING = 20;
const LONGEST_MS = 60_000;
/** With the fonts that it has read. */
const IDLE_MS = 60_000;
const MOST_MEMORY_MB = 384;

interface Waiting<Task> {
  readonly task: Task;
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Draws papers, one after the other, in a thread of its own: each takes a tenth of a second and more, in which nobody else would be answered.
 * The thread lives while there is something to do and a while longer.
 */
export class PdfMaker<Task> {
  readonly #clock: LiveClock;
  readonly #file: URL;
  readonly #waiting: Waiting<Task>[] = [];
  #thread: Worker | undefined;
  #current: Waiting<Task> | undefined;
  #drawn = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  /** `thread`: the file that calls `drawTasks`. */
  constructor(clock: LiveClock, thread: URL) {
    this.#clock = clock;
    this.#file = thread;
  }

  draw(task: Task): Promise<Buffer> {
    if (this.#isStopped || this.#waiting.length >= MOST_WAITING) throw new CallError('tryLater');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#next();
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const each of this.#waiting.splice(0)) each.reject(new CallError('tryLater'));
    this.#end(new CallError('tryLater'));
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#cancel?.();
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#cancel = this.#clock.after(IDLE_MS, () => this.#end(new CallError('tryLater')));
      return;
    }
    this.#cancel = this.#clock.after(LONGEST_MS, () => this.#end(new Error('a report took too long to be drawn')));
    this.#thread ??= this.#begin();
    this.#thread.postMessage({ id: ++this.#drawn, task: this.#current.task } satisfies DrawTask<Task>);
  }

  #begin(): Worker {
    const thread = new Worker(this.#file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    thread.unref();
    thread.on('message', (answer: DrawnAnswer) => {
      const done = this.#current;
      if (done === undefined || answer.id !== this.#drawn) return;
      this.#current = undefined;
      if ('pdf' in answer) done.resolve(Buffer.from(answer.pdf));
      else done.reject(new Error(answer.error));
      this.#next();
    });
    const lost = (error?: Error) => {
      if (this.#thread === thread) this.#end(error ?? new Error('the thread that draws reports has ended'));
    };
    thread.on('error', lost);
    thread.on('exit', () => lost());
    return thread;
  }

  #end(error: Error): void {
    this.#cancel?.();
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
    const lost = this.#current;
    this.#current = undefined;
    lost?.reject(error);
    if (this.#waiting.length > 0) this.#next();
  }
}
