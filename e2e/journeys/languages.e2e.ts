import { languages, localeOf } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { layoutProblems, shownTexts } from '../support/layout.ts';
import { desktop, openPage, phone } from '../support/page.ts';
import { allStops, type Stop } from '../support/screens.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { englishOnly, textFeatures } from '../support/texts.ts';

const visited = [
  'login',
  'error-404',
  'home-owner',
  'home-admin',
  'plant-list',
  'plant',
  'inverters',
  'inverter',
  'integrator-list',
];
const rawKey = new RegExp(`^(?:${textFeatures().join('|')})\\.[\\w.-]+$`);

async function stopsByUser(): Promise<Map<Stop['user'], Stop[]>> {
  const stops = (await allStops()).filter((stop) => visited.includes(stop.name));
  return Map.groupBy(stops, (stop) => stop.user);
}

test.each(languages)(
  'every screen fits in %s at 1440 and 390 px, without a raw key or forgotten English',
  async (language) => {
    await waitUntilFresh('Haus Lindenblick');
    const english = language === 'en' ? new Set<string>() : englishOnly(language);
    const problems: string[] = [];
    for (const [user, stops] of await stopsByUser()) {
      const { page } = await openPage({ language, ...(user && { user }) });
      for (const { name, address } of stops) {
        await page.setViewportSize(desktop);
        await visit(page, address);
        expect(await page.locator('html').getAttribute('lang')).toBe(localeOf(language));
        for (const text of await shownTexts(page)) {
          if (rawKey.test(text)) problems.push(`${name}: raw key ${text}`);
          if (english.has(text)) problems.push(`${name}: English "${text}"`);
          if (text.includes('{{')) problems.push(`${name}: placeholder in "${text}"`);
        }
        problems.push(...(await layoutProblems(page)).map((problem) => `${name} 1440: ${problem}`));
        await page.setViewportSize(phone);
        await untilSettled(page);
        problems.push(...(await layoutProblems(page)).map((problem) => `${name} 390: ${problem}`));
      }
    }
    expect([...new Set(problems)]).toEqual([]);
  },
);
