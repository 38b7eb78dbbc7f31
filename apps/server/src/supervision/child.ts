import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { endLeftover, writePidFile } from './leftovers.ts';
import { endProcess, residentBytes } from './processes.ts';

export type ChildState = 'starting' | 'up' | 'down';

export interface WatchTimes {
  /** How often the child is asked, and how long each answer may take. */
  everyMs: number;
  /** A child that has answered nothing for so long is ended and started again. */
  deadAfterMs: number;
}

export const usualWatch: WatchTimes = { everyMs: 5_000, deadAfterMs: 30_000 };

export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[] | (() => readonly string[]);
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** Opens a message channel; the child can then notice that its parent is gone. */
  channel?: boolean;
  /** Where the running child is noted, so that the next start can end it if this process is killed. */
  pidFile?: string;
  stop: readonly { signal: NodeJS.Signals; waitMs: number }[];
  /** A child that holds more memory than this is ended and started again. */
  memoryLimitBytes?: number;
  readyTimeoutMs: number;
  /** Asks a running child whether it answers at all, whatever it is busy with and be it by a refusal. */
  watch?: WatchTimes & { alive(signal: AbortSignal): Promise<void> };
  beforeStart?(): Promise<void>;
  /** Resolves when the child serves. `ended` is aborted when it ends before that. */
  ready(child: ChildProcess, ended: AbortSignal): Promise<void>;
}

export interface SupervisedChild {
  readonly pid: number | undefined;
  readonly restarts: number;
  state(): ChildState;
  onDown(listener: () => void): () => void;
  onUp(listener: () => void): () => void;
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
const STEADY_AFTER_MS = 30_000;
const MEMORY_LOOK_MS = 2_000;
const REMEMBERED_LINES = 12;

const supervisors = new Set<ChildSupervisor>();

/** Starts the child in a process group of its own and keeps it running. Rejects if the first start fails. */
export async function superviseChild(spec: ChildSpec, logger: Logger): Promise<SupervisedChild> {
  const supervisor = new ChildSupervisor(spec, logger.child({ child: spec.name }));
  supervisors.add(supervisor);
  await supervisor.startFirst();
  if (supervisor.stopped) throw new Error(`${spec.name} was stopped while it started`);
  return supervisor;
}

/** Stops every child of this process, those included that are still starting. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...supervisors].map((supervisor) => supervisor.stop()));
}

class ChildSupervisor implements SupervisedChild {
  readonly #spec: ChildSpec;
  readonly #logger: Logger;
  readonly #downListeners = new Set<() => void>();
  readonly #upListeners = new Set<() => void>();
  #child: ChildProcess | undefined;
  #state: ChildState = 'starting';
  #stopping: Promise<void> | undefined;
  #attempt: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delayMs = FIRST_DELAY_MS;
  #upSinceMs = 0;
  restarts = 0;

  constructor(spec: ChildSpec, logger: Logger) {
    this.#spec = spec;
    this.#logger = logger;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  state(): ChildState {
    return this.#state;
  }

  onDown(listener: () => void): () => void {
    this.#downListeners.add(listener);
    return () => this.#downListeners.delete(listener);
  }

  onUp(listener: () => void): () => void {
    this.#upListeners.add(listener);
    return () => this.#upListeners.delete(listener);
  }

  async startFirst(): Promise<void> {
    if (this.#spec.pidFile !== undefined) {
      const ended = await endLeftover(this.#spec.pidFile);
      if (ended !== undefined) this.#logger.warn({ pid: ended }, 'ended a process that an earlier run left behind');
    }
    try {
      await this.#start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  get stopped(): boolean {
    return this.#stopping !== undefined;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopNow().finally(() => supervisors.delete(this));
    return this.#stopping;
  }

  async #stopNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = 'down';
    const pid = this.#child?.pid;
    if (pid !== undefined) {
      const gone = await endProcess(pid, [...this.#spec.stop, { signal: 'SIGKILL', waitMs: 5_000 }]);
      if (gone) this.#child = undefined;
      else this.#logger.error({ pid }, 'does not end');
    }
    await this.#attempt?.catch(() => undefined);
    if (this.#spec.pidFile !== undefined) rmSync(this.#spec.pidFile, { force: true });
  }

  #start(): Promise<void> {
    this.#attempt = this.#startOnce().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #startOnce(): Promise<void> {
    const spec = this.#spec;
    this.#state = 'starting';
    await spec.beforeStart?.();
    if (this.#stopping !== undefined) return;
    const child = spawn(spec.command, [...(typeof spec.args === 'function' ? spec.args() : spec.args)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(spec.channel === true ? (['ipc'] as const) : [])],
      ...(spec.cwd !== undefined && { cwd: spec.cwd }),
      ...(spec.env !== undefined && { env: spec.env }),
      ...(spec.uid !== undefined && { uid: spec.uid }),
      ...(spec.gid !== undefined && { gid: spec.gid }),
    });
    this.#child = child;
    const lastLines = this.#follow(child);
    const ended = new AbortController();
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', (error) => {
        ended.abort();
        reject(new Error(`${spec.name} cannot be started: ${error.message}`));
        this.#hasEnded(child, null, null);
      });
      child.once('exit', (code, signal) => {
        ended.abort();
        const words = lastLines.length > 0 ? `: ${lastLines.join(' | ')}` : '';
        reject(new Error(`${spec.name} ended with ${signal ?? `code ${code}`} before it was ready${words}`));
        this.#hasEnded(child, code, signal);
      });
    });
    failed.catch(() => undefined);
    if (spec.pidFile !== undefined && child.pid !== undefined) writePidFile(spec.pidFile, child.pid);
    await Promise.race([spec.ready(child, ended.signal), failed, this.#tooLate(ended)]);
    if (this.#child !== child || this.#stopping !== undefined) return;
    this.#state = 'up';
    this.#upSinceMs = Date.now();
    this.#watchMemory(child);
    void this.#watchAnswers(child);
    for (const listener of this.#upListeners) listener();
  }

  #tooLate(ended: AbortController): Promise<never> {
    const { name, readyTimeoutMs } = this.#spec;
    return new Promise((_resolve, reject) => {
      const timer = setTimeout(() => {
        ended.abort();
        reject(new Error(`${name} was not ready after ${readyTimeoutMs / 1000} s`));
      }, readyTimeoutMs);
      timer.unref();
    });
  }

  #hasEnded(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#stopping !== undefined) return;
    const wasUp = this.#state === 'up';
    this.#state = 'down';
    if (wasUp) {
      this.#logger.error({ code, signal }, 'has ended; starting it again');
      if (Date.now() - this.#upSinceMs > STEADY_AFTER_MS) this.#delayMs = FIRST_DELAY_MS;
      for (const listener of this.#downListeners) listener();
      this.#startLater();
    }
  }

  #startLater(): void {
    if (this.#stopping !== undefined) return;
    const waitMs = this.#delayMs;
    this.#delayMs = Math.min(waitMs * 2, LONGEST_DELAY_MS);
    this.#timer = setTimeout(() => {
      this.restarts += 1;
      this.#start().then(
        () => this.#logger.info({ pid: this.pid, restarts: this.restarts }, 'runs again'),
        async (error: unknown) => {
          this.#logger.error({ err: error, againInMs: this.#delayMs }, 'could not be started again');
          const pid = this.#child?.pid;
          this.#child = undefined;
          this.#state = 'down';
          if (pid !== undefined) await endProcess(pid, [{ signal: 'SIGKILL', waitMs: 5_000 }]);
          this.#startLater();
        },
      );
    }, waitMs);
  }

  #follow(child: ChildProcess): string[] {
    const lastLines: string[] = [];
    const take = (stream: Readable | null) => {
      if (stream === null) return;
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
        if (line.trim() === '') return;
        lastLines.push(line);
        if (lastLines.length > REMEMBERED_LINES) lastLines.shift();
        this.#logger.debug({ pid: child.pid }, line);
      });
    };
    take(child.stdout);
    take(child.stderr);
    return lastLines;
  }

  /** Counts questions, not time: after a machine was asleep none has been asked yet. */
  async #watchAnswers(child: ChildProcess): Promise<void> {
    const { watch } = this.#spec;
    if (watch === undefined) return;
    const most = Math.max(1, Math.round(watch.deadAfterMs / (2 * watch.everyMs)));
    let unanswered = 0;
    for (;;) {
      await delay(watch.everyMs, undefined, { ref: false });
      const isCurrent = () => this.#child === child && this.#stopping === undefined;
      if (!isCurrent()) return;
      try {
        await watch.alive(AbortSignal.timeout(watch.everyMs));
        unanswered = 0;
        continue;
      } catch {
        unanswered += 1;
      }
      if (!isCurrent()) return;
      this.#logger.warn({ unanswered, endedAfter: most }, 'does not answer');
      if (unanswered < most) continue;
      this.#logger.error({ pid: child.pid }, 'has not answered for too long; ending it');
      child.kill('SIGKILL');
      return;
    }
  }

  #watchMemory(child: ChildProcess): void {
    const { memoryLimitBytes } = this.#spec;
    if (memoryLimitBytes === undefined) return;
    const timer = setInterval(() => {
      if (this.#child !== child || child.pid === undefined) return clearInterval(timer);
      const bytes = residentBytes(child.pid);
      if (bytes <= memoryLimitBytes) return;
      this.#logger.error({ bytes, memoryLimitBytes }, 'holds too much memory; ending it');
      child.kill('SIGKILL');
    }, MEMORY_LOOK_MS);
    timer.unref();
  }
}
