import { type Language, languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { languageSwitch } from '../support/language.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';

test('the columns that a list shows at first stand beside each other at 1440 px in every language', async () => {
  const { page, context } = await openPage({ user: 'admin' });
  const switchTo = await languageSwitch(context);
  const tooWide: string[] = [];
  // Rows of the demonstration alone: those of other journeys may have names of any length.
  for (const address of [
    '/bus/user/management?condition.content=demo.sonnenwarte.example',
    '/bus/group/management?condition.content=Sonnenwarte Demo',
    '/bus/plant/view?condition.content=Haus Lindenblick',
    '/bus/plant/view?condition.content=Maison',
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

test('a line is as high in every language, whatever fonts the machine has for its signs', async () => {
  const { page, context } = await openPage({ language: 'de' });
  const switchTo = await languageSwitch(context);
  await visit(page, '/login');
  const heights: Partial<Record<Language, number>> = {};
  for (const language of languages) {
    await switchTo(page, language);
    heights[language] = await page.evaluate(async () => {
      const line = document.createElement('span');
      line.style.fontSize = '100px';
      line.append('1.2 kW 发电 발전');
      document.body.append(line);
      await document.fonts.ready;
      const range = document.createRange();
      range.selectNodeContents(line);
      const { height } = range.getBoundingClientRect();
      line.remove();
      return height;
    });
  }
  expect(heights).toEqual(Object.fromEntries(languages.map((language) => [language, heights.de])));
});
