import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchmarkName, figures } from './figures.ts';
import { type Measured, machine, type Result, tableOf, writeResults } from './results.ts';
import { isSmoke } from './settings.ts';

/** What a benchmark works with. */
export interface Bench {
  /** An empty folder of its own, removed at the end. */
  readonly folder: string;
  /** Tells a figure of the catalogue. */
  tell(id: string, value: number, detail?: string): void;
  /** Says what could not be measured and why. */
  note(text: string): void;
  /** A line of progress. */
  say(text: string): void;
  /** Called at the end, also after an error; the last first. */
  atEnd(step: () => unknown): void;
}

/** Runs one benchmark in this process: prints its figures and writes them to the file BENCH_OUT, if it is named. */
export async function benchmark(name: BenchmarkName, run: (bench: Bench) => Promise<void>): Promise<void> {
  const given = process.env.BENCH_TMP;
  if (given !== undefined) mkdirSync(given, { recursive: true });
  const folder = given ?? mkdtempSync(join(tmpdir(), 'sonnenwarte-bench-'));
  const measured: Record<string, Measured> = {};
  const notes: string[] = [];
  const steps: (() => unknown)[] = [];
  const startedMs = performance.now();
  let error: string | undefined;
  const end = async () => {
    for (const step of steps.splice(0).reverse()) {
      try {
        await step();
      } catch (failure) {
        process.stderr.write(`${name}: does not end cleanly: ${String(failure)}\n`);
      }
    }
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const leave = () => void end().finally(() => process.exit(1));
  process.once('SIGTERM', leave).once('SIGINT', leave);
  try {
    await run({
      folder,
      tell(id, value, detail) {
        if (!figures[name].some((figure) => figure.id === id)) throw new Error(`${id} is no figure of ${name}`);
        measured[id] = detail === undefined ? { value } : { value, detail };
      },
      note: (text) => void notes.push(text),
      say: (text) =>
        void process.stderr.write(`${name} ${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${text}\n`),
      atEnd: (step) => void steps.push(step),
    });
  } catch (failure) {
    error = failure instanceof Error ? failure.message : String(failure);
    process.stderr.write(`${failure instanceof Error ? failure.stack : error}\n`);
  }
  await end();
  const result: Result = {
    takenAt: new Date().toISOString(),
    machine: machine(),
    seconds: Math.round((performance.now() - startedMs) / 1000),
    isSmoke,
    measured,
    notes,
    ...(error !== undefined && { error }),
  };
  if (process.env.BENCH_OUT === undefined) process.stdout.write(`${tableOf({ [name]: result })}\n`);
  else writeResults(process.env.BENCH_OUT, { [name]: result });
  process.exit(error === undefined ? 0 : 1);
}
