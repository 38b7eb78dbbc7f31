import type { Browser, BrowserContext, Page } from 'playwright-core';
import { untilSettled } from '../../e2e/support/settled.ts';

/** How fast the browser is made: as it is, or as on a phone far out. */
export type Speed = 'desktop' | 'slow' | 'slow-processor';

export interface Paint {
  fcpMs: number;
  lcpMs: number;
  /** Sum of what tasks took beyond 50 ms, from the first contentful paint on. */
  blockingMs: number;
}

declare global {
  interface Window {
    benchSeen: { lcpMs: number; tasks: { startMs: number; durationMs: number }[]; strokesMs: number[] };
  }
}

/** Slow 4G as Lighthouse sets it. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const QUIET_MS = 1_500;

/** Opens an empty page of a new browser profile, signed in where a session is given. */
export async function openPage(
  browser: Browser,
  url: string,
  speed: Speed,
  stored: Readonly<Record<string, string>>,
): Promise<{ page: Page; context: BrowserContext }> {
  const isPhone = speed === 'slow';
  const context = await browser.newContext({
    baseURL: url,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    ...(isPhone && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
    storageState: {
      cookies: [],
      origins: [
        {
          origin: url,
          localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })),
        },
      ],
    },
  });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(observe);
  const page = await context.newPage();
  if (speed !== 'desktop') {
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    if (speed === 'slow') {
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
    }
  }
  return { page, context };
}

/** Runs in the page before everything else. */
function observe(): void {
  window.benchSeen = { lcpMs: 0, tasks: [], strokesMs: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.benchSeen.lcpMs = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      window.benchSeen.tasks.push({ startMs: startTime, durationMs: duration });
    }
  }).observe({ type: 'longtask', buffered: true });
  const { prototype } = CanvasRenderingContext2D;
  prototype.stroke = new Proxy(prototype.stroke, {
    apply(stroke, context, path) {
      window.benchSeen.strokesMs.push(performance.now());
      return Reflect.apply(stroke, context, path);
    },
  });
}

/** Loads an address into an empty cache and tells when what was painted. */
export async function paintOf(
  browser: Browser,
  url: string,
  speed: Speed,
  address: string,
  stored: Readonly<Record<string, string>>,
): Promise<Paint> {
  const { page, context } = await openPage(browser, url, speed, stored);
  await page.goto(address);
  await untilSettled(page);
  await page.waitForTimeout(QUIET_MS);
  const paint = await page.evaluate(() => {
    const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
    const { lcpMs, tasks } = window.benchSeen;
    const blockingMs = tasks
      .filter(({ startMs, durationMs }) => startMs + durationMs > fcpMs)
      .reduce((sum, { durationMs }) => sum + Math.max(0, durationMs - 50), 0);
    return { fcpMs, lcpMs, blockingMs };
  });
  await context.close();
  return paint;
}
