import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { openPage, showScheme } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const sizes = ['desktop', 'phone'] as const;

test.each(sizes)('drawers, menus and notices have no violation of axe, light and dark: %s', async (size) => {
  const { page } = await openPage({ size, language: 'de', user: 'admin' });
  const problems: string[] = [];
  const check = async (name: string) => {
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      await takeScreenshot(page, `${name}-${size}-${scheme}`);
      problems.push(...(await axeViolations(page, `${name}, ${scheme}`)));
    }
    await showScheme(page, 'light');
  };
  await visit(page, '/bus/plant/view');
  if (size === 'phone') {
    await page.locator('header button[aria-haspopup=dialog]').click();
    await page.getByRole('dialog').waitFor();
    await check('sheet-of-tabs');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('nav button[aria-haspopup=dialog]').click();
    await page.getByRole('dialog').waitFor();
    await check('sheet-more');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  } else {
    await page.locator('header').first().getByRole('button', { name: 'admin' }).click();
    await page.getByRole('button', { name: textOf('shell.signOut', 'de') }).waitFor();
    await check('account-panel');
    await page.keyboard.press('Escape');
  }
  await visit(page, '/bus/plant/view?condition.content=no-such-plant');
  await check('plant-list-empty');
  await page.goto('/bus/plant/detail?id=00000000-0000-4000-8000-000000000000');
  await page.locator('main [role=alert]').waitFor();
  await check('plant-unknown');
  expect(problems).toEqual([]);
});
