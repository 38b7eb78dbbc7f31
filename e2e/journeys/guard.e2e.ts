import { levels } from '@sonnenwarte/contract/levels';
import { passage, routeOf, routes } from '@sonnenwarte/contract/routes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoUsers } from '../support/demo.ts';
import { goInside, openPage, pathOf } from '../support/page.ts';
import { builtScreens } from '../support/screens.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const publicPaths = new Set(['/login', '/error/403', '/error/404', '/error/5xx', '/error/noPermissions']);

/** Where the guard must lead: by level first, and only then by whether there is a screen. */
function destination(name: string, path: string, level: number | undefined): string {
  const decision = passage(path, level);
  if (decision.to !== 'screen') return decision.to;
  return publicPaths.has(path) || builtScreens.some((built) => built === name) ? path : '/error/404';
}

const headings = {
  '/login': 'login.title',
  '/error/403': 'navigation.problem.403.title',
  '/error/404': 'navigation.problem.404.title',
  '/error/5xx': 'navigation.problem.5xx.title',
  '/error/noPermissions': 'navigation.problem.noPermissions.title',
} as const;

/** Waits for what the destination shows: its heading, or the panel of its screen. */
async function seen(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
  const heading = Object.entries(headings).find(([each]) => each === path)?.[1];
  if (heading) await page.locator('h1', { hasText: textOf(heading, 'en') }).waitFor();
  else {
    const panel = path === '/bus/index' ? 'panel-of-tab-index' : `panel-of-${routeOf(path)?.name}`;
    await page.locator(`[role=tabpanel][id="${panel}"]:visible`).waitFor();
  }
  expect(pathOf(page)).toBe(path);
}

test.each([undefined, ...levels])('leads every route of the table where level %s belongs', async (level) => {
  const user = demoUsers.find((each) => each.level === level)?.user;
  const { page } = await openPage({ language: 'en', ...(user && { user }) });
  await visit(page, '/error/403');
  const signedIn = await page.evaluate(() => ({ ...localStorage }));
  const wrong: string[] = [];
  for (const { name, path } of routes) {
    const wanted = destination(name, path, level);
    await goInside(page, path);
    await seen(page, wanted).catch(() => wrong.push(`${path}: ${pathOf(page)} instead of ${wanted}`));
    if (wanted !== '/login' || !user) continue;
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, String(value));
    }, signedIn);
    await visit(page, '/error/403');
  }
  expect(wrong).toEqual([]);
});

test('a wrong level reads "No permissions!", also when the address is loaded anew', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await page.goto('/bus/group/management');
  await page.getByText('No permissions!').waitFor();
  expect(pathOf(page)).toBe('/error/noPermissions');
  await page.getByRole('link', { name: textOf('navigation.toHome', 'en') }).click();
  await page.waitForURL('**/bus/index');
});

test('an unknown path leads to the 404 page, signed in or not', async () => {
  for (const user of [undefined, 'admin'] as const) {
    const { page } = await openPage({ language: 'en', ...(user && { user }) });
    for (const path of ['/nowhere', '/bus/nowhere', '/bus/plant/view/', '/login/x']) {
      await page.goto(path);
      await page.locator('h1', { hasText: textOf('navigation.problem.404.title', 'en') }).waitFor();
      expect(pathOf(page)).toBe('/error/404');
    }
  }
});

test('/ leads by the stored access level', async () => {
  const { page } = await openPage({ user: 'integrator', language: 'en' });
  await page.goto('/');
  await page.waitForURL('**/bus/integrator/device/list');
});
