import { list } from '@sonnenwarte/contract/sites/sites';
import type { TestProject } from 'vitest/node';
import { callApi, openSession } from './api.ts';
import { launchBrowser } from './launch-browser.ts';
import { newDataDir, removeDataDir, startPortal, waitUntilReady } from './portal.ts';
import { startPriceSource } from './price-source.ts';
import { waitUntil } from './wait-until.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string;
    mqttUrl: string;
    dataDir: string;
    browserEndpoint: string;
  }
}

const DEMO_PASSWORD = 'sonnenwarte';
const ACCOUNTED_WITHIN_MS = 300_000;

/** All that has been told is in the figures of every plant. */
async function untilAccounted(url: string): Promise<void> {
  const { token } = await openSession(url, 'admin', DEMO_PASSWORD);
  await waitUntil(
    'the figures of the whole history',
    async () => {
      const { plants } = await callApi(url, list, { pageSize: 50 }, token);
      return plants.every(({ historyPercent }) => historyPercent === null);
    },
    { timeoutMs: ACCOUNTED_WITHIN_MS, everyMs: 500 },
  );
}

const steps: (() => Promise<void>)[] = [];

/** One portal with the whole demonstration, and one browser, for all journeys of a run. */
export async function setup(project: TestProject): Promise<void> {
  try {
    const dataDir = newDataDir();
    const prices = await startPriceSource();
    steps.push(() => prices.stop());
    const portal = startPortal(dataDir, {
      DEMO: 'on',
      TRUSTED_PROXIES: '127.0.0.1',
      PRICE_SOURCES: prices.setting,
      PRICES_PRIVATE: 'on',
    });
    steps.push(async () => {
      await portal.end();
      removeDataDir(dataDir);
    });
    const browser = await launchBrowser();
    steps.push(() => browser.close());
    const { url, mqttUrl } = await portal.ready();
    await waitUntilReady(url);
    await portal.historyTold();
    await untilAccounted(url);
    project.provide('portalUrl', url);
    project.provide('mqttUrl', mqttUrl);
    project.provide('dataDir', dataDir);
    project.provide('browserEndpoint', browser.wsEndpoint());
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step();
}
