import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@sonnenwarte/contract/languages';
import type { BrowserContext } from 'playwright-core';
import { repositoryRoot } from './portal.ts';

/** Whether a file of the portal holds texts. */
export const isTexts = (path: string): boolean => /^\/assets\/texts-[^/]+\/\w+\/[\w-]+\.json$/.test(path);

type Texts = Readonly<Record<string, unknown>>;

/** Has the portal show other texts in the place of a language: `change` gets those of each feature. */
export async function changeTexts(
  context: BrowserContext,
  language: Language,
  change: (feature: string, texts: unknown) => unknown,
): Promise<void> {
  const isOfLanguage = ({ pathname }: URL) => isTexts(pathname) && pathname.includes(`/${language}/`);
  await context.route(isOfLanguage, (route) => {
    const { pathname } = new URL(route.request().url());
    const texts: Texts = JSON.parse(readFileSync(join(repositoryRoot, 'apps/web/dist', pathname), 'utf8'));
    return route.fulfill({
      json: Object.fromEntries(Object.entries(texts).map(([feature, each]) => [feature, change(feature, each)])),
    });
  });
}
