import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startMark } from './processes.ts';
import { AlreadyRunningError, takeRunLock } from './run-lock.ts';

let folder = '';
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-lock-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const script = `
  const { takeRunLock } = await import(${JSON.stringify(new URL('./run-lock.ts', import.meta.url).href)});
  try {
    takeRunLock(process.argv[1], 'http://127.0.0.1:18080');
    console.log('taken');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.message);
    process.exit(1);
  }`;

async function holder(): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, line: String(line).trim() };
}

test('a second start is refused, naming process and address, and the first keeps the folder', async () => {
  const { child, line } = await holder();
  expect(line).toBe('taken');
  expect(() => takeRunLock(folder, 'http://127.0.0.1:18081')).toThrow(AlreadyRunningError);
  expect(() => takeRunLock(folder, 'http://127.0.0.1:18081')).toThrow(
    new RegExp(`process ${child.pid} at http://127.0.0.1:18080`),
  );
  const second = await holder();
  expect(second.line).toContain(`process ${child.pid}`);
  expect(child.exitCode).toBeNull();
});

test('what a killed process left behind does not block', async () => {
  const { child } = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(join(folder, 'server.lock'))).toBe(true);
  takeRunLock(folder, 'http://127.0.0.1:18081').release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a pid that another process has got since does not block', () => {
  const record = { pid: process.pid, startMark: `${startMark(process.pid)}0`, command: 'x', address: 'http://old' };
  writeFileSync(join(folder, 'server.lock'), JSON.stringify(record));
  const lock = takeRunLock(folder, 'http://127.0.0.1:18081');
  lock.setAddress('http://127.0.0.1:18082');
  expect(readFileSync(join(folder, 'server.lock'), 'utf8')).toContain('18082');
  lock.release();
});

test.each(['', '{', '[]', '{"pid":"x"}'])('a torn lock file (%j) does not block', (content) => {
  writeFileSync(join(folder, 'server.lock'), content);
  takeRunLock(folder, 'http://127.0.0.1:18081').release();
  expect(existsSync(join(folder, 'server.lock'))).toBe(false);
});

test('of many starts at once on a stale lock exactly one wins', async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'server.lock'), JSON.stringify({ pid: 1, startMark: 'x', command: 'x', address: 'x' }));
  const lines = (await Promise.all(Array.from({ length: 5 }, holder))).map(({ line }) => line);
  expect(lines.filter((line) => line === 'taken')).toHaveLength(1);
});
