import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './benchmark.ts';

/** A program of the system, by its name; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      bytes += entry.isDirectory() ? folderBytes(path) : statSync(path).blocks * 512;
    } catch {
      // A file that a merge has just removed.
    }
  }
  return bytes;
}

/** The size of a folder once it has not changed for some seconds, or when the time is over. */
export async function settledBytes(folder: string, quietMs: number, longestMs: number): Promise<number> {
  const untilMs = performance.now() + longestMs;
  let bytes = folderBytes(folder);
  let sinceMs = performance.now();
  while (performance.now() < untilMs && performance.now() - sinceMs < quietMs) {
    await delay(500);
    const now = folderBytes(folder);
    if (now === bytes) continue;
    bytes = now;
    sinceMs = performance.now();
  }
  return bytes;
}

const agent = new Agent({ keepAlive: true });

/** A call over a connection that is kept; answers the text. */
export function httpCall(url: string, method: 'GET' | 'POST', body?: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, timeout: 120_000 }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if ((response.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    call.on('error', reject);
    call.on('timeout', () => call.destroy(new Error(`${url} does not answer`)));
    call.end(body);
  });
}

export interface PeerProcess {
  readonly pid: number;
  end(): Promise<void>;
}

const READY_MS = 30_000;
const END_MS = 20_000;

/** Starts a peer and waits until it answers. */
export async function startPeer(
  bench: Bench,
  program: string,
  args: readonly string[],
  readyUrl: string,
): Promise<PeerProcess> {
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: bench.folder },
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-2_000);
  });
  const exited = once(child, 'exit');
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await exited;
    clearTimeout(limit);
  };
  bench.atEnd(end);
  const untilMs = performance.now() + READY_MS;
  for (;;) {
    try {
      await httpCall(readyUrl, 'GET');
      return { pid: child.pid ?? 0, end };
    } catch {
      if (child.exitCode !== null || performance.now() > untilMs) throw new Error(`${program} does not start: ${said}`);
      await delay(100);
    }
  }
}
