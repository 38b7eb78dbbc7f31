import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** The one without windows first: what nobody looks at is not drawn. */
const HEADLESS = 'chromium-headless-shell';
const names = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser for the journeys: CHROMIUM_PATH, or the system's own. Undefined when there is none.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH is "${env.CHROMIUM_PATH}", which is no program that can be run.`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...(process.platform === 'darwin' ? macApplications : [])].find(isExecutable);
}

/**
 * Whether the journeys' browser is the one that costs least, or was chosen by whoever runs them.
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean}
 */
export const hasSparingChromium = (env = process.env) =>
  Boolean(env.CHROMIUM_PATH) || basename(findChromium(env) ?? '') === HEADLESS;

/**
 * Installs the distribution's Chromium where that is allowed; beside one that is there only in passing.
 * @returns {void}
 */
export function installChromium() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const hasOne = findChromium() !== undefined;
  const timeout = hasOne ? 60_000 : 300_000;
  const run = (/** @type {string[]} */ args) =>
    spawnSync('apt-get', args, { env, stdio: 'ignore', timeout }).status === 0;
  const install = (/** @type {string} */ name) => run(['install', '-y', '--no-install-recommends', name]);
  if (install(HEADLESS)) return;
  if (!run(['update']) && hasOne) return;
  // Not every distribution has the one without windows as a package of its own.
  if (!install(HEADLESS) && !hasOne) install('chromium');
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
