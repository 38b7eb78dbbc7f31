import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * What the server tells over its channel: that it serves, that it has heard that it is to end, why it is about to end, that it cannot be
 * started as it is configured.
 * @typedef {{ kind: 'ready' } | { kind: 'stopping' } | { kind: 'ending', cause: string } | { kind: 'refused' }} Word
 */

/**
 * @typedef {object} Supervision
 * @property {string} command
 * @property {readonly string[]} args
 * @property {(line: string) => void} say
 * @property {number} [firstDelayMs]
 * @property {number} [longestDelayMs]
 * @property {number} [mostRestarts] so many within `withinMs`; then something is wrong that no start mends
 * @property {number} [withinMs]
 * @property {number} [heardWithinMs] a server that is told to end and does not say for so long that it has heard is killed
 * @property {number} [endedWithinMs] ... and one that has heard and does not end
 * @property {readonly string[]} [endLeftArgs] of the same command, to end what a killed server leaves behind
 */

/**
 * @typedef {object} End
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {boolean} wasReady
 * @property {boolean} wasRefused
 * @property {string | undefined} cause
 */

/** Tells the next start why it is one. */
const CAUSE = 'SONNENWARTE_RESTART_CAUSE';
/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @param {End} end */
const exitCode = ({ code, signal }) => code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** @param {End} end */
const causeOf = ({ code, signal, cause }) => cause ?? (signal === null ? `exit code ${code}` : `signal ${signal}`);

/**
 * Runs a server until it ends in order, and starts it again when it does not. A first start that fails, or one that is
 * refused, is not repeated. If this process is killed, the server notices by its channel and ends itself.
 * @param {Supervision} supervision
 * @returns {Promise<number>} the exit code
 */
export async function supervise({
  command,
  args,
  say,
  firstDelayMs = 1_000,
  longestDelayMs = 30_000,
  mostRestarts = 5,
  withinMs = 600_000,
  heardWithinMs = 10_000,
  endedWithinMs = 70_000,
  endLeftArgs,
}) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let isStopping = false;
  let hasKilled = false;
  /** @type {NodeJS.Timeout | undefined} */
  let bound;
  /** @type {(() => void) | undefined} */
  let wake;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      isStopping = true;
      if (child !== undefined) tellToEnd(child, signal);
      wake?.();
    });
  }

  /**
   * A busy server hears no signal but the last.
   * @param {import('node:child_process').ChildProcess} server
   * @param {number} withinMs
   */
  const killAfter = (server, withinMs) => {
    clearTimeout(bound);
    bound = setTimeout(() => {
      hasKilled = true;
      say(`Sonnenwarte does not end within ${withinMs / 1_000} s and is killed. What was acknowledged is stored.`);
      server.kill('SIGKILL');
    }, withinMs);
  };

  /**
   * @param {import('node:child_process').ChildProcess} server
   * @param {NodeJS.Signals} signal
   */
  function tellToEnd(server, signal) {
    server.kill(signal);
    if (bound === undefined) killAfter(server, heardWithinMs);
  }

  /** @returns {Promise<void>} */
  const endLeft = () =>
    new Promise((resolve) => {
      if (!hasKilled || endLeftArgs === undefined) return resolve();
      const ending = spawn(command, [...endLeftArgs], {
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: endedWithinMs,
      });
      ending.once('error', () => resolve());
      ending.once('close', () => resolve());
    });

  /**
   * @param {string | undefined} restartCause
   * @returns {Promise<End>}
   */
  const runOnce = (restartCause) =>
    new Promise((resolve) => {
      let wasReady = false;
      let wasRefused = false;
      /** @type {string | undefined} */
      let cause;
      const env = restartCause === undefined ? process.env : { ...process.env, [CAUSE]: restartCause };
      const started = spawn(command, [...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
      child = started;
      started.on('message', (message) => {
        const word = /** @type {Word} */ (message);
        if (word.kind === 'ready') wasReady = true;
        if (word.kind === 'stopping' && isStopping) killAfter(started, endedWithinMs);
        if (word.kind === 'refused') wasRefused = true;
        if (word.kind === 'ending') cause = word.cause;
      });
      started.once('error', (error) => {
        child = undefined;
        resolve({ code: 1, signal: null, wasReady, wasRefused, cause: error.message });
      });
      // Its last words have come by then.
      started.once('close', (code, signal) => {
        child = undefined;
        resolve({ code, signal, wasReady, wasRefused, cause });
      });
      if (isStopping) tellToEnd(started, 'SIGTERM');
    });

  /** @param {number} ms */
  const pause = (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });

  /** @type {number[]} */
  let restarts = [];
  let hasServed = false;
  /** @type {string | undefined} */
  let cause;
  for (;;) {
    const end = await runOnce(cause);
    clearTimeout(bound);
    await endLeft();
    hasServed ||= end.wasReady;
    if (isStopping || end.code === 0 || end.wasRefused) return exitCode(end);
    if (!hasServed) {
      if (end.signal !== null) say(`Sonnenwarte was ended by ${end.signal} while it started.`);
      return exitCode(end);
    }
    cause = causeOf(end);
    const nowMs = Date.now();
    restarts = restarts.filter((atMs) => nowMs - atMs < withinMs);
    if (restarts.length >= mostRestarts) {
      say(`Sonnenwarte ended unexpectedly (${cause}), ${mostRestarts + 1} times now. It is not started again.`);
      return 1;
    }
    const delayMs = Math.min(firstDelayMs * 2 ** restarts.length, longestDelayMs);
    restarts.push(nowMs);
    say(`Sonnenwarte ended unexpectedly (${cause}). It is started again in ${(delayMs / 1_000).toFixed(1)} s.`);
    await pause(delayMs);
    if (isStopping) return exitCode(end);
  }
}
