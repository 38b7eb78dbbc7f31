import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { commandLine, endProcess, isAlive, startMark } from './processes.ts';

export interface ProcessRecord {
  pid: number;
  startMark: string;
  command: string;
}

export function describeProcess(pid: number): ProcessRecord {
  return { pid, startMark: startMark(pid), command: commandLine(pid) };
}

/** True while the process that the record describes runs; false for a recycled pid. */
export function isSameProcess(record: ProcessRecord): boolean {
  if (!isAlive(record.pid)) return false;
  if (record.startMark !== '') return startMark(record.pid) === record.startMark;
  return commandLine(record.pid) === record.command;
}

export function writePidFile(file: string, pid: number): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(describeProcess(pid)), { mode: 0o600 });
  renameSync(draft, file);
}

export function readPidFile(file: string): ProcessRecord | undefined {
  try {
    return parseRecord(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Ends the child that a killed parent left behind, if the pid file still describes it. Returns its pid. */
export async function endLeftover(file: string): Promise<number | undefined> {
  const record = readPidFile(file);
  let ended: number | undefined;
  if (record !== undefined && isSameProcess(record)) {
    const gone = await endProcess(record.pid, [
      { signal: 'SIGTERM', waitMs: 500 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ]);
    if (!gone)
      throw new Error(`process ${record.pid}, left behind by an earlier run, does not end (${record.command})`);
    ended = record.pid;
  }
  rmSync(file, { force: true });
  return ended;
}

export function parseRecord(value: unknown): ProcessRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startMark: mark, command } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || typeof mark !== 'string' || typeof command !== 'string') return undefined;
  return { pid, startMark: mark, command };
}
