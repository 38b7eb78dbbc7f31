import { gzipSync } from 'node:zlib';
import { languages } from '@sonnenwarte/contract/languages';
import { routeOf } from '@sonnenwarte/contract/routes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goInside, openPage } from './support/page.ts';
import { allStops } from './support/screens.ts';
import { visit } from './support/settled.ts';

const KB = 1_000;
const budgets = { initialJs: 180 * KB, loginJs: 140 * KB, css: 25 * KB, routeJs: 75 * KB, language: 20 * KB };

interface Loaded {
  url: string;
  kind: 'js' | 'css' | 'font' | 'other';
  bytes: number;
}

/** What the browser loads of the portal's own files, in gzip bytes. */
function record(page: Page): { done(): Promise<Loaded[]> } {
  const bodies: Promise<Loaded>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const [, kind] = /\.(js|css|woff2)$/.exec(pathname) ?? [];
    if (kind === undefined) return;
    const loaded = response.body().then(
      (body): Loaded => ({
        url: pathname,
        kind: kind === 'woff2' ? 'font' : kind === 'js' ? 'js' : 'css',
        bytes: kind === 'woff2' ? body.length : gzipSync(body, { level: 9 }).length,
      }),
    );
    // What comes after the last look, while the page closes, is nobody's business.
    loaded.catch(() => undefined);
    bodies.push(loaded);
  });
  return {
    done: async () => [...new Map((await Promise.all(bodies.splice(0))).map((each) => [each.url, each])).values()],
  };
}

const isLanguageChunk = new RegExp(`/(?:language-|errors-)?(?:${languages.join('|')})-[\\w-]+\\.js$`);

const sum = (loaded: readonly Loaded[], kind: Loaded['kind'], keep = (_: Loaded) => true): number =>
  loaded.filter((each) => each.kind === kind && keep(each)).reduce((all, { bytes }) => all + bytes, 0);

const notLanguage = ({ url }: Loaded): boolean => !isLanguageChunk.test(url);

test('the sign-in page loads at most 140 kB of scripts and 25 kB of styles', async () => {
  const { page } = await openPage({ language: 'de' });
  const recorded = record(page);
  await visit(page, '/login');
  await page.waitForLoadState('networkidle');
  const loaded = await recorded.done();
  const sizes = { js: sum(loaded, 'js', notLanguage), css: sum(loaded, 'css'), font: sum(loaded, 'font') };
  console.log('login', sizes);
  expect(sizes.js).toBeGreaterThan(20 * KB);
  expect(sizes.js).toBeLessThanOrEqual(budgets.loginJs);
  expect(sizes.css).toBeLessThanOrEqual(budgets.css);
});

test('the first screen after signing in loads at most 180 kB of scripts, a route at most 75 kB more, all styles 25 kB', async () => {
  const stops = await allStops();
  const over: string[] = [];
  for (const stop of stops.filter(({ user }) => user !== undefined)) {
    const { page, context } = await openPage({ language: 'de', user: stop.user ?? 'owner' });
    const recorded = record(page);
    await visit(page, stop.address);
    await page.locator('main h1').first().waitFor();
    const loaded = await recorded.done();
    const js = sum(loaded, 'js', notLanguage);
    const css = sum(loaded, 'css');
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
    console.log(`${stop.name}: ${js} B of scripts, ${css} B of styles, first contentful paint ${Math.round(paint)} ms`);
    const allowed = stop.address === '/bus/index' ? budgets.initialJs : budgets.initialJs + budgets.routeJs;
    if (js > allowed) over.push(`${stop.name}: ${js} B of scripts, ${allowed} B allowed`);
    if (css > budgets.css) over.push(`${stop.name}: ${css} B of styles, ${budgets.css} B allowed`);
    await context.close();
  }
  expect(over).toEqual([]);
});

test('a route that is opened from home loads at most 75 kB more', async () => {
  const over: string[] = [];
  for (const { name, user, address } of await allStops()) {
    if (user !== 'admin' || address === '/bus/index' || routeOf(address)?.outside) continue;
    const { page: fresh, context } = await openPage({ language: 'de', user });
    const routes = record(fresh);
    await visit(fresh, '/bus/index');
    await routes.done();
    await goInside(fresh, address);
    await fresh.waitForURL(`**${address}`);
    await fresh.locator('[role=tabpanel]:visible h1').waitFor();
    const bytes = sum(await routes.done(), 'js', notLanguage);
    console.log(`${name} from home: ${bytes} B of scripts`);
    if (bytes > budgets.routeJs) over.push(`${name}: ${bytes} B of scripts, ${budgets.routeJs} B allowed`);
    await context.close();
  }
  expect(over).toEqual([]);
});

test.each(languages)('the texts in %s are at most 20 kB', async (language) => {
  const { page } = await openPage({ language });
  const recorded = record(page);
  await visit(page, '/login');
  const loaded = await recorded.done();
  const bytes = sum(loaded, 'js', (each) => !notLanguage(each));
  expect(bytes).toBeGreaterThan(1 * KB);
  expect(bytes).toBeLessThanOrEqual(budgets.language);
});
