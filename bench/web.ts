import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { list as inverterList } from '@sonnenwarte/contract/devices/devices';
import { languages } from '@sonnenwarte/contract/languages';
import { day, list } from '@sonnenwarte/contract/sites/sites';
import type { Browser } from 'playwright-core';
import { callApi, openSession } from '../e2e/support/api.ts';
import { untilSettled } from '../e2e/support/settled.ts';
import { textOf } from '../e2e/support/texts.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { openBrowser } from './support/browser.ts';
import { startDemoPortal } from './support/demo-portal.ts';
import { openPage, type Paint, paintOf, type Speed } from './support/paint.ts';
import { median, shown } from './support/quantiles.ts';
import { sized } from './support/settings.ts';
import { gzipKb, LoadedFiles, languageOf } from './support/web-files.ts';

const runs = sized(5, 1);
const LONGEST_HISTORY_MS = sized(300_000, 3_000);
const MINUTES = 1_440;
const REDRAW_MS = 1_000;
/** Strokes that follow each other faster belong to one drawing. */
const STROKE_GAP_MS = 100;
const dist = join(import.meta.dirname, '../apps/web/dist/assets');

type Stored = Readonly<Record<string, string>>;

/** The files that a screen loads in an empty browser. */
async function filesOf(browser: Browser, url: string, address: string, stored: Stored): Promise<LoadedFiles> {
  const { page, context } = await openPage(browser, url, 'desktop', stored);
  const files = new LoadedFiles(page);
  await page.goto(address);
  await untilSettled(page);
  await page.waitForTimeout(1_000);
  await context.close();
  return files;
}

async function measureBytes(
  bench: Bench,
  browser: Browser,
  url: string,
  screens: readonly { name: string; address: string }[],
  stored: Stored,
): Promise<void> {
  const login = await filesOf(browser, url, '/login', { language: 'de' });
  bench.tell('web.js.login', gzipKb(login.scripts()), `${login.scripts().length} files, without the language`);
  const home = await filesOf(browser, url, '/bus/index', stored);
  bench.tell('web.js.initial', gzipKb(home.scripts()), `${home.scripts().length} files, without the language`);
  const known = new Set(home.scripts());
  let largest = { name: '', kb: 0 };
  let styles: string[] = [];
  for (const { name, address } of screens) {
    const files = await filesOf(browser, url, address, stored);
    const kb = gzipKb(files.scripts().filter((script) => !known.has(script)));
    if (kb > largest.kb) largest = { name, kb };
    if (files.styles().length > styles.length) styles = files.styles();
  }
  bench.tell('web.route', largest.kb, largest.name);
  bench.tell('web.css', gzipKb(styles), `${styles.length} files`);
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => `/assets/${name}`);
  const first = names.filter((name) => name.endsWith('/workspace.json'));
  const bytes = languages.map((language) => ({
    language,
    kb: gzipKb(first.filter((name) => languageOf(name) === language)),
  }));
  const most = bytes.reduce((one, other) => (other.kb > one.kb ? other : one));
  bench.tell('web.language', most.kb, most.language);
}

async function measurePaint(
  bench: Bench,
  browser: Browser,
  url: string,
  page: 'login' | 'plant',
  address: string,
  stored: Stored,
): Promise<void> {
  const medians = async (speed: Speed): Promise<Paint> => {
    const paints: Paint[] = [];
    for (let run = 0; run < runs; run += 1) paints.push(await paintOf(browser, url, speed, address, stored));
    return {
      fcpMs: median(paints.map(({ fcpMs }) => fcpMs)),
      lcpMs: median(paints.map(({ lcpMs }) => lcpMs)),
      blockingMs: median(paints.map(({ blockingMs }) => blockingMs)),
    };
  };
  const desktop = await medians('desktop');
  const slow = await medians('slow');
  const desktopText = `median of ${runs}; LCP ${shown(desktop.lcpMs)} ms, blocking ${shown(desktop.blockingMs)} ms`;
  bench.tell(`web.${page}.fcp`, desktop.fcpMs, desktopText);
  bench.tell(`web.${page}.fcp.slow`, slow.fcpMs, `median of ${runs}, 390 x 844 px`);
  bench.tell(`web.${page}.lcp.slow`, slow.lcpMs);
  bench.tell(`web.${page}.tbt.slow`, slow.blockingMs);
}

/** The plant's day chart with six curves of a value a minute, drawn anew after the answer of another day. */
async function measureChart(bench: Bench, browser: Browser, url: string, address: string, stored: Stored) {
  const { page, context } = await openPage(browser, url, 'slow-processor', stored);
  await page.route(`**${day.path}*`, async (route) => {
    const answer = await route.fetch();
    const { result, ...envelope } = await answer.json();
    await route.fulfill({ json: { ...envelope, result: { ...result, ...everyMinute(result) } } });
  });
  await page.goto(address);
  await untilSettled(page);
  const earlier = page.getByRole('button', { name: textOf('charts.previous', 'en') }).first();
  // Yesterday is there already, for the comparison on the page; the days before are asked for.
  await earlier.click();
  await page.waitForTimeout(REDRAW_MS);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await page.evaluate(() => {
      performance.clearResourceTimings();
      window.benchSeen.strokesMs = [];
    });
    await earlier.click();
    await page.waitForFunction((path) => {
      const answered = performance.getEntriesByType('resource').find(({ name }) => name.includes(path));
      if (!(answered instanceof PerformanceResourceTiming)) return false;
      return window.benchSeen.strokesMs.some((atMs) => atMs > answered.responseEnd);
    }, day.path);
    await page.waitForTimeout(REDRAW_MS);
    const drawn = await page.evaluate(
      ([path, gapMs]) => {
        const answered = performance.getEntriesByType('resource').find(({ name }) => name.includes(path));
        if (!(answered instanceof PerformanceResourceTiming)) return undefined;
        const after = window.benchSeen.strokesMs.filter((atMs) => atMs > answered.responseEnd);
        const end = after.findIndex((atMs, index) => (after[index + 1] ?? Number.POSITIVE_INFINITY) - atMs > gapMs);
        const lastMs = after[end];
        return lastMs === undefined ? undefined : lastMs - answered.responseEnd;
      },
      [day.path, STROKE_GAP_MS] as const,
    );
    if (drawn !== undefined) times.push(drawn);
  }
  if (times.length === 0) bench.note('the day chart was not drawn');
  else
    bench.tell('web.chart', median(times), `median of ${times.length}, from the end of the answer to the last stroke`);
  await context.close();
}

interface DayCurves {
  startMs: number;
}

function everyMinute({ startMs }: DayCurves) {
  const curve = (scaleW: number, phase: number) =>
    Array.from({ length: MINUTES }, (_, minute) =>
      Math.round(scaleW * Math.sin((minute / MINUTES) * 2 * Math.PI + phase) + 40 * Math.sin(minute * 1.7)),
    );
  return {
    bucketMs: 60_000,
    endMs: startMs + MINUTES * 60_000,
    tsMs: Array.from({ length: MINUTES }, (_, minute) => startMs + minute * 60_000),
    pvW: curve(4_000, 4.7).map((value) => Math.max(0, value)),
    externalW: curve(900, 4.7).map((value) => Math.max(0, value)),
    batteryW: curve(2_000, 1),
    gridW: curve(2_500, 2),
    loadW: curve(800, 3).map((value) => value + 1_200),
    chargerW: curve(0, 0).map(() => null),
    socPercent: curve(45, 5).map((value) => Math.min(100, Math.max(0, value + 50))),
    clearSkyW: null,
  };
}

await benchmark('web', async (bench) => {
  const dataDir = join(bench.folder, 'data');
  mkdirSync(dataDir, { recursive: true });
  const portal = startDemoPortal(bench, dataDir, { byNpm: false, months: 1 });
  const { url } = await portal.ready();
  const untilMs = performance.now() + LONGEST_HISTORY_MS;
  while (!portal.hasTold('30 days') && performance.now() < untilMs) await delay(250);
  if (!portal.hasTold('30 days')) bench.note('the pages were measured while the history was still being told');
  const session = await openSession(url, 'owner', 'sonnenwarte');
  const stored = {
    language: 'en',
    token: session.token,
    access: String(session.access),
    loginInfo: JSON.stringify({ username: 'owner', email: '', phone: '' }),
  };
  const [plant] = (await callApi(url, list, {}, session.token)).plants;
  const [inverter] = (await callApi(url, inverterList, {}, session.token)).devices;
  if (plant === undefined || inverter === undefined) throw new Error('the owner has no plant');
  const plantAddress = `/bus/plant/detail?id=${plant.stationID}`;
  const browser = await openBrowser(bench);
  await measureBytes(
    bench,
    browser,
    url,
    [
      { name: 'plant list', address: '/bus/plant/view' },
      { name: 'plant', address: plantAddress },
      { name: 'inverters', address: '/bus/device/inverter' },
      { name: 'inverter', address: `/bus/device/inverterDetail?id=${inverter.deviceID}` },
    ],
    stored,
  );
  bench.say('bytes taken');
  await measurePaint(bench, browser, url, 'login', '/login', { language: 'de' });
  await measurePaint(bench, browser, url, 'plant', plantAddress, stored);
  bench.say('paint times taken');
  await measureChart(bench, browser, url, plantAddress, stored);
  const { page, context } = await openPage(browser, url, 'desktop', stored);
  await page.goto(plantAddress);
  await untilSettled(page);
  const cdp = await context.newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  bench.tell('web.memory', usedSize / 2 ** 20, 'after garbage collection');
  await context.close();
  await portal.stop();
});
