import type { Page } from 'playwright-core';

/** How often a page is asked: the waits of a locator come to half a second. */
const EVERY_MS = 25;

/** The screen stands: its heading is there and nothing on it is loading any more. */
export async function untilSettled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const isSeen = (element: Element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
      };
      return (
        [...document.querySelectorAll('h1')].some(isSeen) &&
        ![...document.querySelectorAll('[aria-busy=true], [data-skeleton]')].some((element) =>
          element.checkVisibility(),
        ) &&
        document.fonts.status === 'loaded'
      );
    },
    undefined,
    { polling: EVERY_MS },
  );
}

/** Opens an address and waits until its screen stands. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilSettled(page);
}
