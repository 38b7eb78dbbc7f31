import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.js';
import { addTallies, type FileTime, minutesOf, slowestOf, type Tally, tallyOf, troubleOf } from './test-tally.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const long = args.includes('--long');
const filters = args.filter((arg) => arg !== '--long');
const chromium = findChromium();
/** Of the cases that properties try; a failure names it. */
const seed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31));
const reports = mkdtempSync(join(tmpdir(), 'sonnenwarte-tests-'));

async function runProject(project: string): Promise<Tally> {
  const report = join(reports, `${project}.json`);
  const times = join(reports, `${project}-times.json`);
  const startMs = Date.now();
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      `--project=${project}`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      `--reporter=${join(root, 'scripts', 'file-times.ts')}`,
      ...filters,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(long && { PROPERTY_SEED: seed, THOROUGH: 'on' }),
        FILE_TIMES: times,
        ...(chromium !== undefined && { CHROMIUM_PATH: chromium }),
      },
    },
  );
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  parts.push(`${project} ${minutesOf(Date.now() - startMs)}`);
  fileTimes.push(...((readReport(times) ?? []) as FileTime[]));
  const results = readReport(report);
  trouble.push(...troubleOf(results, root));
  return tallyOf(results, code);
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const trouble: string[] = [];
const parts: string[] = [];
const fileTimes: FileTime[] = [];
const tallies: Tally[] = [];
try {
  for (const project of long ? ['long', 'unit'] : ['unit', 'e2e']) tallies.push(await runProject(project));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const { passed, failed } = addTallies(tallies);
if (passed + failed === 0) process.stdout.write('No test was found.\n');
process.stdout.write(`\nThe slowest files (${parts.join(', ')}):\n${slowestOf(fileTimes).join('\n')}\n`);
for (const text of trouble) process.stdout.write(`\n${text}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
