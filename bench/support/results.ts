import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { type BenchmarkName, benchmarkNames, figures, isMet, targetText } from './figures.ts';
import { shown } from './quantiles.ts';

export interface Measured {
  readonly value: number;
  /** What the figure was taken with, and what limits it. */
  readonly detail?: string;
}

/** What one benchmark found. */
export interface Result {
  readonly takenAt: string;
  readonly machine: string;
  readonly seconds: number;
  readonly isSmoke: boolean;
  readonly measured: Readonly<Record<string, Measured>>;
  /** What could not be measured and why. */
  readonly notes: readonly string[];
  readonly error?: string;
}

export type Results = Partial<Record<BenchmarkName, Result>>;

const folder = join(import.meta.dirname, '../results');
export const latestFile = join(folder, 'latest.json');

export function machine(): string {
  const [cpu] = cpus();
  const model = (cpu?.model ?? 'unknown processor').replace(/\s+/g, ' ').trim();
  return `${cpus().length} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}

export function readResults(file: string): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}

export function writeResults(file: string, results: Results): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}

export const dayFile = (at: Date, isSmoke: boolean): string =>
  join(folder, isSmoke ? 'smoke.json' : `${at.toISOString().slice(0, 10)}.json`);

/** Figure, value, target, met or not; one line each. */
export function tableOf(results: Results): string {
  const rows: string[][] = [['figure', 'value', 'target', '']];
  for (const name of benchmarkNames) {
    const result = results[name];
    if (result === undefined) continue;
    for (const figure of figures[name]) {
      const found = result.measured[figure.id];
      const met = found === undefined ? undefined : isMet(figure, found.value);
      const value = found === undefined ? 'not measured' : `${shown(found.value)} ${figure.unit}`;
      const verdict = met === undefined ? '' : met ? 'met' : 'NOT MET';
      rows.push([figure.what, value, targetText(figure), verdict]);
    }
  }
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([what = '', value = '', target = '', verdict = '']) =>
    [what.padEnd(widths[0] ?? 0), value.padStart(widths[1] ?? 0), target.padStart(widths[2] ?? 0), verdict].join('  '),
  );
  const notes = benchmarkNames.flatMap((name) => [
    ...(results[name]?.notes ?? []).map((note) => `${name}: ${note}`),
    ...(results[name]?.error === undefined ? [] : [`${name}: FAILED: ${results[name]?.error}`]),
  ]);
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : [])].map((line) => line.trimEnd()).join('\n');
}
