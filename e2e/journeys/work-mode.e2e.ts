import { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { layoutProblems } from '../support/layout.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const de = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'de', values);

/** The house of the owner, whose plants are all away for a while where accounts are moved. */
async function lindenblick(): Promise<string> {
  const { stationID } = await waitUntil('the house of the owner', async () =>
    (await plantsOf('owner')).find(({ name }) => name === 'Haus Lindenblick'),
  );
  return stationID;
}

const planOf = async (stationID: string) => {
  const { token } = await sessionOf('owner');
  return callApi(portalUrl(), workModeEndpoints.view, { stationID }, token);
};

/** The plan is read from the births of its device. */
const told = (stationID: string) =>
  waitUntil('the device to tell its plan', async () => (await planOf(stationID)).reported !== null);

const windows = (page: Page) => page.locator('section[data-action]');

test('a window is added, moved and written with the keyboard alone, and the device confirms it', async () => {
  const stationID = await lindenblick();
  await told(stationID);
  const { page } = await openPage({ language: 'de', user: 'owner' });
  page.setDefaultTimeout(45_000);
  await visit(page, `/bus/work/model?stationID=${stationID}`);
  await page.getByRole('radio', { name: de('work-modes.mode.batterySupport') }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: de('work-modes.addWindow'), exact: true }).focus();
  await page.keyboard.press('Enter');
  const first = windows(page).first();
  await waitUntil('the new window to take the focus', () =>
    first.evaluate((element) => element === document.activeElement),
  );
  const before = await first.getAttribute('aria-label');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => first.getAttribute('aria-label')).not.toBe(before);
  await page.keyboard.press('Delete');
  await waitUntil('the window to go', async () => (await windows(page).count()) === 0);
  await page.getByRole('button', { name: de('work-modes.undo') }).focus();
  await page.keyboard.press('Enter');
  await waitUntil('the window to come back', async () => (await windows(page).count()) === 1);
  await page.getByText(de('work-modes.row.own')).waitFor();
  await takeScreenshot(page, 'work-mode-edited');
  expect(await axeViolations(page, 'work mode')).toEqual([]);
  await page
    .getByRole('button', { name: de('work-modes.write'), exact: true })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: de('work-modes.write'), exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(de('work-modes.state.confirmed')).waitFor();
  const { reported } = await planOf(stationID);
  expect(reported).toMatchObject({ mode: 'batterySupport', periods: [{ action: 'gridCharge', powerW: 2_100 }] });
  await takeScreenshot(page, 'work-mode-confirmed');
});

test('on a phone a finger moves a window along the day, and one of its ends alone, without the page going with it', async () => {
  const stationID = await lindenblick();
  await told(stationID);
  const { page, context } = await openPage({ language: 'de', user: 'owner', size: 'phone' });
  page.setDefaultTimeout(45_000);
  await visit(page, `/bus/work/model?stationID=${stationID}`);
  await page.getByRole('combobox', { name: de('work-modes.modeLabel') }).selectOption('batterySupport');
  while ((await windows(page).count()) > 0) {
    await windows(page).first().focus();
    await page.keyboard.press('Delete');
  }
  await page.getByRole('button', { name: de('work-modes.addWindow'), exact: true }).tap();
  // Where it is drawn, without scrolling to it: nothing may lie over it.
  const button = await page.getByRole('button', { name: de('work-modes.write'), exact: true }).boundingBox();
  if (button === null) throw new Error('There is no way to write the plan');
  await page.touchscreen.tap(button.x + button.width / 2, button.y + button.height / 2);
  const asked = page.getByRole('dialog', { name: de('work-modes.writeTitle') });
  await asked.getByText(de('work-modes.mode.batterySupport'), { exact: true }).waitFor();
  await asked.getByRole('button', { name: de('blocks.cancel') }).tap();
  await asked.waitFor({ state: 'hidden' });
  const first = windows(page).first();
  await first.scrollIntoViewIfNeeded();
  await first.tap();
  const cdp = await context.newCDPSession(page);
  const spanOf = async () => {
    const [startMin = 0, endMin = 0] = [
      ...((await first.getAttribute('aria-label')) ?? '').matchAll(/(\d\d):(\d\d)/g),
    ].map(([, hours, minutes]) => Number(hours) * 60 + Number(minutes));
    return { startMin, endMin };
  };
  const drag = async (fromX: number, y: number, byX: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
    await touch('touchStart', fromX);
    for (let step = 1; step <= 6; step += 1) await touch('touchMove', fromX + (byX * step) / 6);
    await touch('touchEnd');
  };
  const box = async () => {
    const found = await first.boundingBox();
    if (found === null) throw new Error('The window is not drawn');
    return found;
  };
  const scrolled = () => page.evaluate(() => document.scrollingElement?.scrollTop ?? 0);
  const [before, top] = [await spanOf(), await scrolled()];
  const whole = await box();
  await drag(whole.x + whole.width / 2, whole.y + whole.height / 2, before.startMin > 700 ? -80 : 80);
  const moved = await spanOf();
  expect(moved.startMin).not.toBe(before.startMin);
  expect(moved.endMin - moved.startMin).toBe(before.endMin - before.startMin);
  const there = await box();
  await drag(there.x + there.width + 8, there.y + there.height / 2, 40);
  const longer = await spanOf();
  expect(longer.startMin).toBe(moved.startMin);
  expect(longer.endMin).toBeGreaterThan(moved.endMin);
  expect(await scrolled()).toBe(top);
  await takeScreenshot(page, 'work-mode-touch');
  expect(await axeViolations(page, 'work mode by touch')).toEqual([]);
});

test('on a tablet the window that is chosen is typed directly below its band, and all that changes is named before it is written', async () => {
  const stationID = await lindenblick();
  await told(stationID);
  const { page } = await openPage({ language: 'de', user: 'owner' });
  page.setDefaultTimeout(45_000);
  await page.setViewportSize({ width: 1024, height: 768 });
  await visit(page, `/bus/work/model?stationID=${stationID}`);
  const topOf = async (name: string | RegExp) => {
    const box = await page.getByRole('region', { name }).first().boundingBox();
    if (box === null) throw new Error(`${name} is not drawn`);
    return box.y;
  };
  const whatIf = new RegExp(de('work-modes.whatIf').replace('?', '\\?'));
  expect(await topOf(new RegExp(`^${de('work-modes.window')}`))).toBeLessThan(await topOf(whatIf));
  expect(await layoutProblems(page)).toEqual([]);
  const bound = page.getByRole('switch', { name: de('work-modes.gridCharge') });
  await bound.click();
  await page.getByRole('button', { name: de('work-modes.write'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: de('work-modes.writeTitle') });
  await dialog.getByText(de('work-modes.gridCharge'), { exact: true }).waitFor();
  expect(await layoutProblems(page)).toEqual([]);
  expect(await axeViolations(page, 'what is written')).toEqual([]);
  await takeScreenshot(page, 'work-mode-write-tablet');
});

test('the owner lets the portal follow prices and sun, sees what it does and why, and stops it by one click', async () => {
  const stationID = await lindenblick();
  await told(stationID);
  const { page } = await openPage({ language: 'de', user: 'owner' });
  page.setDefaultTimeout(45_000);
  await visit(page, `/bus/work/model?stationID=${stationID}`);
  const panel = page.getByRole('region', { name: de('work-modes.follow.title') });
  await panel.getByText(de('work-modes.follow.lead')).waitFor();
  const trades = panel.getByRole('switch', { name: de('work-modes.follow.trades') });
  expect(await trades.isChecked()).toBe(false);
  await trades.check();
  await panel.getByRole('button', { name: de('work-modes.follow.start') }).click();
  await panel.getByText(de('work-modes.follow.on'), { exact: true }).waitFor();
  await panel.getByText(de('work-modes.follow.tradesYes')).waitFor();
  const steps = panel.getByRole('list', { name: de('work-modes.follow.steps') }).getByRole('listitem');
  await steps.filter({ hasText: de('work-modes.follow.reason.started') }).waitFor();
  expect(await steps.count()).toBeGreaterThanOrEqual(2);
  expect(await axeViolations(page, 'followed')).toEqual([]);
  await takeScreenshot(page, 'work-mode-followed');
  await panel.getByRole('button', { name: de('work-modes.follow.stop') }).click();
  await steps.filter({ hasText: de('work-modes.follow.reason.stopped') }).waitFor();
  await panel.getByRole('button', { name: de('work-modes.follow.start') }).waitFor();
  expect(await axeViolations(page, 'stopped')).toEqual([]);
});
