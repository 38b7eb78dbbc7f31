import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repositoryRoot } from './portal.ts';

/** Where the pictures of a run lie; not kept in the repository. */
export const screenshotFolder = join(repositoryRoot, 'e2e', 'screenshots-out');

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), animations: 'disabled' });
}

/** With `SCREENSHOTS=on`: keeps a picture of the window for a person to look at, and one of the whole screen where it is longer. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== 'on') return;
  await picture(page, name);
  const size = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (size === null || height <= size.height) return;
  await page.setViewportSize({ width: size.width, height });
  await picture(page, `${name}-whole`);
  await page.setViewportSize(size);
}
