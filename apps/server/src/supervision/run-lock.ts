import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describeProcess, isSameProcess, type ProcessRecord, parseRecord } from './leftovers.ts';

/** Another server runs on the same data folder. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError';
  readonly pid: number;
  readonly address: string;
  /** Its supervisor is gone: it is about to end. */
  readonly isOrphan: boolean;

  constructor({ pid, address, supervisor }: Holder, dataDir: string) {
    super(`Sonnenwarte already runs: process ${pid} at ${address}, with the data in ${dataDir}.`);
    this.pid = pid;
    this.address = address;
    this.isOrphan = supervisor !== undefined && !isSameProcess(supervisor);
  }
}

interface Holder extends ProcessRecord {
  readonly address: string;
  readonly supervisor?: ProcessRecord;
}

export interface RunLock {
  /** Says where the server is reached, once that is known. */
  setAddress(address: string): void;
  release(): void;
}

/** Takes the data folder for this process. Throws AlreadyRunningError; what a killed process left behind does not block. */
export function takeRunLock(dataDir: string, address: string): RunLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'server.lock');
  const draft = `${file}.${process.pid}`;
  const own = describeProcess(process.pid);
  const supervisor = process.send === undefined ? undefined : describeProcess(process.ppid);
  const content = (where: string) => `${JSON.stringify({ ...own, address: where, supervisor })}\n`;
  writeFileSync(draft, content(address), { mode: 0o600 });
  try {
    while (!claim(draft, file)) {
      const holder = readLock(file);
      if (holder !== undefined && isSameProcess(holder)) {
        throw new AlreadyRunningError(holder, dataDir);
      }
      clearStale(file, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    setAddress(where) {
      writeFileSync(draft, content(where), { mode: 0o600 });
      renameSync(draft, file);
    },
    release() {
      if (readLock(file)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

function claim(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return claimByCreating(draft, file);
    throw error;
  }
}

/** For file systems without hard links. */
function claimByCreating(draft: string, file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, readFileSync(draft));
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale file away by a name of our own, so that of two starts at once only one removes it. */
function clearStale(file: string, seen: Holder | undefined): void {
  const away = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, away);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readLock(away);
  if (moved !== undefined && moved.pid !== seen?.pid && isSameProcess(moved)) {
    claim(away, file);
  }
  rmSync(away, { force: true });
}

function readLock(file: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const record = parseRecord(value);
    const supervisor = parseRecord(value.supervisor);
    if (record === undefined || typeof value.address !== 'string') return undefined;
    return { ...record, address: value.address, ...(supervisor !== undefined && { supervisor }) };
  } catch {
    return undefined;
  }
}
