import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning, killHard, processesOf, processOf } from './processes.ts';
import { waitUntil, within } from './wait-until.ts';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 30_000;
const HISTORY_TIMEOUT_MS = 600_000;

/** Settings of a start; what is not named is as on a machine where nothing is configured. */
export type PortalSettings = Readonly<Record<string, string>>;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What a start prints once it is ready. */
export interface PortalAddress {
  readonly url: string;
  readonly mqttUrl: string;
  readonly setUpLink: string | undefined;
}

/** One run of the portal as `npm start` runs it, with all its children. */
export interface PortalRun {
  readonly child: ChildProcess;
  /** The process that was started: it supervises the server. */
  readonly pid: number;
  /** The process of the server; throws while there is none. */
  serverPid(): number;
  readonly dataDir: string;
  /** All that was printed so far. */
  output(): string;
  readonly exited: Promise<Exit>;
  /** Address of the portal, as printed after so many characters of output; rejects when the start fails. */
  ready(printedBefore?: number): Promise<PortalAddress>;
  /** The demonstration's history has been told. */
  historyTold(): Promise<void>;
  /** Ctrl-C; resolves once the process has ended. */
  interrupt(): Promise<Exit>;
  /** A power cut for what was started and its server: neither can tell the other. */
  kill(): Promise<void>;
  /** Ends everything that still runs on the data folder. */
  end(): Promise<void>;
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'sonnenwarte-e2e-'));

export const removeDataDir = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** As `npm start` has them: with its usual settings the C library keeps hundreds of MiB of large buffers that were given back. */
const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

function cleanEnvironment(settings: PortalSettings): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, WEB_DIST } = process.env;
  const kept = Object.entries({ PATH, HOME, TMPDIR, LANG, WEB_DIST }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...memorySettings, PORT: '0', MQTT_PORT: '0', DEMO_MONTHS: '1', ...settings };
}

const row = (output: string, name: string): string | undefined =>
  new RegExp(`^\\s*${name}\\s{2,}(\\S+)`, 'm').exec(output)?.[1];

/** The block that a start prints, as far as programs need it; `undefined` until it is complete. */
export function addressIn(output: string): PortalAddress | undefined {
  const url = row(output, 'Portal');
  const mqttUrl = row(output, 'Dataloggers');
  if (url === undefined || mqttUrl === undefined || row(output, 'Stop') === undefined) return undefined;
  return { url, mqttUrl, setUpLink: row(output, 'First account') };
}

/** Starts the portal on a data folder and on free ports. */
export function startPortal(dataDir: string, settings: PortalSettings = {}): PortalRun {
  const child = spawn(process.execPath, ['scripts/start.js'], {
    cwd: repositoryRoot,
    env: cleanEnvironment({ DATA_DIR: dataDir, ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The portal could not be started');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  const exited: Promise<Exit> = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const failed = exited.then(({ code, signal }): never => {
    throw new Error(`The portal ended (${code ?? signal}):\n${output}`);
  });
  failed.catch(() => undefined);
  return {
    child,
    pid,
    dataDir,
    output: () => output,
    exited,
    serverPid: () => {
      const server = processOf('server', pid);
      if (server === undefined) throw new Error('No server runs');
      return server.pid;
    },
    ready: (printedBefore = 0) =>
      Promise.race([
        waitUntil('the portal to be ready', () => addressIn(output.slice(printedBefore)), {
          timeoutMs: START_TIMEOUT_MS,
        }),
        failed,
      ]),
    historyTold: async () => {
      const told = () => output.includes('Generated 30 days');
      await Promise.race([
        waitUntil("the demonstration's history", told, { timeoutMs: HISTORY_TIMEOUT_MS, everyMs: 250 }),
        failed,
      ]);
    },
    interrupt: async () => {
      if (isRunning(pid)) process.kill(pid, 'SIGINT');
      return within('the portal to stop', STOP_TIMEOUT_MS, exited);
    },
    kill: async () => {
      const server = processOf('server', pid);
      await killHard(pid);
      if (server !== undefined && isRunning(server.pid)) await killHard(server.pid);
    },
    end: async () => {
      if (isRunning(pid)) {
        process.kill(pid, 'SIGINT');
        await within('the portal to stop', STOP_TIMEOUT_MS, exited).catch(() => undefined);
      }
      for (const left of processesOf(dataDir)) await killHard(left.pid).catch(() => undefined);
    },
  };
}

/** The portal answers that all it depends on is up. */
export async function waitUntilReady(url: string, timeoutMs = 60_000): Promise<void> {
  await waitUntil(
    `${url}/readyz`,
    async () => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok,
    { timeoutMs },
  );
}
