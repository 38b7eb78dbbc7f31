import { expect, test } from 'vitest';
import { openPage } from '../support/page.ts';

import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

test('plants that somebody should look at are one press away, counted, and stay chosen after a reload', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view?pageSize=50');
  const chip = (text: string) => page.getByRole('radio', { name: new RegExp(`^${text} \\d+$`) });
  const troubled = chip(textOf('states.troubled', 'en'));
  const all = chip(textOf('common.all', 'en'));
  const rows = page.locator('main table tbody tr');
  /** How many the chip tells, and how many rows there are: other journeys make plants meanwhile. */
  const agrees = async (of: typeof all) => {
    const told = await of.evaluate((radio) => radio.closest('label')?.textContent ?? '');
    return Number(/\d+$/.exec(told)?.[0]) === (await rows.count());
  };
  await troubled.check();
  await page.waitForURL(/condition\.states=alarm,fault,offline/);
  await untilSettled(page);
  await expect.poll(() => agrees(troubled)).toBe(true);
  expect(await rows.count()).toBeGreaterThan(0);
  expect(await rows.filter({ hasText: textOf('states.normal', 'en') }).count()).toBe(0);
  await page.reload();
  await untilSettled(page);
  expect(await troubled.isChecked()).toBe(true);
  await all.check();
  await expect.poll(() => agrees(all), { timeout: 10_000 }).toBe(true);
  // Counts of all would contradict rows that a search has narrowed.
  await page.getByLabel(textOf('sites.list.search', 'en')).fill('linden');
  await page.getByRole('radio', { name: textOf('common.all', 'en'), exact: true }).waitFor();
  await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(1);
});

test.each(['desktop', 'phone'] as const)('a plant that is chosen moves no other, on a %s', async (size) => {
  const { page } = await openPage({ user: 'admin', language: 'en', size });
  await visit(page, '/bus/plant/view');
  const boxes = page.locator(size === 'desktop' ? 'main tbody input' : 'main li input');
  const places = () => boxes.evaluateAll((all) => all.map((box) => Math.round(box.getBoundingClientRect().top)));
  await boxes.nth(1).waitFor();
  await untilSettled(page);
  const before = await places();
  await boxes.first().check();
  const bar = page.getByRole('status').getByRole('button', { name: textOf('blocks.selection.clear', 'en') });
  await bar.waitFor();
  expect(await places()).toEqual(before);
  const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  await boxes.nth(1).check();
  await page.getByText(textOf('blocks.selection.count_other', 'en', { count: 2 })).waitFor();
});

test('the filter by country offers those in which there are plants', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/bus/plant/view');
  const choices = page.getByLabel(textOf('sites.field.country', 'en')).locator('option');
  await expect.poll(() => choices.count()).toBeLessThan(20);
  expect(await choices.count()).toBeGreaterThan(1);
});

test('a filter moves no column, and a list that it leaves empty offers once to be rid of it', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view');
  const heads = page.locator('main thead th');
  const places = () => heads.evaluateAll((all) => all.map((head) => Math.round(head.getBoundingClientRect().left)));
  const before = await places();
  const search = page.getByLabel(textOf('sites.list.search', 'en'));
  await search.fill('linden');
  await expect.poll(() => page.locator('main tbody tr').count()).toBe(1);
  await untilSettled(page);
  expect(await places()).toEqual(before);
  await search.fill('no such plant');
  await page.getByText(textOf('sites.list.noMatch', 'en')).waitFor();
  expect(await page.getByRole('button', { name: textOf('common.clearFilters', 'en') }).count()).toBe(1);
  await page.getByRole('button', { name: textOf('common.clearFilters', 'en') }).click();
  await expect.poll(() => page.locator('main tbody tr').count()).toBe(10);
  expect(await places()).toEqual(before);
});

test('what was typed and not sent is told at the button that opens its form after a reload', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/powerInfo/member');
  const add = page.getByRole('button', { name: textOf('members.action.add', 'en') });
  const mark = add.getByText(textOf('blocks.draft', 'en'));
  expect(await mark.count()).toBe(0);
  await add.click();
  await page.getByLabel(textOf('members.field.name', 'en')).fill('Half a name');
  await page.reload();
  await untilSettled(page);
  await mark.waitFor();
  await add.click();
  await expect.poll(() => page.getByLabel(textOf('members.field.name', 'en')).inputValue()).toBe('Half a name');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: textOf('blocks.form.drop', 'en') }).click();
  await expect.poll(() => mark.count()).toBe(0);
});

test('what a form needs besides its schema is marked where it is missing, and nothing is sent', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/user/management');
  const add = textOf('user-management.action.add', 'en');
  await page.getByRole('button', { name: add }).click();
  const organisation = page
    .getByRole('dialog')
    .getByRole('combobox', { name: textOf('user-management.field.organisation', 'en') });
  await organisation.waitFor();
  await page.getByRole('dialog').getByRole('button', { name: add }).click();
  await expect.poll(() => organisation.getAttribute('aria-invalid')).toBe('true');
});
