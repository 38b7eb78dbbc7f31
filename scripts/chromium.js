import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
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
 * Installs the distribution's Chromium where that is allowed; says whether it did.
 * @returns {boolean}
 */
export function installChromium() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (/** @type {string[]} */ args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  return run(install) || (run(['update']) && run(install));
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
