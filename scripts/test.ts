import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.js';
import { addTallies, type Tally, tallyOf, troubleOf } from './test-tally.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const long = args.includes('--long');
const filters = args.filter((arg) => arg !== '--long');
const chromium = findChromium();
const reports = mkdtempSync(join(tmpdir(), 'sonnenwarte-tests-'));

async function runProject(project: string): Promise<Tally> {
  const report = join(reports, `${project}.json`);
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
      ...filters,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(chromium !== undefined && { CHROMIUM_PATH: chromium }) },
    },
  );
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
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
const tallies: Tally[] = [];
try {
  for (const project of long ? ['long'] : ['unit', 'e2e']) tallies.push(await runProject(project));
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const { passed, failed } = addTallies(tallies);
if (passed + failed === 0) process.stdout.write('No test was found.\n');
for (const text of trouble) process.stdout.write(`\n${text}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
