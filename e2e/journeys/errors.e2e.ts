import { logout } from '@sonnenwarte/contract/accounts/own-account';
import { errno } from '@sonnenwarte/contract/errors';
import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { DEMO_PASSWORD, portalUrl } from '../support/demo.ts';
import { goInside, openPage, pathOf, signIn, type View } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

/** What the browser itself says of answers and requests that fail on purpose. */
const expected = [
  /Failed to load resource/,
  /^answer: \d{3} /,
  /net::ERR_FAILED/,
  /Unable to preload|dynamically imported/,
];
const open = (view: View = {}) => openPage({ user: 'owner', language: 'en', ...view, expected });

const INFO = '**/c/v0/user/info';
const PLANTS = '**/c/v1/plant/list';
const notices = (page: Page) => page.getByRole('log').locator('> div');
const notice = (page: Page, text: string) => notices(page).filter({ hasText: text });

const envelope =
  (number: number, msg = 'said by the server') =>
  (route: Route) =>
    route.fulfill({ json: { errno: number, msg, result: null } });
const status = (code: number) => (route: Route) =>
  route.fulfill({ status: code, contentType: 'text/html', body: '<html lang="en"></html>' });

describe('an error number', () => {
  test('is said as {errno}-{text} in the language of the user', async () => {
    for (const language of ['de', 'pl', 'ko'] as const) {
      const { page } = await open({ language });
      await page.route(INFO, envelope(errno.queryFailed));
      await page.goto('/bus/index');
      await notice(page, `${errno.queryFailed}-${textOf(`errors.${errno.queryFailed}`, language)}`).waitFor();
      expect(pathOf(page)).toBe('/bus/index');
    }
  });

  test("takes its text from the server's table, in English where the language has none there", async () => {
    const { page } = await open({ language: 'fr' });
    await page.route('**/c/v0/errors/message', async (route) => {
      expect(route.request().headers().token).toBeUndefined();
      expect(route.request().headers().signature).toBeUndefined();
      const messages = { en: { '41200': 'English of the table' }, fr: { '41201': 'français de la table' } };
      await route.fulfill({ json: { errno: 0, msg: '', result: { messages } } });
    });
    await page.route(INFO, envelope(41200));
    await page.goto('/bus/index');
    await notice(page, '41200-English of the table').waitFor();
    await page.unroute(INFO);
    await page.route(INFO, envelope(41201));
    await page.reload();
    await notice(page, '41201-français de la table').waitFor();
  });

  test('where the table cannot be read, has the text that the portal brings along', async () => {
    const { page } = await open({ language: 'it' });
    await page.route('**/c/v0/errors/message', (route) => route.abort());
    await page.route(INFO, envelope(errno.queryFailed));
    await page.goto('/bus/index');
    await notice(page, `${errno.queryFailed}-${textOf(`errors.${errno.queryFailed}`, 'it')}`).waitFor();
  });

  test('of a refused sign-in is said in the form, once, however often it comes', async () => {
    const { page } = await openPage({ language: 'en', expected });
    await visit(page, '/login');
    await page.route('**/c/v0/user/login', envelope(errno.badUserNameOrPassword));
    let answers = 0;
    page.on('response', (response) => {
      if (response.url().includes('/user/login')) answers += 1;
    });
    await signIn(page, 'owner', 'not the password');
    const verdict = page.getByRole('alert').getByText('41807-');
    await verdict.waitFor();
    await page.locator('button[type=submit]').click();
    await expect.poll(() => answers).toBe(2);
    await verdict.waitFor();
    expect([await verdict.count(), await notices(page).count()]).toEqual([1, 0]);
  });
});

describe('the end of a session', () => {
  test.each([errno.tokenExpired, errno.tokenInvalid, errno.sessionEnded])(
    '%i is said before it leads to /login, once for all calls that it meets',
    async (number) => {
      const { page } = await open();
      await page.route(INFO, envelope(number));
      await page.route(PLANTS, envelope(number));
      await page.goto('/bus/plant/view');
      const said = notice(page, `${number}-${textOf(`errors.${number}`, 'en')}`);
      await said.waitFor();
      expect(pathOf(page)).toBe('/bus/plant/view');
      expect(await notices(page).count()).toBe(1);
      await page.waitForURL('**/login');
      await said.waitFor({ state: 'detached' });
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    },
  );

  test('that was ended elsewhere is told with 41810 and leads to /login', async () => {
    const session = await openSession(portalUrl(), 'owner', DEMO_PASSWORD);
    const { page } = await open();
    await page.goto('/favicon.svg');
    await page.evaluate((token) => localStorage.setItem('token', token), session.token);
    await visit(page, '/bus/index');
    await callApi(portalUrl(), logout, {}, session.token);
    await goInside(page, '/bus/plant/view');
    await notice(page, `41810-${textOf('errors.41810', 'en')}`).waitFor();
    await page.waitForURL('**/login');
  });

  test('leads back to where somebody was, with the tabs, once the same account signs in again; another begins at home', async () => {
    const { page } = await open();
    await visit(page, '/bus/index');
    await goInside(page, '/bus/plant/view?condition.content=haus');
    await untilSettled(page);
    const end = async () => {
      await page.route(INFO, envelope(errno.sessionEnded));
      await page.reload();
      await page.waitForURL('**/login');
      await page.unroute(INFO);
    };
    await end();
    await page.reload();
    await signIn(page, 'owner', DEMO_PASSWORD);
    await page.waitForURL('**/bus/plant/view?condition.content=haus');
    await notice(page, textOf('shell.continued', 'en')).waitFor();
    await page.getByRole('tab', { name: textOf('routes.plant-view', 'en'), selected: true }).waitFor();

    await end();
    await signIn(page, 'installer', DEMO_PASSWORD);
    await page.waitForURL('**/bus/index');
    await untilSettled(page);
    expect(await page.getByRole('tab').count()).toBeLessThanOrEqual(1);
    expect(await page.evaluate(() => sessionStorage.getItem('kept'))).toBeNull();
  });
});

describe('an HTTP status', () => {
  test('401 leads to /login', async () => {
    const { page } = await open();
    await page.route(INFO, status(401));
    await page.goto('/bus/index');
    await page.waitForURL('**/login');
  });

  test.each([
    [403, '/error/403', '403'],
    [500, '/error/5xx', '5xx'],
    [502, '/error/5xx', '5xx'],
    [418, '/error/5xx', '5xx'],
  ] as const)('%i leads to %s, also from a call that a screen shows in place', async (code, path, problem) => {
    for (const call of [INFO, PLANTS]) {
      const { page } = await open();
      await page.route(call, status(code));
      await page.goto('/bus/plant/view');
      await page.waitForURL(`**${path}`);
      await page.locator('h1', { hasText: textOf(`navigation.problem.${problem}.title`, 'en') }).waitFor();
    }
  });

  test('404 says "status:404 Api Not Found", for a while, and stays on the screen', async () => {
    const { page } = await open();
    await page.route(PLANTS, status(404));
    await page.goto('/bus/plant/view');
    const said = notice(page, 'status:404 Api Not Found');
    await said.waitFor();
    expect(await notices(page).count()).toBe(1);
    await said.waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/bus/plant/view');
  });

  test('405 says the status with its text and stays on the screen', async () => {
    const { page } = await open();
    await page.route(PLANTS, status(405));
    await page.goto('/bus/plant/view');
    await notice(page, 'status:405 Method Not Allowed').waitFor();
    expect(pathOf(page)).toBe('/bus/plant/view');
  });
});

describe('a service that is being updated', () => {
  test('says "Waiting for update service resources" at 30000', async () => {
    const { page } = await open();
    await page.route(INFO, envelope(errno.maintenance));
    await page.goto('/bus/index');
    await notice(page, 'Waiting for update service resources').waitFor();
    expect(pathOf(page)).toBe('/bus/index');
  });

  test('says it at HTTP 503 too, on the page of the server that has a problem', async () => {
    const { page } = await open();
    await page.route(INFO, status(503));
    await page.goto('/bus/index');
    await notice(page, 'Waiting for update service resources').waitFor();
    await page.waitForURL('**/error/5xx');
  });
});

test('a password that must be changed is said and leads to where that is done', async () => {
  const { page } = await open();
  await page.route(INFO, envelope(errno.passwordMustChange));
  await page.goto('/bus/index');
  await notice(page, '41814-Please change your password!').waitFor();
  await page.waitForURL('**/changePassword');
});

test('no connection is said, and leaves the screen where it is', async () => {
  const { page } = await open();
  await page.route(INFO, (route) => route.abort());
  await page.goto('/bus/index');
  await notice(page, textOf('common.networkFailure', 'en')).waitFor({ timeout: 30_000 });
  expect(pathOf(page)).toBe('/bus/index');
});

describe('a part of the portal that cannot be loaded', () => {
  const CHUNK = /assets\/site-list-screen-[\w-]+\.js/;

  test('is told, and the page is loaded anew', async () => {
    const { page } = await open();
    await visit(page, '/bus/index');
    await page.route(CHUNK, (route) => route.abort());
    const origin = await page.evaluate(() => performance.timeOrigin);
    await goInside(page, '/bus/plant/view');
    await notice(page, 'Waiting for update service resources').waitFor();
    await notice(page, textOf('common.chunkFailure', 'en')).waitFor();
    await page.unroute(CHUNK);
    await page.waitForFunction((before) => performance.timeOrigin !== before, origin);
    await untilSettled(page);
    expect(pathOf(page)).toBe('/bus/plant/view');
    await page.locator('h1:visible', { hasText: textOf('routes.plant-view', 'en') }).waitFor();
  });

  test('with the server away leaves the tab with a retry, and opens once the server answers, not before', async () => {
    const { page } = await open();
    await visit(page, '/bus/index');
    const health = '**/healthz';
    let asked = 0;
    await page.route(health, (route) => {
      asked += 1;
      return route.abort();
    });
    await page.route(CHUNK, (route) => route.abort());
    const origin = await page.evaluate(() => performance.timeOrigin);
    await goInside(page, '/bus/plant/view');
    const panel = page.locator('[role=tabpanel]:visible');
    await panel.getByRole('button', { name: textOf('common.retry', 'en') }).click();
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(2);
    await notice(page, 'Waiting for update service resources').waitFor();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(origin);
    await page.getByRole('tab', { name: textOf('routes.bus-index', 'en') }).click();
    await page.locator('h1:visible').first().waitFor();
    await page.getByRole('tab', { name: textOf('routes.plant-view', 'en') }).click();
    await page.unroute(CHUNK);
    await page.unroute(health);
    await page.waitForFunction((before) => performance.timeOrigin !== before, origin);
    await page.locator('h1:visible', { hasText: textOf('routes.plant-view', 'en') }).waitFor();
  });

  test('is not asked for where the browser fetched it before, while it was idle', async () => {
    const { page } = await openPage({ user: 'owner', language: 'en', expected, preloads: true });
    const fetched = page.waitForResponse((response) => CHUNK.test(response.url()));
    await visit(page, '/bus/index');
    await (await fetched).finished();
    await page.route('**/assets/**', (route) => route.abort());
    await goInside(page, '/bus/plant/view');
    await page.locator('h1:visible', { hasText: textOf('routes.plant-view', 'en') }).waitFor();
  });

  test('counts as that when it does not come within 120 s', async () => {
    const { page } = await open();
    await page.clock.install();
    await visit(page, '/bus/index');
    await page.route(CHUNK, () => undefined);
    await goInside(page, '/bus/plant/view');
    await page.locator('[role=tabpanel]:visible [aria-busy=true]').first().waitFor();
    // Its own time goes on beside the one that is set: as much as a busy machine needs up to here.
    await page.clock.runFor(90_000);
    expect(await notice(page, textOf('common.chunkFailure', 'en')).count()).toBe(0);
    const told = notice(page, textOf('common.chunkFailure', 'en'));
    // Second by second: a notice goes by itself, and how much of the 120 s is over is not known to the second.
    for (let second = 0; second < 31 && (await told.count()) === 0; second += 1) await page.clock.runFor(1_000);
    await told.waitFor();
  });
});

test('a screen that fails says so in its tab and leaves the rest of the workspace alone', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en', expected: [/TypeError/] });
  await visit(page, '/bus/index');
  await page.route(PLANTS, (route) => route.fulfill({ json: { errno: 0, msg: '', result: { plants: 'no list' } } }));
  await goInside(page, '/bus/plant/view');
  await page.locator('[role=tabpanel]:visible [role=alert]').waitFor();
  await page.getByRole('navigation', { name: textOf('shell.mainMenu', 'en') }).waitFor();
});
