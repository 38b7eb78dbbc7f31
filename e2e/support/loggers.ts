import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectAsync, type MqttClient } from 'mqtt';
import { repositoryRoot } from './portal.ts';

export interface Finished {
  code: number;
  output: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output };
}

/** `npm run logger -- …` on a data folder. */
export const loggerCommand = (dataDir: string, ...args: string[]): Promise<Finished> =>
  run(process.execPath, ['apps/server/src/cli/logger.ts', ...args], { DATA_DIR: dataDir });

/** A datalogger's own connection to the broker. */
export const connectLogger = (mqttUrl: string, sn: string, password: string): Promise<MqttClient> =>
  connectAsync(mqttUrl, { clientId: sn, username: sn, password, protocolVersion: 4, connectTimeout: 10_000 }, true);
