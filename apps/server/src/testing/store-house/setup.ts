import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    storeHouse: string;
  }
}

let house: ChildProcess | undefined;

/** Opens the house of the stores; a run whose tests ask for none starts none. */
export async function setup(project: TestProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-house-'));
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
