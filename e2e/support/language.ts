import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import type { BrowserContext, Page } from 'playwright-core';
import { untilSettled } from './settled.ts';

export type SwitchLanguage = (page: Page, language: Language) => Promise<void>;

/** Switches what a page shows to a language as another window of the same browser does it: nothing is loaded anew. */
export async function languageSwitch(context: BrowserContext): Promise<SwitchLanguage> {
  const other = await context.newPage();
  await other.goto('/favicon.svg');
  return async (page, language) => {
    await other.evaluate((chosen) => localStorage.setItem('language', chosen), language);
    await page.waitForFunction((locale) => document.documentElement.lang === locale, localeOf(language));
    await untilSettled(page);
  };
}
