import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { waitUntil } from './wait-until.ts';

export interface RunningProcess {
  pid: number;
  parent: number;
  command: string;
  cwd: string;
}

function readProcess(pid: number): RunningProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, parent: Number(parent), command, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}

/** All processes that run now and may be looked at. */
export const runningProcesses = (): RunningProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);

/** Processes that name the folder in their command line or work in it. */
export const processesOf = (folder: string): RunningProcess[] =>
  runningProcesses().filter(
    ({ command, cwd, pid }) => pid !== process.pid && (command.includes(folder) || cwd.startsWith(folder)),
  );

/** A process and all that it has started, itself first. */
export function treeOf(pid: number): RunningProcess[] {
  const all = runningProcesses();
  const found = all.filter((each) => each.pid === pid);
  for (const parent of found) found.push(...all.filter((each) => each.parent === parent.pid));
  return found;
}

export type Part = 'server' | 'postgres' | 'telemetry' | 'simulator';

const marks = {
  server: /apps\/server\/src\/main\.ts/,
  postgres: /\bpostgres\b.* -D /,
  telemetry: /telemetry-child\.ts/,
  simulator: /simulator\/src\/main\.ts/,
} as const satisfies Record<Part, RegExp>;

/** The process below the given one, or itself, that plays a part. */
export const processOf = (part: Part, pid: number): RunningProcess | undefined =>
  treeOf(pid).find(({ command }) => marks[part].test(command));

export const isRunning = (pid: number): boolean => readProcess(pid) !== undefined;

/** Ends a process as a power cut would and waits until it is gone. */
export async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitUntil(`the end of process ${pid}`, () => !isRunning(pid), { timeoutMs: 10_000, everyMs: 20 });
}
