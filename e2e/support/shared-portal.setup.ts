import type { TestProject } from 'vitest/node';
import { launchBrowser } from './launch-browser.ts';
import { newDataDir, removeDataDir, startPortal, waitUntilReady } from './portal.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string;
    mqttUrl: string;
    dataDir: string;
    browserEndpoint: string;
  }
}

const steps: (() => Promise<void>)[] = [];

/** One portal with the whole demonstration, and one browser, for all journeys of a run. */
export async function setup(project: TestProject): Promise<void> {
  try {
    const dataDir = newDataDir();
    const portal = startPortal(dataDir, { DEMO: 'on', TRUSTED_PROXIES: '127.0.0.1' });
    steps.push(async () => {
      await portal.end();
      removeDataDir(dataDir);
    });
    const browser = await launchBrowser();
    steps.push(() => browser.close());
    const { url, mqttUrl } = await portal.ready();
    await waitUntilReady(url);
    await portal.historyTold();
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
