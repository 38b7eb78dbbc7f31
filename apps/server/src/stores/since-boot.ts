import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names the time since the machine was started; only Linux tells. */
function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

const noteIn = (folder: string): string => join(folder, 'read-since-boot');

/** Whether what lies in a folder was read through since the machine was started: no loss of power has damaged it since. */
export function wasReadSinceBoot(folder: string): boolean {
  try {
    return readFileSync(noteIn(folder), 'utf8') === bootId();
  } catch {
    return false;
  }
}

export function noteReadSinceBoot(folder: string): void {
  const id = bootId();
  if (id !== undefined) writeFileSync(noteIn(folder), id, { mode: 0o600 });
}
