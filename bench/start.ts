import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { summary } from '@sonnenwarte/contract/fleet/fleet';
import type { Browser } from 'playwright-core';
import { callApi, openSession } from '../e2e/support/api.ts';
import { repositoryRoot } from '../e2e/support/portal.ts';
import { untilSettled } from '../e2e/support/settled.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { openBrowser } from './support/browser.ts';
import { type DemoPortal, startDemoPortal } from './support/demo-portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { isSmoke, sized } from './support/settings.ts';

const steps = ['history', 'months', 'accounted'] as const;
const USER = 'owner';
const PASSWORD = 'sonnenwarte';
const MONTHS = 13;
const LONGEST_HISTORY_MS = sized(600_000, 15_000);
const CALL_EVERY_MS = 250;

interface Start {
  portal: DemoPortal;
  url: string;
  readyS: number;
  signedInS: number;
}

async function start(bench: Bench, browser: Browser, dataDir: string): Promise<Start> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'de-DE' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const portal = startDemoPortal(bench, dataDir, { byNpm: !isSmoke, months: MONTHS });
  const { url } = await portal.ready();
  const readyS = (performance.now() - portal.startedMs) / 1000;
  await page.goto(`${url}/login`);
  await page.locator('input[name=username]').fill(USER);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  const signedInS = (performance.now() - portal.startedMs) / 1000;
  await context.close();
  bench.say(`ready after ${readyS.toFixed(2)} s, signed in after ${signedInS.toFixed(2)} s`);
  return { portal, url, readyS, signedInS };
}

await benchmark('start', async (bench) => {
  // Installing and building are not counted.
  if (!isSmoke) execFileSync(process.execPath, ['scripts/setup.js'], { cwd: repositoryRoot, stdio: 'inherit' });
  const browser = await openBrowser(bench);
  const dataDir = join(bench.folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const how = isSmoke ? 'scripts/start.js' : 'npm start, set-up checks included';
  const cold = await start(bench, browser, dataDir);
  bench.tell('start.cold', cold.signedInS, `${how}; the address was printed after ${shown(cold.readyS)} s`);

  const { token } = await openSession(cold.url, USER, PASSWORD);
  const callMs: number[] = [];
  const told: Partial<Record<(typeof steps)[number], number>> = {};
  const isLate = () => performance.now() - cold.portal.startedMs > LONGEST_HISTORY_MS;
  while (told.accounted === undefined && !isLate()) {
    const calledMs = performance.now();
    const { preliminary } = await callApi(cold.url, summary, {}, token);
    callMs.push(performance.now() - calledMs);
    const nowS = (performance.now() - cold.portal.startedMs) / 1000;
    if (cold.portal.hasTold('30 days')) told.history ??= nowS;
    if (cold.portal.hasTold(`${MONTHS} months`)) told.months ??= nowS;
    if (told.months !== undefined && preliminary === 0) told.accounted = nowS;
    await delay(CALL_EVERY_MS);
  }
  for (const step of steps) {
    const atS = told[step];
    if (atS === undefined) bench.note(`${step}: not within ${LONGEST_HISTORY_MS / 1000} s`);
    else bench.tell(`start.${step}`, atS, 'since the start');
  }
  if (callMs.length > 0) {
    const { p50, p95, max } = percentiles(callMs);
    bench.tell(
      'start.history.call',
      p95,
      `${callMs.length} calls of the overview, p50 ${shown(p50)} ms, slowest ${shown(max)} ms`,
    );
  }
  await cold.portal.stop();

  const warm = await start(bench, browser, dataDir);
  bench.tell('start.warm', warm.signedInS, `${how}; the address was printed after ${shown(warm.readyS)} s`);
  await warm.portal.stop();
});
