import { codesOfCall, type Endpoint, writes } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { LEVEL, levels } from '@sonnenwarte/contract/levels';
import { isHeld, type PermissionCode } from '@sonnenwarte/contract/permissions';
import { passage, type Route, type RouteName, routeOf, routes } from '@sonnenwarte/contract/routes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { departmentActions, departmentAdding } from '../../apps/web/src/departments/department-actions.tsx';
import { memberActions, memberAdding } from '../../apps/web/src/members/member-actions.tsx';
import { organisationActions, organisationAdding } from '../../apps/web/src/organisations/organisation-actions.tsx';
import { groupActions, groupAdding } from '../../apps/web/src/permission-groups/permission-group-actions.tsx';
import { publicScreens } from '../../apps/web/src/screens.ts';
import { demoUsers } from '../support/demo.ts';
import { goInside, openPage, pathOf } from '../support/page.ts';
import { builtScreens } from '../support/screens.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const NO_PERMISSIONS = 'No permissions!';
const isBuilt = (name: string): boolean =>
  builtScreens.some((built) => built === name) || Object.hasOwn(publicScreens, name) || name.startsWith('error-');

interface Landing {
  from: string;
  path: string;
  message: boolean;
}

/** What a menu's own address leads to: its first screen that opens to the level. */
function firstOf(menu: Route, level: number | undefined): string | undefined {
  for (const route of routes as readonly Route[]) {
    if (route.parent !== menu.name || route.hidden === true) continue;
    const first = route.menuOnly === true ? firstOf(route, level) : route.path;
    if (first !== undefined && passage(first, level).to === 'screen' && isBuilt(routeOf(first)?.name ?? ''))
      return first;
  }
  return undefined;
}

/** Where the guard must lead: by level first, and only then by whether there is a screen. */
function landingOf(name: string, path: string, level: number | undefined): Landing {
  const { to } = passage(path, level);
  const route: Route | undefined = routeOf(path);
  const screen = isBuilt(name) ? path : route?.menuOnly === true ? firstOf(route, level) : undefined;
  const shown = to === 'screen' ? (screen ?? '/error/404') : to;
  return { from: path, path: shown, message: to === '/error/noPermissions' };
}

/**
 * Walks paths inside one page, as the portal's own links do, and notes where each leads and whether the message is said.
 * What a session keeps in the browser is put back before each, since some paths end it.
 */
const walk = (page: Page, paths: readonly string[]): Promise<Landing[]> =>
  page.evaluate(
    async ({ paths, message }) => {
      const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      const notices = () => [...document.querySelectorAll<HTMLElement>('[role=log] > div')];
      const kept = { ...localStorage };
      const landings: { from: string; path: string; message: boolean }[] = [];
      for (const from of paths) {
        for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value));
        history.pushState(null, '', from);
        dispatchEvent(new PopStateEvent('popstate'));
        await frame();
        const said = notices().filter((notice) => notice.textContent?.includes(message));
        landings.push({ from, path: location.pathname, message: said.length > 0 });
        for (const notice of said) notice.querySelector('button')?.click();
      }
      return landings;
    },
    { paths, message: NO_PERMISSIONS },
  );

const headings = {
  'error-403': 'navigation.problem.403.title',
  'error-404': 'navigation.problem.404.title',
  'error-5xx': 'navigation.problem.5xx.title',
  'error-no-permissions': 'navigation.problem.noPermissions.title',
} as const;

/** Waits for what a path that opens shows: the heading of its page, or the panel of its tab. */
async function seen(page: Page, path: string): Promise<void> {
  const route = routeOf(path);
  const problem = Object.entries(headings).find(([name]) => name === route?.name)?.[1];
  if (problem) await page.locator('h1', { hasText: textOf(problem, 'en') }).waitFor();
  else if (route && 'outside' in route) await page.locator('h1:visible').first().waitFor();
  else {
    const panel = path === '/bus/index' ? 'panel-of-tab-index' : `panel-of-${route?.name}`;
    await page.locator(`[role=tabpanel][id="${panel}"]:visible`).waitFor();
  }
  expect(pathOf(page)).toBe(path);
}

/** Paths that end the session, or that a session may not rest on, come last. */
const order = (path: string): number => (path === '/login' ? 1 : 0);

test.each([undefined, ...levels])('leads every route of the table where level %s belongs', async (level) => {
  const user = demoUsers.find((each) => each.level === level)?.user;
  const { page } = await openPage({ language: 'en', ...(user && { user }) });
  await visit(page, '/error/403');
  const table = routes.toSorted((a, b) => order(a.path) - order(b.path));
  const wanted = table.map(({ name, path }) => landingOf(name, path, level));
  expect(
    await walk(
      page,
      table.map(({ path }) => path),
    ),
  ).toEqual(wanted);
});

test.each([undefined, 1, 4, 10, 255])('shows the screen of every route that opens to level %s', async (level) => {
  const user = demoUsers.find((each) => each.level === level)?.user;
  const { page } = await openPage({ language: 'en', ...(user && { user }) });
  await visit(page, '/error/403');
  const opening = routes
    .filter(({ name, path }) => landingOf(name, path, level).path === path)
    .toSorted((a, b) => order(a.path) - order(b.path));
  const wrong: string[] = [];
  for (const { path } of opening) {
    await goInside(page, path);
    await seen(page, path).catch((error: unknown) => wrong.push(`${path}: ${String(error).split('\n')[0]}`));
  }
  expect(wrong).toEqual([]);
});

test.each([1, 2, 3, 4, 10, 255, -1, undefined, 7])('/ leads by the stored access level %s', async (access) => {
  const user = demoUsers.find((each) => each.level === access)?.user;
  const { page } = await openPage({ language: 'en', ...(user && { user }) });
  if (access !== undefined && !user) {
    await page.goto('/favicon.svg');
    await page.evaluate((stored) => localStorage.setItem('access', String(stored)), access);
  }
  const home = !user ? '/login' : access === 10 ? '/bus/integrator/device/list' : '/bus/index';
  await page.goto('/');
  await page.waitForURL(`**${home}`);
});

test.each(['owner', undefined] as const)(
  'what came along for a screen that is not shown to %s makes the browser warn of nothing',
  async (user) => {
    const unused = /worker\.js was preloaded using link preload but not used/;
    const { page } = await openPage({ language: 'en', ...(user && { user }), expected: [unused] });
    await page.route('**/bus/group/management', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      expect(body).toContain('<link rel="preload" as="style"');
      const link = '<link rel="preload" as="script" href="/worker.js">';
      await route.fulfill({ response, body: body.replace('</head>', `${link}</head>`) });
    });
    // The browser warns of all at once.
    const warned = page.waitForEvent('console', (message) => unused.test(message.text()));
    await page.goto('/bus/group/management');
    await warned;
    expect(pathOf(page)).toBe(user ? '/error/noPermissions' : '/login');
  },
);

test('a wrong level reads "No permissions!", also when the address is loaded anew', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await page.goto('/bus/group/management');
  await page.getByText(NO_PERMISSIONS).waitFor();
  expect(pathOf(page)).toBe('/error/noPermissions');
  await page.getByRole('link', { name: textOf('navigation.toHome', 'en') }).click();
  await page.waitForURL('**/bus/index');
});

test('an unknown path leads to the 404 page, signed in or not', async () => {
  for (const user of [undefined, 'admin'] as const) {
    const { page } = await openPage({ language: 'en', expected: [/\b404\b/], ...(user && { user }) });
    for (const path of ['/nowhere', '/bus/nowhere', '/bus/plant/view/', '/login/x', '/bus/version/blacklist']) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(path === '/bus/version/blacklist' ? 200 : 404);
      const wanted = path === '/bus/version/blacklist' && !user ? 'login.title' : 'navigation.problem.404.title';
      await page.locator('h1', { hasText: textOf(wanted, 'en') }).waitFor();
      expect(pathOf(page)).toBe(wanted === 'login.title' ? '/login' : '/error/404');
    }
  }
});

test.each(demoUsers)(
  'the menu of $user has only entries that open to level $level and have a screen',
  async ({ user, level }) => {
    const { page } = await openPage({ user, language: 'en' });
    await visit(page, '/bus/index');
    const menu = page.getByRole('navigation', { name: textOf('shell.mainMenu', 'en') });
    await menu.getByRole('link').nth(2).waitFor();
    const closed = menu.locator('[aria-expanded=false]');
    for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click();
    await expect.poll(() => closed.count()).toBe(0);
    const paths = await menu
      .getByRole('link')
      .evaluateAll((each) => each.map((link) => (link as HTMLAnchorElement).pathname));
    for (const path of paths) {
      const route = routeOf(path);
      expect([path, route && landingOf(route.name, path, level).path]).toEqual([path, path]);
    }
  },
);

test('a session that lacks a code is led away from the screen that needs it, and has no entry for it', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await page.route('**/c/v0/user/permissions', async (route) => {
    const response = await route.fetch();
    const { result, ...rest } = (await response.json()) as { result: { codes: string[]; menu: string[] } };
    const menu = result.menu.filter((name) => name !== 'device-inverter' && name !== 'member');
    const codes = result.codes.filter((code) => code !== 'member:query');
    await route.fulfill({ response, json: { ...rest, result: { ...result, codes, menu } } });
  });
  await visit(page, '/bus/index');
  await page.waitForFunction(() => localStorage.getItem('menuCode') !== null);
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('menuCode'))) ?? '[]')).not.toContain('member');
  const menu = page.getByRole('navigation', { name: textOf('shell.mainMenu', 'en') });
  await menu.getByRole('link', { name: textOf('routes.plant-view', 'en') }).waitFor();
  expect(await menu.getByRole('link', { name: textOf('routes.device-inverter', 'en'), exact: true }).count()).toBe(0);
  for (const path of ['/bus/powerInfo/member', '/bus/device/inverter']) {
    await goInside(page, path);
    await page.getByText(NO_PERMISSIONS).waitFor();
    expect(pathOf(page)).toBe('/error/noPermissions');
    await goInside(page, '/bus/index');
  }
  await page.reload();
  await page.waitForURL('**/bus/index');
  await goInside(page, '/bus/plant/view');
  await seen(page, '/bus/plant/view');
});

interface Table {
  texts: string;
  actions: Readonly<Record<string, { of: Endpoint; label?: unknown }>>;
}

/** Screens whose actions need codes beyond that of the route. */
const tablesOf: Partial<Record<RouteName, readonly Table[]>> = {
  member: [memberActions, memberAdding],
  'permission-group': [groupActions, groupAdding],
  organization: [departmentActions, departmentAdding],
  'group-management': [organisationActions, organisationAdding],
};

/** Labels of what writes on a screen and needs another code than its route. */
const labelsBeyond = (name: RouteName, code: PermissionCode): string[] =>
  (tablesOf[name] ?? []).flatMap(({ texts, actions }) =>
    Object.entries(actions)
      .filter(([, { of, label }]) => writes(of) && !label && !isHeld(codesOfCall(of), LEVEL.admin, [code]))
      .map(([action]) => textOf(`${texts}.action.${action}`, 'en')),
  );

/** What a screen offers: its buttons, and the menu of its first row. */
async function offeredOn(page: Page): Promise<string[]> {
  const buttons = await page.locator('main button:visible').allInnerTexts();
  const menu = page.locator('main tbody tr').first().locator('button[aria-haspopup=menu]');
  if ((await menu.count()) === 0) return buttons;
  await menu.click();
  const entries = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  return [...buttons, ...entries];
}

const guardedRoutes = routes.flatMap((route: Route & { name: RouteName }) =>
  route.code !== undefined && isBuilt(route.name) ? [[route.name, route.path, route.code] as const] : [],
);

test.each(guardedRoutes)(
  '%s: who holds the code of the screen alone is offered nothing that needs another, and asks for nothing that does',
  async (name, path, code) => {
    const beyond = labelsBeyond(name, code);
    const { page } = await openPage({ user: 'admin', language: 'en' });
    const rows = page.locator('main tbody tr');
    const opening = page.locator('main tbody tr[data-opens]');
    if (beyond.length > 0) {
      await visit(page, path);
      expect((await offeredOn(page)).filter((label) => beyond.includes(label))).not.toEqual([]);
      expect((await opening.count()) > 0).toBe((await rows.count()) > 0);
    }
    await page.route('**/c/v0/user/permissions', async (route) => {
      const response = await route.fetch();
      const { result, ...rest } = (await response.json()) as { result: { codes: string[] } };
      await route.fulfill({ response, json: { ...rest, result: { ...result, codes: [code] } } });
    });
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await visit(page, path);
    expect((await offeredOn(page)).filter((label) => beyond.includes(label))).toEqual([]);
    if (beyond.length > 0) expect(await opening.count()).toBe(0);
    const foreign = allEndpoints.filter(
      (endpoint) => asked.has(endpoint.path) && !isHeld(codesOfCall(endpoint), LEVEL.admin, [code]),
    );
    expect(foreign.map((endpoint) => endpoint.path)).toEqual([]);
  },
);

test.each([
  ['member', '/bus/powerInfo/member'],
  ['permission-group', '/bus/powerInfo/permissionGriup'],
  ['group-management', '/bus/group/management'],
  ['user-management', '/bus/user/management'],
  ['log-audit-account', '/bus/logAudit/account'],
])('a click on a row of %s opens it, and the key on its name does the same', async (_, path) => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, path);
  const row = page.locator('main tbody tr[data-opens]').first();
  const dialog = page.getByRole('dialog');
  await row
    .locator('td')
    .nth(2)
    .click({ position: { x: 2, y: 2 } });
  await dialog.waitFor();
  const title = await dialog.getByRole('heading').first().innerText();
  await untilSettled(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row.locator('button[aria-haspopup=dialog]').press('Enter');
  await dialog.waitFor();
  expect(await dialog.getByRole('heading').first().innerText()).toBe(title);
});

test('a level or a menu changed by hand in the browser is put right by what the server says', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await page.goto('/favicon.svg');
  await page.evaluate(() => {
    localStorage.setItem('access', '255');
    localStorage.setItem('menuCode', '["bus-index","integrator-device-list"]');
  });
  await page.goto('/bus/integrator/device/list');
  await page.waitForURL('**/error/noPermissions');
  // The screen may have been left before the server said who this is: that is asked by the workspace.
  await page.getByRole('link', { name: textOf('navigation.toHome', 'en') }).click();
  await page.waitForURL('**/bus/index');
  await page.waitForFunction(() => localStorage.getItem('access') === '1');
  await page.waitForFunction(() => !localStorage.getItem('menuCode')?.includes('integrator'));
});

test('/login clears token, level, login info, menu codes and session data', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/bus/plant/view');
  await page.waitForFunction(() => localStorage.getItem('menuCode') !== null);
  await goInside(page, '/login');
  await page.locator('h1', { hasText: textOf('login.title', 'en') }).waitFor();
  const left = await page.evaluate(() => ({
    local: ['token', 'access', 'loginInfo', 'menuCode'].filter((key) => localStorage.getItem(key) !== null),
    session: Object.keys(sessionStorage),
  }));
  expect(left).toEqual({ local: [], session: [] });
});
