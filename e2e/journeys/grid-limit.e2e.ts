import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { plantNamed, waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const en = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

test('several inverters behind one grid point get a limit that the portal holds; the page says who holds which, and its end is one step', async () => {
  await waitUntilFresh('Kapas Weaving Shed', 60_000);
  const { stationID } = await plantNamed('Kapas Weaving Shed');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/device/emsConfi?stationID=${stationID}`);
  const panel = page.getByRole('region', { name: en('ems.side.sold'), exact: true });
  await panel.getByText(en('ems.noLimit')).waitFor();
  expect(await axeViolations(page, 'no limit')).toEqual([]);

  await page
    .getByRole('button', { name: en('ems.action.setGridLimit'), exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en('ems.meaning.portal')).waitFor();
  await dialog.getByText(en('ems.purchase.obstacle.noBattery')).waitFor();
  const field = dialog.getByRole('textbox', { name: en('ems.field.exportLimitW') });
  await field.fill('-1');
  await dialog.getByRole('button', { name: en('ems.save') }).click();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await field.fill('12.5');
  expect(await axeViolations(page, 'a limit is typed')).toEqual([]);
  await dialog.getByRole('button', { name: en('ems.save') }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByText(en('ems.held.portal')).waitFor();
  await panel.getByText('12.5').first().waitFor();
  await page.getByRole('region', { name: en('ems.list.title'), exact: true }).waitFor();
  expect(await axeViolations(page, 'a limit')).toEqual([]);
  await takeScreenshot(page, 'grid-limit');

  await page
    .getByRole('button', { name: en('ems.action.releaseGridLimit'), exact: true })
    .first()
    .click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: en('ems.action.releaseGridLimit'), exact: true }).click();
  await question.waitFor({ state: 'detached' });
  await panel.getByText(en('ems.noLimit')).waitFor();
});

test('batteries behind one grid point hold what may be bought; the page says who does, what each does and why, and its end gives them back what they had', async () => {
  await waitUntilFresh('Pensiunea Livada', 60_000);
  const { stationID } = await plantNamed('Pensiunea Livada');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/device/emsConfi?stationID=${stationID}`);
  const panel = page.getByRole('region', { name: en('ems.side.bought'), exact: true });
  await panel.getByText(en('ems.purchase.held.nobody')).waitFor();

  await page
    .getByRole('button', { name: en('ems.action.setGridLimit'), exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(en('ems.purchase.meaning.portal')).waitFor();
  const field = dialog.getByRole('textbox', { name: en('ems.field.purchaseLimitW') });
  await dialog.getByRole('button', { name: en('ems.save') }).click();
  await dialog.getByText(en('blocks.reason.required')).waitFor();
  await field.fill('41');
  await dialog.getByText(en('ems.atMost', { power: '40.0\u00a0kW' })).waitFor();
  await field.fill('2.5');
  expect(await axeViolations(page, 'a purchase limit is typed')).toEqual([]);
  await takeScreenshot(page, 'purchase-limit-form');
  await dialog.getByRole('button', { name: en('ems.save') }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByText('2.5').first().waitFor();
  const log = page.getByRole('region', { name: en('ems.list.title'), exact: true });
  await log.getByText(en('ems.reason.peakBegun')).first().waitFor();
  await log.getByText(en('ems.outcomes.confirmed')).first().waitFor();
  expect(await axeViolations(page, 'a purchase limit')).toEqual([]);
  for (const width of [390, 1024, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
        .toBeLessThanOrEqual(0);
      await takeScreenshot(page, `purchase-limit-${width}-${colorScheme}`);
    }
  }

  await page
    .getByRole('button', { name: en('ems.action.releaseGridLimit'), exact: true })
    .first()
    .click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: en('ems.action.releaseGridLimit'), exact: true }).click();
  await question.waitFor({ state: 'detached' });
  await panel.getByText(en('ems.purchase.held.nobody')).waitFor();
  await log.getByText(en('ems.reason.released')).first().waitFor();
});
