import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectAsync, type MqttClient } from 'mqtt';
import { repositoryRoot } from './portal.ts';

export interface Finished {
  code: number;
  output: string;
}

/** `npm run logger -- …` on a data folder, to its end. */
export async function dataloggerCommand(
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, ['apps/server/src/cli/logger.ts', ...args], {
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
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output };
}

/** Makes a datalogger known to the portal; answers its password. One that a failed try of the same journey left there is taken over. */
export async function addDatalogger(dataDir: string, sn: string, ...options: string[]): Promise<string> {
  const added = await dataloggerCommand(dataDir, ['add', sn, ...options]);
  const isThere = added.code !== 0 && added.output.includes('is there already');
  const { code, output } = isThere ? await dataloggerCommand(dataDir, ['add', sn, '--renew']) : added;
  const password = /^Password: (\S+)/m.exec(output)?.[1];
  if (code !== 0 || password === undefined) throw new Error(`The datalogger ${sn} was not added:\n${output}`);
  return password;
}

/** A datalogger's own connection to the broker; it does not come back by itself. */
export const connectDatalogger = (mqttUrl: string, sn: string, password: string): Promise<MqttClient> =>
  connectAsync(mqttUrl, {
    clientId: sn,
    username: sn,
    password,
    protocolVersion: 4,
    connectTimeout: 10_000,
    reconnectPeriod: 0,
  });

/** Sends readings over the JSON on-ramp; resolves once the portal has acknowledged them. */
export async function publishUp(client: MqttClient, sn: string, readings: unknown): Promise<void> {
  await client.publishAsync(`pv/v1/${sn}/up`, JSON.stringify(readings), { qos: 1 });
}
