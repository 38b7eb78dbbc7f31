import { type BrowserServer, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.js';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Starts the installed Chromium for a run of tests, or with flags of its own for one of them. */
export async function launchBrowser(more: readonly string[] = []): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error(
      'The journeys need Chromium. Please install it (Debian and Ubuntu: sudo apt-get install chromium), ' +
        'or set CHROMIUM_PATH to a Chromium or Chrome that is installed.',
    );
  }
  return chromium.launchServer({ executablePath, args: [...flags, ...more] });
}
