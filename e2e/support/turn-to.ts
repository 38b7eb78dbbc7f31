import type { Locator } from 'playwright-core';
import { untilSettled } from './settled.ts';
import { waitUntil } from './wait-until.ts';

/** Turns the pages of a list until a row is on one; other journeys add rows to the same portal. */
export async function turnTo(row: Locator, next: Locator): Promise<void> {
  await waitUntil(`the row ${row}`, async () => {
    await untilSettled(row.page());
    if ((await row.count()) > 0) return true;
    if ((await next.count()) > 0 && (await next.isEnabled())) await next.click();
    return false;
  });
}
