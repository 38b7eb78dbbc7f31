import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
let running: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-supervise-'));
});
afterEach(() => {
  running?.kill('SIGKILL');
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Supervises a server that does what the code says; `run` counts its starts from 1. */
function start(code: string, options: Record<string, number | string[]> = {}) {
  const server = join(folder, 'server.mjs');
  writeFileSync(
    server,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const log = ${JSON.stringify(join(folder, 'runs'))};
     appendFileSync(log, JSON.stringify({ pid: process.pid, cause: process.env.SONNENWARTE_RESTART_CAUSE ?? null }) + '\\n');
     const run = readFileSync(log, 'utf8').trim().split('\\n').length;
     const ready = () => new Promise((done) => process.send({ kind: 'ready' }, done));
     process.on('disconnect', () => process.exit(0));
     ${code}`,
  );
  const href = new URL('./supervise.js', import.meta.url).href;
  const script = `import { supervise } from ${JSON.stringify(href)};
    process.exitCode = await supervise({ command: process.execPath, args: [${JSON.stringify(server)}],
      say: (line) => console.error(line), firstDelayMs: 10, ...${JSON.stringify(options)} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => output.includes(text) && resolve();
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
    });
  return { child, exited, said, output: () => output };
}

const runs = (): { pid: number; cause: string | null }[] =>
  readFileSync(join(folder, 'runs'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each([[1], [3]])('a first start that fails is not repeated, and its code (%i) is passed on', async (code) => {
  const { exited, output } = start(`process.exit(${code});`);
  expect(await exited).toBe(code);
  expect(runs()).toHaveLength(1);
  expect(output()).toBe('');
});

test('an end in order is one', async () => {
  const { exited } = start('await ready(); process.exit(0);');
  expect(await exited).toBe(0);
  expect(runs()).toHaveLength(1);
});

test.each([
  ['a signal', "process.kill(process.pid, 'SIGKILL')", 'signal SIGKILL'],
  ['an error that it tells', "process.send({ kind: 'ending', cause: 'it broke' }, () => process.exit(1))", 'it broke'],
  ['an exit that nobody expected', 'process.exit(7)', 'exit code 7'],
])('after %s it is started again, says so, and the server is told why', async (_, code, cause) => {
  const { exited, output } = start(`await ready(); if (run === 1) { ${code}; } else process.exit(0);`);
  expect(await exited).toBe(0);
  expect(runs().map((run) => run.cause)).toEqual([null, cause]);
  expect(output()).toContain(`Sonnenwarte ended unexpectedly (${cause}). It is started again in 0.0 s.`);
});

test('a start that is refused later is not repeated either', async () => {
  const { exited } = start(`
    if (run === 1) { await ready(); process.kill(process.pid, 'SIGKILL'); }
    process.send({ kind: 'refused' }, () => process.exit(1));`);
  expect(await exited).toBe(1);
  expect(runs()).toHaveLength(2);
});

test('what ends again and again, be it before it serves, is given up', async () => {
  const { exited, output } = start('if (run === 1) await ready(); process.exit(9);', { mostRestarts: 3 });
  expect(await exited).toBe(1);
  expect(runs()).toHaveLength(4);
  expect(output()).toContain('4 times now. It is not started again.');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the server, whose code is passed on',
  async (signal) => {
    const { child, exited, said } = start(
      `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000); await ready(); console.log('serves');`,
    );
    await said('serves');
    child.kill(signal);
    expect(await exited).toBe(5);
    expect(runs()).toHaveLength(1);
  },
);

test('a server that is too busy to hear that it is to end is killed, and what it leaves behind is ended', async () => {
  const left = join(folder, 'left.mjs');
  writeFileSync(
    left,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'ended'))}, 'all');`,
  );
  const { child, exited, said, output } = start(
    `process.on('SIGINT', () => {}); await ready(); console.log('serves'); for (;;);`,
    { heardWithinMs: 200, endLeftArgs: [left] },
  );
  await said('serves');
  child.kill('SIGINT');
  expect(await exited).toBe(137);
  expect(output()).toContain('Sonnenwarte does not end within 0.2 s and is killed.');
  expect(runs()).toHaveLength(1);
  expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('all');
});

test('one that has heard it has longer to end in order, and is killed as well where it does not', async () => {
  const { child, exited, said, output } = start(
    `process.on('SIGINT', () => process.send({ kind: 'stopping' }, () => console.log('heard')));
    setInterval(() => {}, 1000); await ready(); console.log('serves');`,
    { heardWithinMs: 60_000, endedWithinMs: 300 },
  );
  await said('serves');
  child.kill('SIGINT');
  expect(await exited).toBe(137);
  expect(output()).toContain('heard');
  expect(output()).toContain('within 0.3 s');
});

test('a signal between two starts ends it', async () => {
  const { child, exited, said } = start('await ready(); process.exit(9);', { firstDelayMs: 60_000 });
  await said('started again');
  child.kill('SIGTERM');
  expect(await exited).toBe(9);
  expect(runs()).toHaveLength(1);
});

test('when it is killed the server notices', async () => {
  const { child, exited, said } = start(`
    process.removeAllListeners('disconnect');
    process.on('disconnect', () => { console.log('alone'); process.exit(0); });
    setInterval(() => {}, 1000); await ready(); console.log('serves');`);
  await said('serves');
  child.kill('SIGKILL');
  await said('alone');
  await exited;
});
