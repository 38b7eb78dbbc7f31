import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return process.platform === 'linux' ? '' : askPs(pid, 'command=');
  }
}

/** A text that differs between two processes which had the same pid one after the other; '' when there is none. */
export function startMark(pid: number): string {
  if (process.platform !== 'linux') return askPs(pid, 'lstart=');
  return statFields(pid)[19] ?? '';
}

export function residentBytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return Number.isFinite(pages) ? pages * 4096 : 0;
  } catch {
    return 0;
  }
}

/** Processes whose working directory is `folder`; on a system without /proc an empty list. */
export function processesIn(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  const found: number[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === folder) found.push(pid);
    } catch {
      // The process is gone or is not ours to look at.
    }
  }
  return found;
}

/** Sends the signals in turn, each with its time to end, and says whether the process is gone. */
export async function endProcess(
  pid: number,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<boolean> {
  for (const step of steps) {
    if (!isAlive(pid)) return true;
    try {
      process.kill(pid, step.signal);
    } catch {
      return !isAlive(pid);
    }
    if (await gone(pid, step.waitMs)) return true;
  }
  return !isAlive(pid);
}

async function gone(pid: number, waitMs: number): Promise<boolean> {
  const untilMs = Date.now() + waitMs;
  while (isAlive(pid)) {
    if (Date.now() >= untilMs) return false;
    await delay(20);
  }
  return true;
}

function isZombie(pid: number): boolean {
  return process.platform === 'linux' && statFields(pid)[0] === 'Z';
}

function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function askPs(pid: number, field: string): string {
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
