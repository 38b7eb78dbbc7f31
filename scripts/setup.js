import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, hasSparingChromium, installChromium } from './chromium.js';

/** Everything that `npm start`, `npm test` and `npm run check` need. Runs on Node 20, before anything is installed. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const forTests = process.argv.includes('--test');
const withoutBuild = process.argv.includes('--no-build') || process.env.npm_lifecycle_event === 'precheck';
const LEAST_NODE = 20;
const RUNTIME_NODE = 24;

class SetupError extends Error {}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {string} version */
function major(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10);
}

function checkHostNode() {
  if (major(process.version) >= LEAST_NODE) return;
  throw new SetupError(`Node ${LEAST_NODE} or newer is needed; this is ${process.version}. See https://nodejs.org.`);
}

/** @param {string} file */
function hashFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @param {string} name */
function readStamp(name) {
  try {
    return readFileSync(join(modules, `.${name}.stamp`), 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function writeStamp(name, value) {
  writeFileSync(join(modules, `.${name}.stamp`), value);
}

/** What npm has noted about the installed tree agrees with the lock file. */
function installedAsLocked() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const found = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.includes('node_modules/')) return true;
      if (found[path] === undefined) return entry.optional === true || entry.peer === true;
      return found[path].version === entry.version && (entry.link === true || existsSync(join(root, path)));
    });
  } catch {
    return false;
  }
}

function install() {
  const wanted = `${process.platform}-${process.arch} ${hashFile(join(root, 'package-lock.json'))}`;
  if (readStamp('installed') === wanted) return;
  if (!installedAsLocked()) {
    say('Installing what Sonnenwarte needs (about half a minute) …');
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
    const npm = process.env.npm_execpath;
    const viaNode = npm !== undefined && /\.c?js$/.test(npm);
    const done = viaNode
      ? spawnSync(process.execPath, [npm, ...args], { cwd: root, encoding: 'utf8' })
      : spawnSync(npm ?? 'npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
    if (done.status !== 0) {
      const words = [done.stdout, done.stderr].join('\n').trim();
      throw new SetupError(`npm could not install the packages:\n${words || String(done.error)}`);
    }
  }
  writeStamp('installed', wanted);
}

/** The Node that runs the TypeScript sources: the one that npm has installed, or the host's. */
function runtimeNode() {
  const bundled = join(modules, '.bin', 'node');
  if (existsSync(bundled)) {
    const answer = spawnSync(bundled, ['--version'], { encoding: 'utf8' });
    if (answer.status === 0 && major(answer.stdout) >= RUNTIME_NODE) return bundled;
  }
  if (major(process.version) >= RUNTIME_NODE) return process.execPath;
  throw new SetupError(
    `Sonnenwarte runs on Node ${RUNTIME_NODE}. For ${process.platform}-${process.arch} npm does not bring it along, ` +
      `and this is ${process.version}: please install Node ${RUNTIME_NODE} (https://nodejs.org) and start again.`,
  );
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(path);
    return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** @param {string} node */
function buildWeb(node) {
  const web = join(root, 'apps', 'web');
  if (!existsSync(join(web, 'vite.config.ts'))) return;
  const shared = ['contract', 'phrases'].map((name) => join(root, 'packages', name));
  const files = [web, ...shared].flatMap(sourcesIn).sort();
  const hash = createHash('sha256').update(readStamp('installed'));
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  const wanted = hash.digest('hex');
  if (readStamp('web') === wanted && existsSync(join(web, 'dist', 'index.html'))) return;
  say('Building the web app …');
  const vite = join(modules, 'vite', 'bin', 'vite.js');
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: web,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (done.status !== 0) {
    throw new SetupError(`The web app could not be built:\n${[done.stdout, done.stderr].join('\n').trim()}`);
  }
  writeStamp('web', wanted);
}

/**
 * Names of places as one file that the server reads at once.
 * @param {string} node
 */
function preparePlaces(node) {
  const map = join(root, 'apps', 'server', 'src', 'map');
  const file = join(root, 'apps', 'server', 'dist', 'places.bin');
  const hash = createHash('sha256').update(readStamp('installed'));
  for (const source of sourcesIn(map).sort()) hash.update(readFileSync(source)).update('\0');
  const wanted = hash.digest('hex');
  if (readStamp('places') === wanted && existsSync(file)) return;
  say('Preparing the names of places …');
  const done = spawnSync(node, [join(map, 'place-reader.ts'), file], { cwd: root, encoding: 'utf8' });
  // Without it the server reads them from their packages, which takes longer.
  if (done.status === 0) writeStamp('places', wanted);
  else say(`The names of places could not be prepared:\n${done.stderr.trim()}`);
}

function provideChromium() {
  if (hasSparingChromium()) return;
  say('Installing Chromium for the tests in the browser …');
  installChromium();
  if (findChromium() !== undefined) return;
  throw new SetupError(
    'The tests need Chromium. Please install it (Debian and Ubuntu: sudo apt-get install chromium), ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome that is installed.',
  );
}

try {
  checkHostNode();
  install();
  const node = runtimeNode();
  if (!withoutBuild) {
    preparePlaces(node);
    buildWeb(node);
  }
  if (forTests) provideChromium();
} catch (error) {
  process.stderr.write(`${error instanceof SetupError ? error.message : error?.stack}\n`);
  process.exit(1);
}
