import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from './portal.ts';

export interface Finished {
  code: number;
  output: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

type Command = 'backup' | 'restore' | 'audit-verify';

/** Begins a command of the server on a data folder, as npm runs it. */
export function startCommand(
  command: Command,
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, [`apps/server/src/cli/${command}.ts`, ...args], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
  return { child, finished: once(child, 'close').then(([code]) => ({ code: code ?? -1, output })) };
}

/** The same to its end. */
export const runCommand = (...parameters: Parameters<typeof startCommand>): Promise<Finished> =>
  startCommand(...parameters).finished;
