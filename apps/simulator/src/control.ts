import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A request to a running simulator, and its answer: one line of JSON each. */
export type ControlRequest =
  | {
      command: 'fault';
      target: string;
      fault: string;
      forMs?: number;
      string?: number;
      setting?: string;
      code?: number;
    }
  | { command: 'clear'; target?: string; fault?: string }
  | { command: 'faults' }
  | { command: 'plants' };

export interface ControlAnswer {
  isOk: boolean;
  lines: string[];
}

const LONGEST_SOCKET_PATH = 100;
const LONGEST_LINE = 4096;
const ANSWER_TIMEOUT_MS = 5_000;

/** Where the simulator of this data folder listens, unless told otherwise. */
export function defaultControlPath(): string {
  const dataDir = resolve(process.env.DATA_DIR ?? 'data');
  return existsSync(dataDir) ? join(dataDir, 'simulator.sock') : join(tmpdir(), 'sonnenwarte-simulator.sock');
}

/** Listens for requests. A socket that a dead simulator left behind is replaced. */
export async function serveControl(path: string, handle: (request: ControlRequest) => ControlAnswer): Promise<Server> {
  const socketPath = shortPath(path);
  if (await isAnswering(socketPath)) throw new Error(`a simulator is running already at ${path}`);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > LONGEST_LINE) socket.destroy();
      else if (text.includes('\n')) {
        socket.end(`${JSON.stringify(answerTo(text.slice(0, text.indexOf('\n')), handle))}\n`);
        text = '';
      }
    });
  });
  server.unref();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(socketPath, () => done());
  });
  return server;
}

/** Asks a running simulator. Rejects with a clear error where none is running. */
export function askControl(path: string, request: ControlRequest): Promise<ControlAnswer> {
  return new Promise((done, fail) => {
    const socket = createConnection(shortPath(path));
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('the simulator does not answer')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isNotThere = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      fail(isNotThere ? new Error(`no simulator is running at ${path}`) : error);
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('end', () => {
      try {
        done(JSON.parse(text) as ControlAnswer);
      } catch {
        fail(new Error('the simulator gave no answer'));
      }
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
}

function answerTo(line: string, handle: (request: ControlRequest) => ControlAnswer): ControlAnswer {
  try {
    return handle(JSON.parse(line) as ControlRequest);
  } catch (error) {
    return { isOk: false, lines: [error instanceof Error ? error.message : String(error)] };
  }
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(path);
    socket.on('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

/** Socket paths are limited by the system: a long one stands for a short one that follows from it. */
function shortPath(path: string): string {
  const full = resolve(path);
  if (full.length <= LONGEST_SOCKET_PATH) return full;
  return join(tmpdir(), `sonnenwarte-${createHash('sha256').update(full).digest('hex').slice(0, 16)}.sock`);
}
