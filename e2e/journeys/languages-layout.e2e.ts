import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { languageSwitch } from '../support/language.ts';
import { misfits } from '../support/language-walks.ts';
import { openPage } from '../support/page.ts';
import { allStops, lookers } from '../support/screens.ts';
import { visit } from '../support/settled.ts';

const TIMEOUT_MS = 600_000;

test.each(lookers)(
  'every screen of %s fits in every language at 1440 and 390 px',
  { timeout: TIMEOUT_MS },
  async (user) => {
    await waitUntilFresh('Haus Lindenblick');
    const stops = (await allStops()).filter((stop) => stop.user === user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await misfits(user, stops, ['de'])).toEqual([]);
  },
);

test('the columns that a list shows at first stand beside each other at 1440 px in every language', async () => {
  const { page, context } = await openPage({ user: 'admin' });
  const switchTo = await languageSwitch(context);
  const tooWide: string[] = [];
  // Rows of the demonstration alone: those of other journeys may have names of any length.
  for (const address of [
    '/bus/user/management?condition.content=demo.sonnenwarte.example',
    '/bus/group/management?condition.content=Sonnenwarte Demo',
    '/bus/plant/view?condition.country=DE',
    '/bus/device/inverter?condition.content=H8T2311A',
  ]) {
    await visit(page, address);
    await page.locator('tbody tr').first().waitFor();
    for (const language of languages) {
      await switchTo(page, language);
      const beyondPx = await page
        .locator('main section:has(> table)')
        .evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth);
      if (beyondPx > 0) tooWide.push(`${address} ${language}: ${beyondPx} px`);
    }
  }
  expect(tooWide).toEqual([]);
});
