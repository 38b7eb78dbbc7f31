import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { countReasons, joined, type ReasonCounts } from './reason-counts.ts';
import { FIRST_MEASURED_SEED, MEASURED_RUNS, seedsFrom } from './reason-seeds.ts';
import { reasonTables } from './reason-tables.ts';

const document = join(import.meta.dirname, '../../../../docs/performance.md');
const BEGIN = '<!-- reasons: written by npm run docs:reasons -->';
const END = '<!-- end of reasons -->';
const MOST_THREADS = 2;

function counted(seeds: readonly number[]): Promise<ReasonCounts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: seeds });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function fillDocument(tables: string): void {
  const text = readFileSync(document, 'utf8');
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/performance.md has no place for the reasons');
  writeFileSync(document, `${text.slice(0, from)}${BEGIN}\n\n${tables}\n\n${text.slice(to)}`);
}

/** Runs every fault on fifty seeds and writes what was said into docs/performance.md; with a first seed and a number of runs it is shown alone. */
async function main([first, runs]: readonly string[]): Promise<void> {
  const seeds = seedsFrom(Number(first ?? FIRST_MEASURED_SEED), Number(runs ?? MEASURED_RUNS));
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const parts = Array.from({ length: threads }, (_, part) => seeds.filter((_, at) => at % threads === part));
  const counts = joined(await Promise.all(parts.map(counted)));
  const tables = reasonTables(counts);
  console.log(tables);
  for (const { name, wrongSeeds } of counts.faults) if (wrongSeeds.length > 0) console.log(`${name}: ${wrongSeeds}`);
  for (const { season, wrongSeeds } of counts.healthy)
    if (wrongSeeds.length > 0) console.log(`healthy, ${season}: ${wrongSeeds}`);
  if (first === undefined) fillDocument(tables);
}

if (isMainThread) await main(process.argv.slice(2));
else parentPort?.postMessage(countReasons(workerData as number[]));
