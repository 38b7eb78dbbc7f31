import { type Language, languages } from '@sonnenwarte/contract/languages';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { Page } from 'playwright-core';
import { type DemoUser, demoUsers } from './demo.ts';
import { languageSwitch, type SwitchLanguage } from './language.ts';
import { layoutProblems } from './layout.ts';
import { eachOpening, refuseWrites } from './openings.ts';
import { desktop, openPage, phone } from './page.ts';
import type { Stop } from './screens.ts';
import { untilSettled, visit } from './settled.ts';
import { dataOf, markTexts, noteDrawnTexts, outsideCatalogue, shownTexts } from './shown-texts.ts';

/** Problems of a screen by what they are: the same one in several languages is told once. */
function toldTogether(found: ReadonlyMap<string, readonly Language[]>): string[] {
  return [...found].map(
    ([problem, where]) => `${problem} (${where.length === languages.length ? 'all' : where.join()})`,
  );
}

async function misfitsOfLanguages(page: Page, switchTo: SwitchLanguage): Promise<Map<string, Language[]>> {
  const found = new Map<string, Language[]>();
  for (const language of languages) {
    await switchTo(page, language);
    for (const problem of await layoutProblems(page)) found.set(problem, [...(found.get(problem) ?? []), language]);
  }
  return found;
}

/**
 * What does not fit on screens in any language at 1440 and 390 px, and at 390 px of the dialogs and menus that their
 * buttons open, in the languages named.
 */
export async function misfits(
  user: DemoUser | undefined,
  stops: readonly Stop[],
  openedIn: readonly Language[],
): Promise<string[]> {
  const { page, context } = await openPage({ ...(user && { user }) });
  const switchTo = await languageSwitch(context);
  await refuseWrites(context);
  const seen = new Map<Language, Set<string>>();
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
    for (const language of openedIn) {
      await switchTo(page, language);
      const before = seen.get(language) ?? new Set();
      seen.set(language, before);
      await eachOpening(page, address, before, async (opened) => {
        const found = await layoutProblems(page);
        problems.push(...found.map((problem) => `${name}, ${opened}, ${phone.width}: ${problem} (${language})`));
      });
    }
  }
  return problems;
}

/** Texts of screens, and of all that their buttons open, that are neither of the catalogues nor data. */
export async function foreignTexts(user: DemoUser | undefined, stops: readonly Stop[]): Promise<string[]> {
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
  const problems = new Set<string>();
  const seen = new Set<string>();
  const look = async (where: string) => {
    const texts = await shownTexts(page);
    if (!texts.some((text) => text.includes('⟦'))) problems.add(`${where}: no text of the catalogues`);
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
  return [...problems];
}
