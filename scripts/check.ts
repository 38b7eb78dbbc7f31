import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { wrongDirections } from './import-directions.ts';
import { importsIn } from './imports.ts';
import { wrongRooms } from './rooms.ts';

interface CheckResult {
  name: string;
  problems: string;
  durationMs: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));

async function check(name: string, work: () => Promise<string>): Promise<CheckResult> {
  const startMs = Date.now();
  const problems = await work().catch((error: unknown) => (error instanceof Error ? (error.stack ?? '') : `${error}`));
  return { name, problems, durationMs: Date.now() - startMs };
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? '' : output.trim() || `ended with code ${code}`));
  });
}

/** Calls a check of a package: a function without arguments that returns a line per problem. */
async function runPackageCheck(file: string, exported: string): Promise<string> {
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`${file} is missing`);
  const found: unknown = (await import(pathToFileURL(path).href))[exported];
  if (typeof found !== 'function') throw new Error(`${file} exports no ${exported}`);
  const problems: unknown = await found();
  if (!Array.isArray(problems)) throw new Error(`${exported} returned no list`);
  return problems.join('\n');
}

const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const results = await Promise.all([
  check('types', () => run(bin('tsc'), ['-p', 'tsconfig.json', '--noEmit', '--pretty', 'false'])),
  check('style', () => run(bin('biome'), ['check', '--error-on-warnings', '--max-diagnostics=50'])),
  check('imports', async () => {
    const imports = importsIn(root);
    return [...wrongDirections(imports), ...wrongRooms(imports)].join('\n');
  }),
  check('phrases', () => runPackageCheck('packages/phrases/src/check.ts', 'checkPhrases')),
  check('endpoints', () => runPackageCheck('packages/contract/src/check.ts', 'checkContract')),
]);

for (const { name, problems } of results) {
  if (problems !== '') process.stdout.write(`\n${name}:\n${problems}\n`);
}
process.stdout.write('\n');
for (const { name, problems, durationMs } of results) {
  const verdict = problems === '' ? 'ok' : 'FAILED';
  process.stdout.write(`${name.padEnd(30)}${verdict.padEnd(8)}${(durationMs / 1000).toFixed(1)} s\n`);
}
process.exitCode = results.every(({ problems }) => problems === '') ? 0 : 1;
