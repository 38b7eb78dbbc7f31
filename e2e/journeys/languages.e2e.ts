import { type Language, languages } from '@sonnenwarte/contract/languages';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type DemoUser, demoUsers, waitUntilFresh } from '../support/demo.ts';
import { languageSwitch, type SwitchLanguage } from '../support/language.ts';
import { layoutProblems } from '../support/layout.ts';
import { eachOpening, refuseWrites } from '../support/openings.ts';
import { desktop, openPage, phone } from '../support/page.ts';
import { allStops, publicStops, type Stop, stopsOf } from '../support/screens.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { dataOf, markTexts, noteDrawnTexts, outsideCatalogue, shownTexts } from '../support/shown-texts.ts';

const everybody: readonly (DemoUser | undefined)[] = [undefined, ...demoUsers.map(({ user }) => user)];

/** For whom `allStops` has screens of their own. */
const lookers: readonly (DemoUser | undefined)[] = [undefined, 'owner', 'distributor', 'integrator', 'admin'];

/** Their texts need the most room: what stands behind buttons is tried in them. */
const longestLanguages: readonly Language[] = ['de', 'fr', 'pl', 'ro'];
const TIMEOUT_MS = 600_000;

/** Problems of a screen by what they are: the same one in several languages is told once. */
function toldTogether(found: ReadonlyMap<string, readonly Language[]>): string[] {
  return [...found].map(
    ([problem, where]) => `${problem} (${where.length === languages.length ? 'all' : where.join()})`,
  );
}

async function misfitsOfLanguages(
  page: Page,
  switchTo: SwitchLanguage,
  tried: readonly Language[] = languages,
): Promise<Map<string, Language[]>> {
  const found = new Map<string, Language[]>();
  for (const language of tried) {
    await switchTo(page, language);
    for (const problem of await layoutProblems(page)) found.set(problem, [...(found.get(problem) ?? []), language]);
  }
  return found;
}

async function misfits(user: DemoUser | undefined, stops: readonly Stop[]): Promise<string[]> {
  const { page, context } = await openPage({ ...(user && { user }) });
  const switchTo = await languageSwitch(context);
  await refuseWrites(context);
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { name, address } of stops) {
    await page.setViewportSize(desktop);
    await visit(page, address);
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size);
      await untilSettled(page);
      const found = await misfitsOfLanguages(page, switchTo);
      problems.push(...toldTogether(found).map((problem) => `${name} ${size.width}: ${problem}`));
    }
    await switchTo(page, 'de');
    await eachOpening(page, address, seen, async (opened) => {
      const found = await misfitsOfLanguages(page, switchTo, longestLanguages);
      problems.push(...toldTogether(found).map((problem) => `${name}, ${opened}, ${phone.width}: ${problem}`));
      await switchTo(page, 'de');
    });
  }
  return problems;
}

test.each(lookers)(
  'every screen of %s fits in every language at 1440 and 390 px',
  { timeout: TIMEOUT_MS },
  async (user) => {
    await waitUntilFresh('Haus Lindenblick');
    const stops = (await allStops()).filter((stop) => stop.user === user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await misfits(user, stops)).toEqual([]);
  },
);

test.each(everybody)(
  'all that the screens of %s show comes from the catalogues or is data',
  { timeout: TIMEOUT_MS },
  async (user) => {
    const { page, context } = await openPage({ ...(user && { user }), language: 'ko' });
    await markTexts(context, 'ko');
    await noteDrawnTexts(context);
    await refuseWrites(context);
    const data = dataOf(page, [
      'Sonnenwarte',
      // What the journeys' own client calls itself in the list of sessions.
      'node',
      ...Object.values(languageNames),
      ...demoUsers.map((each) => each.user),
      ...Intl.supportedValuesOf('timeZone').map((zone) => zone.replaceAll('_', ' ')),
    ]);
    const stops = user ? await stopsOf(user) : await publicStops();
    expect(stops.length).toBeGreaterThan(0);
    const problems = new Set<string>();
    const seen = new Set<string>();
    const look = async (where: string) => {
      const texts = await shownTexts(page);
      expect(texts.some((text) => text.includes('⟦'))).toBe(true);
      for (const text of texts) {
        const rest = outsideCatalogue(text, data);
        if (rest !== '') problems.add(`${where}: "${rest}" in "${text}"`);
      }
    };
    for (const { name, address } of stops) {
      await page.setViewportSize(desktop);
      await visit(page, address);
      for (const size of [desktop, phone]) {
        await page.setViewportSize(size);
        await untilSettled(page);
        await look(`${name} ${size.width}`);
      }
      await page.setViewportSize(desktop);
      await eachOpening(page, address, seen, (opened) => look(`${name}, ${opened}`));
    }
    expect([...problems]).toEqual([]);
  },
);
