import { type Browser, chromium } from 'playwright-core';
import { launchBrowser } from '../../e2e/support/launch-browser.ts';
import type { Bench } from './benchmark.ts';

/** The installed Chromium, ended with the benchmark. */
export async function openBrowser(bench: Bench): Promise<Browser> {
  const server = await launchBrowser();
  bench.atEnd(() => server.close());
  return chromium.connect(server.wsEndpoint());
}
