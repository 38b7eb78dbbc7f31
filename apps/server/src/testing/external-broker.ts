import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** An MQTT broker in another process, as an operator may have one. */
export interface ExternalBroker {
  url: string;
  port: number;
  stop(): Promise<void>;
}

export async function startAedesBroker(): Promise<ExternalBroker> {
  const child = fork(fileURLToPath(new URL('./external-broker-child.ts', import.meta.url)), { stdio: 'ignore' });
  const [port] = (await once(child, 'message')) as [number];
  return { url: `mqtt://127.0.0.1:${port}`, port, stop: () => end(child) };
}

/** Where Mosquitto is installed, undefined where it is not. */
export function mosquittoPath(): string | undefined {
  return mosquittoProgram('mosquitto');
}

export function mosquittoProgram(name: string): string | undefined {
  return [`/usr/sbin/${name}`, name].find((program) => spawnSync(program, ['--help']).error === undefined);
}

/** `settings` are further lines of its configuration; `files` are written beside it, and $FOLDER stands for where. */
export async function startMosquitto(
  program: string,
  { settings = 'allow_anonymous true', files = {} }: { settings?: string; files?: Record<string, string> } = {},
): Promise<ExternalBroker> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sonnenwarte-mosquitto-'));
  const port = await freePort();
  const config = path.join(folder, 'mosquitto.conf');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const lines = [`listener ${port} 127.0.0.1`, 'max_queued_messages 0', settings];
  if (process.getuid?.() === 0) lines.push('user root');
  writeFileSync(config, lines.join('\n').replaceAll('$FOLDER', folder));
  const child = spawn(program, ['-c', config], { stdio: 'ignore' });
  while (!(await answers(port))) if (child.exitCode !== null) throw new Error('mosquitto did not start');
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => setTimeout(() => resolve(false), 25));
  });
}
