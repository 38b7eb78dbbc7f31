import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { waitUntilFresh } from '../support/demo.ts';
import { layoutProblems } from '../support/layout.ts';
import { openPage, type View } from '../support/page.ts';
import { allStops } from '../support/screens.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const looks = [
  { size: 'desktop', scheme: 'light' },
  { size: 'desktop', scheme: 'dark' },
  { size: 'phone', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const satisfies readonly View[];

test.each(looks)('every screen fits and has no violation of axe: $size, $scheme', async (look) => {
  await waitUntilFresh('Haus Lindenblick');
  const stops = await allStops();
  const problems: string[] = [];
  for (const user of new Set(stops.map((stop) => stop.user))) {
    const { page, context } = await openPage({ ...look, language: 'de', ...(user && { user }) });
    for (const stop of stops.filter((each) => each.user === user)) {
      await visit(page, stop.address);
      await takeScreenshot(page, `${stop.name}-${look.size}-${look.scheme}`);
      problems.push(...(await axeViolations(page, stop.name)));
      problems.push(...(await layoutProblems(page)).map((problem) => `${stop.name}: ${problem}`));
    }
    await context.close();
  }
  expect(problems).toEqual([]);
});

test.each(looks)('drawers, menus and notices have no violation of axe: $size, $scheme', async (look) => {
  const { page } = await openPage({ ...look, language: 'de', user: 'admin' });
  const problems: string[] = [];
  const check = async (name: string) => {
    await takeScreenshot(page, `${name}-${look.size}-${look.scheme}`);
    problems.push(...(await axeViolations(page, name)));
  };
  await visit(page, '/bus/plant/view');
  if (look.size === 'phone') {
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
