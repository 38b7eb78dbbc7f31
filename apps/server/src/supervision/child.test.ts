import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { type ChildSpec, type SupervisedChild, stopAllChildren, superviseChild } from './child.ts';
import { isAlive } from './processes.ts';

const logger = pino({ level: 'silent' });
let folder = '';
let child: SupervisedChild | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-child-'));
});
afterEach(async () => {
  await child?.stop();
  child = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function spec(code: string, changes: Partial<ChildSpec> = {}): ChildSpec {
  return {
    name: 'fake',
    command: process.execPath,
    args: ['-e', code],
    channel: true,
    stop: [{ signal: 'SIGTERM', waitMs: 300 }],
    readyTimeoutMs: 10_000,
    ready: (started) => new Promise((resolve) => started.once('message', () => resolve())),
    ...changes,
  };
}

const SERVES = `process.send('ready'); setInterval(() => {}, 1000);`;
const next = (listen: (listener: () => void) => () => void) =>
  new Promise<void>((resolve) => {
    const off = listen(() => {
      off();
      resolve();
    });
  });

test('a child that dies is started again and says so', async () => {
  child = await superviseChild(spec(SERVES), logger);
  const first = child.pid ?? 0;
  const { onDown, onUp } = { onDown: child.onDown.bind(child), onUp: child.onUp.bind(child) };
  const down = next(onDown);
  const up = next(onUp);
  process.kill(first, 'SIGKILL');
  await down;
  expect(child.state()).toBe('down');
  await up;
  expect(child.state()).toBe('up');
  expect(child.pid).not.toBe(first);
  expect(child.restarts).toBe(1);
});

test('a child that fails its first start is not kept, and its words are in the error', async () => {
  const attempt = superviseChild(spec(`console.error('no room left'); process.exit(3);`), logger);
  await expect(attempt).rejects.toThrow(/fake ended with code 3.*no room left/);
});

test('a command that does not exist gives a clear error', async () => {
  const attempt = superviseChild(spec('', { command: join(folder, 'missing') }), logger);
  await expect(attempt).rejects.toThrow(/fake cannot be started.*ENOENT/);
});

test('a child that never gets ready is ended', async () => {
  const pidFile = join(folder, 'pid');
  let pid = 0;
  const attempt = superviseChild(
    spec('setInterval(() => {}, 1000);', {
      pidFile,
      readyTimeoutMs: 200,
      ready: (started) => {
        pid = started.pid ?? 0;
        return new Promise(() => undefined);
      },
    }),
    logger,
  );
  await expect(attempt).rejects.toThrow(/was not ready after 0.2 s/);
  expect(pid).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(pidFile)).toBe(false);
});

test('stop ends a child that ignores the polite signal, and does not start it again', async () => {
  child = await superviseChild(spec(`process.on('SIGTERM', () => {}); ${SERVES}`), logger);
  const pid = child.pid ?? 0;
  await child.stop();
  expect(isAlive(pid)).toBe(false);
  expect(child.pid).toBeUndefined();
});

test('a stop of everything reaches a child that is still starting', async () => {
  let spawned: (pid: number) => void = () => undefined;
  const pid = new Promise<number>((resolve) => {
    spawned = resolve;
  });
  const attempt = superviseChild(
    spec('setInterval(() => {}, 1000);', {
      ready: (started) => {
        spawned(started.pid ?? 0);
        return new Promise(() => undefined);
      },
    }),
    logger,
  );
  const refused = expect(attempt).rejects.toThrow(/fake/);
  const running = await pid;
  expect(isAlive(running)).toBe(true);
  await stopAllChildren();
  expect(isAlive(running)).toBe(false);
  await refused;
});

test('a child that holds too much memory is started again', async () => {
  child = await superviseChild(spec(SERVES, { memoryLimitBytes: 1_000 }), logger);
  const first = child.pid;
  await next(child.onDown.bind(child));
  expect(child.pid).not.toBe(first);
});

test('a child that a killed parent left behind is ended by the next start', async () => {
  const pidFile = join(folder, 'pid');
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { superviseChild } = await import(${JSON.stringify(new URL('./child.ts', import.meta.url).href)});
       const logger = { child: () => logger, error() {}, warn() {}, info() {}, debug() {} };
       await superviseChild({ name: 'fake', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'],
         stop: [], readyTimeoutMs: 5000, pidFile: ${JSON.stringify(pidFile)}, ready: async () => {} }, logger);
       console.log('up');
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const { pid } = JSON.parse(readFileSync(pidFile, 'utf8')) as { pid: number };
  expect(isAlive(pid)).toBe(true);
  child = await superviseChild(spec(SERVES, { pidFile }), logger);
  expect(isAlive(pid)).toBe(false);
});

describe('a child that is asked whether it answers', () => {
  /** Answers over its channel. */
  const ANSWERS = `process.send('ready'); process.on('message', (id) => process.send({ id }));`;

  let outcomes: ('answered' | 'silent')[] = [];
  beforeEach(() => {
    outcomes = [];
  });

  function watched(everyMs: number, deadAfterMs: number): ChildSpec {
    let process: ChildProcess;
    let asked = 0;
    return spec(ANSWERS, {
      ready: (started) => {
        process = started;
        return new Promise((resolve) => started.once('message', () => resolve()));
      },
      watch: {
        everyMs,
        deadAfterMs,
        alive: (signal) =>
          new Promise((resolve, reject) => {
            const id = ++asked;
            const take = (message: unknown) => {
              if ((message as { id?: number }).id !== id) return;
              process.off('message', take);
              outcomes.push('answered');
              resolve();
            };
            process.on('message', take);
            signal.addEventListener('abort', () => {
              process.off('message', take);
              outcomes.push('silent');
              reject(signal.reason);
            });
            process.send(id);
          }),
      },
    });
  }

  test('is started again where it is frozen', async () => {
    child = await superviseChild(watched(200, 1_200), logger);
    const first = child.pid ?? 0;
    const up = next(child.onUp.bind(child));
    process.kill(first, 'SIGSTOP');
    await up;
    expect(isAlive(first)).toBe(false);
    expect(child).toMatchObject({ restarts: 1 });
  });

  test('is left alone where it goes on in time', async () => {
    child = await superviseChild(watched(300, 60_000), logger);
    const first = child.pid ?? 0;
    process.kill(first, 'SIGSTOP');
    await until(
      () => outcomes.filter((outcome) => outcome === 'silent').length >= 2,
      'two questions without an answer',
    );
    process.kill(first, 'SIGCONT');
    await until(() => outcomes.at(-1) === 'answered', 'an answer');
    expect(child.pid).toBe(first);
    expect(child.state()).toBe('up');
  });
});
