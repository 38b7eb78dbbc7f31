import { series } from '@sonnenwarte/contract/analysis/analysis';
import type { Page } from 'playwright-core';
import { untilSettled } from '../e2e/support/settled.ts';
import { textOf } from '../e2e/support/texts.ts';
import { points } from './load/series.ts';
import { benchmark } from './support/benchmark.ts';
import { openBrowser } from './support/browser.ts';
import { knownDevices, makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { storeHistory } from './support/history.ts';
import { openPage, type Speed } from './support/paint.ts';
import { openPortal } from './support/portal.ts';
import { median, percentiles, shown } from './support/quantiles.ts';
import { sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const calls = sized(100, 3);
const runs = sized(5, 1);
const devices = sized(20, 2);
const days = sized(16, 4);
const DAY_MS = 86_400_000;
/** Strokes that follow each other faster belong to one drawing. */
const QUIET_MS = 400;

const variables = [
  'AC/ActivePower',
  'DC/Power',
  'AC/L1/Voltage',
  'AC/L1/Current',
  'DC/Mppt1/Voltage',
  'DC/String1/Current',
];

/** How long it takes from a click to the last stroke that follows it, and of that from the end of the answer on. */
async function drawn(page: Page, click: () => Promise<void>): Promise<{ clickMs: number; answerMs: number }> {
  await page.evaluate(() => {
    performance.clearResourceTimings();
    window.benchSeen.strokesMs = [];
    addEventListener('click', () => Object.assign(window, { clickedMs: performance.now() }), {
      capture: true,
      once: true,
    });
  });
  await click();
  await page.waitForFunction(
    ([path, quietMs]) => {
      const answered = performance.getEntriesByType('resource').find(({ name }) => name.endsWith(path));
      if (!(answered instanceof PerformanceResourceTiming)) return false;
      const last = window.benchSeen.strokesMs.at(-1) ?? 0;
      return last > answered.responseEnd && performance.now() - last > quietMs;
    },
    [series.path, QUIET_MS] as const,
  );
  return page.evaluate((path) => {
    const answered = performance.getEntriesByType('resource').find(({ name }) => name.endsWith(path));
    const endMs = answered instanceof PerformanceResourceTiming ? answered.responseEnd : 0;
    const lastMs = window.benchSeen.strokesMs.at(-1) ?? 0;
    const { clickedMs } = window as unknown as { clickedMs: number };
    return { clickMs: lastMs - clickedMs, answerMs: lastMs - endMs };
  }, series.path);
}

await benchmark('analysis', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, devices);
  await makeLatest(portal.db, 1, devices);
  await makeDevices(
    portal.db,
    { first: 1, count: devices },
    1,
    points.map(({ name }) => name),
  );
  const known = await knownDevices(portal.db);
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
  const half = Math.ceil(known.length / 2);
  const plan = { dataDir: portal.dataDir, startMs, days, stored: () => undefined };
  await storeHistory({ ...plan, devices: known.slice(0, half), stepS: 10 });
  await storeHistory({ ...plan, devices: known.slice(half), stepS: 60 });
  const dateOf = (day: number) => new Date(startMs + day * DAY_MS).toISOString().slice(0, 10);
  const last = dateOf(days - 2);
  const idOf = (place: number): string => {
    const device = known[place];
    if (device === undefined) throw new Error('there are no devices');
    return device.id;
  };

  await portal.longestStallMs();
  const tell = async (id: string, ask: (at: number) => { deviceID: string; firstDay: string; lastDay: string }) => {
    let told = '';
    const times = await timed(calls, async (at) => {
      const { deviceID, firstDay, lastDay } = ask(at);
      const answer = await portal.call(series, {
        deviceIDs: [deviceID],
        curves: variables.map((variable) => ({ of: 0, variable })),
        firstDay,
        lastDay,
        columns: 1_600,
      });
      const values = answer.series.reduce((sum, each) => sum + each.values.length, 0);
      const samples = answer.series.reduce((sum, each) => sum + each.samples, 0);
      if (samples === 0) throw new Error('the curves are empty');
      told = `${samples} samples, ${values} values in the answer`;
    });
    const { p50, p95, max } = percentiles(times);
    bench.tell(id, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms; ${told}`);
  };
  const dayOf = (at: number) => dateOf(1 + (at % Math.max(1, days - 2)));
  await tell('analysis.minutes', (at) => ({
    deviceID: idOf(half + (at % (known.length - half))),
    firstDay: dayOf(at),
    lastDay: dayOf(at),
  }));
  await tell('analysis.day', (at) => ({ deviceID: idOf(at % half), firstDay: dayOf(at), lastDay: dayOf(at) }));
  const first = dateOf(Math.max(0, days - 16));
  await tell('analysis.long', (at) => ({ deviceID: idOf(at % half), firstDay: first, lastDay: last }));
  bench.tell('analysis.stall', await portal.longestStallMs());

  const browser = await openBrowser(bench);
  const stored = { token: await portal.session(), access: '255', language: 'en' };
  const curves = variables.map((variable, place) => `c${place + 1}=${idOf(0)}:${variable}`).join('&');
  const measure = async (speed: Speed, id: string, span: 'day' | 'long', part: 'clickMs' | 'answerMs') => {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { page, context } = await openPage(browser, portal.url, speed, stored);
      await page.goto(`${portal.url}/bus/device/analysis?${curves}&date=${last}&span=week`);
      await untilSettled(page);
      const choice = page.getByRole('radio', { name: textOf(`analysis.span.${span}`, 'en'), exact: true });
      times.push((await drawn(page, () => choice.check()))[part]);
      await context.close();
    }
    bench.tell(id, median(times), `median of ${times.length}`);
  };
  await measure('slow-processor', 'analysis.draw', 'day', 'answerMs');
  await measure('desktop', 'analysis.click', 'long', 'clickMs');
  await measure('slow-processor', 'analysis.click.slow', 'long', 'clickMs');
});
