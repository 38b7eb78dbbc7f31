import type { Page } from 'playwright-core';

/** The screen stands: its heading is there and nothing on it is loading any more. */
export async function untilSettled(page: Page): Promise<void> {
  await page.locator('h1:visible').first().waitFor();
  await page.waitForFunction(
    () =>
      ![...document.querySelectorAll('[aria-busy=true], [data-skeleton]')].some((element) =>
        element.checkVisibility(),
      ) && document.fonts.status === 'loaded',
  );
}

/** Opens an address and waits until its screen stands. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilSettled(page);
}
