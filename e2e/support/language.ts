import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import type { BrowserContext, Page } from 'playwright-core';
import { untilSettled } from './settled.ts';

export interface SwitchLanguage {
  (page: Page, language: Language): Promise<void>;
  /** In which the next page that is loaded begins. */
  ofNextPage(language: Language): Promise<void>;
}

/** Switches what a page shows to a language as another window of the same browser does it: nothing is loaded anew. */
export async function languageSwitch(context: BrowserContext): Promise<SwitchLanguage> {
  const other = await context.newPage();
  await other.goto('/favicon.svg');
  const choose = (language: Language) => other.evaluate((chosen) => localStorage.setItem('language', chosen), language);
  const show = async (page: Page, language: Language) => {
    // A page behind another one is drawn once a second, which is as often as it would be looked at here.
    await page.bringToFront();
    await choose(language);
    await page.waitForFunction((locale) => document.documentElement.lang === locale, localeOf(language));
    await untilSettled(page);
  };
  return Object.assign(show, { ofNextPage: choose });
}
