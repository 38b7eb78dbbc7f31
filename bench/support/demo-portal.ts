import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { addressIn, type PortalAddress, repositoryRoot } from '../../e2e/support/portal.ts';
import { isRunning, killHard, processesOf, treeOf } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import type { Bench } from './benchmark.ts';

const READY_MS = 120_000;
const STOP_MS = 40_000;

export interface DemoPortal {
  readonly startedMs: number;
  ready(): Promise<PortalAddress>;
  /** The last thirty days, or all months. */
  hasTold(what: '30 days' | `${number} months`): boolean;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

/** The portal with the demonstration on a data folder, by `npm start` or by the script that this runs. */
export function startDemoPortal(
  bench: Bench,
  dataDir: string,
  { byNpm, months }: { byNpm: boolean; months: number },
): DemoPortal {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = {
    PATH,
    HOME,
    ...(TMPDIR !== undefined && { TMPDIR }),
    PORT: '0',
    MQTT_PORT: '0',
    DATA_DIR: dataDir,
    DEMO: 'on',
    DEMO_MONTHS: String(months),
  };
  const startedMs = performance.now();
  const [command, args] = byNpm ? ['npm', ['start', '--silent']] : [process.execPath, ['scripts/start.js']];
  const child: ChildProcess = spawn(command, args, {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output += text.toString();
    });
  }
  const exited = once(child, 'exit');
  const stop = async () => {
    const server = treeOf(child.pid ?? 0).findLast(({ command: line }) => line.includes('scripts/start.js'));
    if (server !== undefined) process.kill(server.pid, 'SIGINT');
    await Promise.race([exited, delay(STOP_MS, undefined, { ref: false })]);
    for (const { pid } of processesOf(dataDir)) if (isRunning(pid)) await killHard(pid).catch(() => undefined);
  };
  bench.atEnd(stop);
  return {
    startedMs,
    ready: () =>
      waitUntil(
        'the portal to be ready',
        () => {
          if (child.exitCode !== null) throw new Error(`The portal ended:\n${output}`);
          return addressIn(output);
        },
        { timeoutMs: READY_MS, everyMs: 10 },
      ),
    hasTold: (what) => output.includes(`Generated ${what}`),
    stop,
  };
}
