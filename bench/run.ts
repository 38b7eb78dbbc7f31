import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killHard, processesOf } from '../e2e/support/processes.ts';
import { fillDocument } from './support/document.ts';
import { type BenchmarkName, benchmarkNames } from './support/figures.ts';
import { dayFile, latestFile, machine, type Results, readResults, tableOf, writeResults } from './support/results.ts';
import { isSmoke } from './support/settings.ts';

/** `npm run bench [-- name ...]`: runs the benchmarks in turn, prints one table and keeps the figures. */

const LONGEST_MINUTES: Readonly<Record<BenchmarkName, number>> = {
  ingest: 25,
  peers: 25,
  live: 25,
  hostile: 15,
  reads: 40,
  start: 12,
  web: 20,
  growth: 15,
  people: 5,
  bulk: 10,
  streams: 10,
  'sign-in': 10,
  registry: 10,
  idle: 10,
  palette: 10,
  devices: 15,
  map: 15,
  sizes: 12,
  insight: 20,
  commands: 15,
  analysis: 15,
  timers: 20,
  incidents: 20,
  telling: 10,
  reports: 15,
  factory: 20,
  'burn-in': 10,
};
const STOP_MS = 40_000;

let current: ChildProcess | undefined;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    current?.kill('SIGTERM');
  });
}

function namesOf(args: readonly string[]): BenchmarkName[] {
  const unknown = args.filter((arg) => !benchmarkNames.some((name) => name === arg));
  if (unknown.length > 0) {
    process.stderr.write(`There is no benchmark "${unknown.join('", "')}". There are: ${benchmarkNames.join(', ')}.\n`);
    process.exit(2);
  }
  return benchmarkNames.filter((name) => args.length === 0 || args.includes(name));
}

async function run(name: BenchmarkName, results: Results): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), `sonnenwarte-bench-${name}-`));
  const work = join(folder, 'work');
  const out = join(folder, 'result.json');
  const earlier = join(folder, 'earlier.json');
  writeResults(earlier, results);
  process.stderr.write(`\n${name} …\n`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    env: { ...process.env, BENCH_TMP: work, BENCH_OUT: out, BENCH_EARLIER: earlier },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  current = child;
  const limit = setTimeout(() => {
    process.stderr.write(`${name}: ended, it takes longer than ${LONGEST_MINUTES[name]} minutes\n`);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
  }, LONGEST_MINUTES[name] * 60_000);
  await once(child, 'exit');
  clearTimeout(limit);
  current = undefined;
  for (const { pid } of processesOf(folder)) await killHard(pid).catch(() => undefined);
  const found = readResults(out);
  rmSync(folder, { recursive: true, force: true });
  return found;
}

const names = namesOf(process.argv.slice(2));
process.stdout.write(`${machine()}${isSmoke ? '; a smoke test, whose figures mean nothing' : ''}\n`);
let results: Results = {};
let failures = 0;
for (const name of names) {
  if (isInterrupted) break;
  const found = await run(name, results);
  if (found[name]?.error !== undefined || found[name] === undefined) failures += 1;
  results = { ...results, ...found };
  const file = dayFile(new Date(), isSmoke);
  writeResults(file, { ...readResults(file), ...results });
  if (isSmoke) continue;
  writeResults(latestFile, { ...readResults(latestFile), ...results });
  fillDocument(readResults(latestFile));
}
process.stdout.write(`\n${tableOf(results)}\n`);
process.exit(failures > 0 || isInterrupted ? 1 : 0);
