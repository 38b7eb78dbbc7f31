import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    storeHouse: string;
  }
}

const MEMORY_DISK = '/dev/shm';
const ROOM_NEEDED_BYTES = 4e9;

let house: ChildProcess | undefined;

/** Where files are made and removed fastest: what the stores of tests hold need not outlast them. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize > ROOM_NEEDED_BYTES ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Opens the house of the stores; a run whose tests ask for none starts none. */
export async function setup(project: TestProject): Promise<void> {
  const folder = mkdtempSync(join(fastestFolder(), 'sonnenwarte-house-'));
  house = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [folder], { execArgv: [], detached: true });
  await once(house, 'message');
  project.provide('storeHouse', join(folder, 'house.sock'));
}

export async function teardown(): Promise<void> {
  if (house === undefined || house.exitCode !== null || house.signalCode !== null) return;
  const ended = once(house, 'exit');
  house.disconnect();
  await ended;
}
