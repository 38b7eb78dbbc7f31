import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { durationMs, parseArguments } from './arguments.ts';
import { askControl, serveControl } from './control.ts';
import { faultCatalogue } from './fleet-control.ts';

const required = ['--fleet', 'f.json', '--mqtt', 'mqtt://127.0.0.1:1883', '--credentials', 'c.json'];
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  folders.push(folder);
  return join(folder, 'control.sock');
}

describe('the command line', () => {
  test('runs with what is given, the rest by default; the state lies beside the socket', () => {
    expect(parseArguments([...required, '--history-days', '1.5', '--control', '/tmp/x/simulator.sock'])).toMatchObject({
      kind: 'run',
      historyDays: 1.5,
      intervalS: 60,
      speed: 1,
      group: 'solar',
      state: '/tmp/x/simulator.state.json',
    });
  });

  test.each([
    [['--mqtt', 'mqtt://a'], /--fleet is missing/],
    [[...required, '--mqtt', 'localhost'], /--mqtt localhost is no address/],
    [[...required, '--interval', 'soon'], /--interval soon is no number from 1 to 900/],
    [[...required, '--history-days', '400'], /--history-days 400 is no number from 0 to 32/],
    [['fault', 'lindenblick'], /fault needs a plant or serial number and a fault/],
    [['fault', 'a', 'grid-lost', '--for', 'long'], /long is no duration/],
    [['explode'], /explode is no command/],
    [['--unknown'], /unknown/],
  ])('%j is refused with a clear error', (args, message) => {
    expect(() => parseArguments(args)).toThrow(message);
  });

  test('durations take seconds, minutes, hours and days', () => {
    expect(['90', '90s', '10m', '2h', '1d'].map(durationMs)).toEqual([90_000, 90_000, 600_000, 7_200_000, 86_400_000]);
  });

  test('the catalogue of faults is for people', () => {
    expect(faultCatalogue().join('\n')).toMatch(/grid-lost +inverter +no grid at the whole plant/);
  });
});

describe('the control socket', () => {
  test('a request reaches the running simulator and its answer comes back', async () => {
    const path = socketPath();
    const server = await serveControl(path, (request) => ({ isOk: true, lines: [request.command] }));
    expect(await askControl(path, { command: 'faults' })).toEqual({ isOk: true, lines: ['faults'] });
    server.close();
  });

  test('a second simulator on the same socket is refused, and none running is said', async () => {
    const path = socketPath();
    const server = await serveControl(path, () => ({ isOk: true, lines: [] }));
    await expect(serveControl(path, () => ({ isOk: true, lines: [] }))).rejects.toThrow(/is running already/);
    await new Promise((resolve) => server.close(resolve));
    await expect(askControl(path, { command: 'faults' })).rejects.toThrow(/no simulator is running/);
  });

  test('a path that is too long for a socket works as well', async () => {
    const path = join(socketPath(), '..', 'x'.repeat(120), 'control.sock');
    const server = await serveControl(path, () => ({ isOk: true, lines: ['here'] }));
    expect((await askControl(path, { command: 'plants' })).lines).toEqual(['here']);
    server.close();
  });
});
