import { languages } from '@sonnenwarte/contract/languages';
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, plantsOf } from './support/demo.ts';
import { languageSwitch } from './support/language.ts';
import { budgets, Loaded, recordLoaded, recordRequests } from './support/loaded.ts';
import { openPage, signIn } from './support/page.ts';
import { untilSettled, visit } from './support/settled.ts';

test('the sign-in page loads at most 140 kB of scripts and 25 kB of styles', async () => {
  const { page } = await openPage({ language: 'de' });
  const recorded = recordLoaded(page);
  await visit(page, '/login');
  await page.waitForLoadState('networkidle');
  const { scripts, styles, widgets } = recorded.taken();
  console.log('login', { scripts, styles });
  expect(scripts).toBeGreaterThan(20_000);
  expect(scripts).toBeLessThanOrEqual(budgets.loginJs);
  expect(styles).toBeLessThanOrEqual(budgets.css);
  expect(widgets).toBe(0);
});

test('the texts of a first page are at most 26 kB in every language, those of the sign-in 5', async () => {
  for (const [user, address, most] of [
    [undefined, '/login', budgets.loginTexts],
    ['admin', '/bus/index', budgets.language],
  ] as const) {
    const { page, context } = await openPage({ language: 'en', ...(user && { user }) });
    const switchTo = await languageSwitch(context);
    const recorded = recordLoaded(page);
    const bytes: Record<string, number> = {};
    await visit(page, address);
    bytes.en = recorded.taken().texts;
    for (const language of languages.filter((each) => each !== 'en')) {
      await switchTo(page, language);
      bytes[language] = recorded.taken().texts;
    }
    console.log('texts', address, bytes);
    expect(Object.entries(bytes).filter(([, each]) => each < 1_000 || each > most)).toEqual([]);
  }
});

async function plantAddress(): Promise<string> {
  const [plant] = await plantsOf('owner');
  return `/bus/plant/detail?id=${plant?.stationID}`;
}

const at = (path: string) => async (): Promise<string> => path;

describe.each([
  ['the sign-in page', undefined, at('/login')],
  ['home of an owner', 'owner', at('/bus/index')],
  ['home of the administrator', 'admin', at('/bus/index')],
  ['a plant', 'owner', plantAddress],
  ['a list', 'admin', at('/bus/plant/view')],
] as const)('%s', (name, user, addressOf) => {
  test('takes at most 15 requests for the page with its scripts, styles and texts, all of them compressed', async () => {
    const { page } = await openPage({ language: 'de', ...(user && { user }) });
    const address = await addressOf();
    const recorded = recordRequests(page);
    await visit(page, address);
    const { files, calls, uncompressed } = await recorded.taken();
    console.log(name, { files: files.length, calls: calls.length });
    expect(files.length).toBeGreaterThan(5);
    // Fonts are not waited for: texts are shown in a font of the system until they are there.
    const waitedFor = files.filter((file) => !file.endsWith('.woff2'));
    // Of home, what is below its first screen may be there by then or not.
    const first = new Loaded(waitedFor).ofFirstPage('bus-index').names;
    const isLater = (file: string): boolean =>
      address === '/bus/index' && /\.(?:js|css)$/.test(file) && !first.includes(file);
    expect(waitedFor.filter((file) => !isLater(file)).slice(budgets.requests)).toEqual([]);
    expect(waitedFor.filter(isLater).slice(budgets.laterRequests)).toEqual([]);
    expect(uncompressed).toEqual([]);
  });
});

test.each([
  ['a plant', 'owner', plantAddress, '/site-screen-', ['/c/v0/plant/detail', '/c/v0/plant/live', '/c/v0/user/info']],
  ['a list', 'admin', at('/bus/plant/view'), '/site-list-screen-', ['/c/v1/plant/list']],
  [
    'a screen with texts of its own',
    'admin',
    at('/bus/group/management'),
    '/organisations-screen-',
    ['/organisations.json'],
  ],
] as const)(
  'the data and texts of %s are asked for before its code is there',
  async (_, user, addressOf, code, others) => {
    const { page } = await openPage({ language: 'de', user });
    const address = await addressOf();
    const asked = Promise.all(['/workspace.json', ...others].map((part) => page.waitForRequest(new RegExp(part))));
    // Who waits for the code first waits for ever.
    await page.route(new RegExp(code), async (route) => {
      await asked;
      await route.continue();
    });
    await Promise.all([asked, visit(page, address)]);
  },
);

test('the workspace and home are fetched while somebody types the password: signing in needs no code any more', async () => {
  const { page } = await openPage({ language: 'de' });
  const recorded = recordLoaded(page);
  const parts = [/\/workspace-[\w-]+\.js$/, /\/workspace\.json$/, /\/owner-[\w-]+\.js$/, /\/uPlot[\w.-]+\.js$/];
  const fetched = parts.map((part) => page.waitForResponse(part));
  await visit(page, '/login');
  await page.locator('input[name=password]').focus();
  for (const response of await Promise.all(fetched)) await response.finished();
  recorded.taken();
  await signIn(page, 'owner', DEMO_PASSWORD);
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  expect(recorded.taken().names.filter((name) => /\.(?:js|css)$/.test(name))).toEqual([]);
});
