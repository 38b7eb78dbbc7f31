import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repositoryRoot } from './portal.ts';

/** Where the pictures of a run lie; not kept in the repository. */
export const screenshotFolder = join(repositoryRoot, 'e2e', 'screenshots-out');

/** Keeps a picture of the window for a person to look at. */
export async function takeScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  mkdirSync(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage, animations: 'disabled' });
}
