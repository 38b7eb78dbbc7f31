import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { languageSwitch } from './support/language.ts';
import { budgets, recordLoaded } from './support/loaded.ts';
import { openPage } from './support/page.ts';
import { visit } from './support/settled.ts';

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

test('the texts of the sign-in page are at most 20 kB in every language', async () => {
  const { page, context } = await openPage({ language: 'en' });
  const switchTo = await languageSwitch(context);
  const recorded = recordLoaded(page);
  const bytes: Record<string, number> = {};
  await visit(page, '/login');
  bytes.en = recorded.taken().texts;
  for (const language of languages.filter((each) => each !== 'en')) {
    await switchTo(page, language);
    bytes[language] = recorded.taken().texts;
  }
  console.log('texts', bytes);
  expect(Object.entries(bytes).filter(([, each]) => each < 1_000 || each > budgets.language)).toEqual([]);
});
