import type { Language } from '@sonnenwarte/contract/languages';
import type { BrowserContext } from 'playwright-core';

/** Whether a file of the portal holds texts. */
export const isTexts = (path: string): boolean => /^\/assets\/texts-[^/]+\/\w+\/[\w-]+\.json$/.test(path);

type Texts = Readonly<Record<string, unknown>>;

/**
 * Has the portal show other texts in the place of a language: `change` gets those of each feature. Done in the page, since a
 * browser whose requests are routed keeps nothing in its cache.
 */
export async function changeTexts(
  context: BrowserContext,
  language: Language,
  change: (feature: string, texts: unknown) => unknown,
): Promise<void> {
  const changed = `textsOf_${language}`;
  await context.exposeFunction(changed, (texts: Texts) =>
    Object.fromEntries(Object.entries(texts).map(([feature, each]) => [feature, change(feature, each)])),
  );
  await context.addInitScript(
    ({ changed, language }) => {
      const page = globalThis as unknown as Record<string, (texts: unknown) => Promise<unknown>> & {
        textsUnderWay?: Promise<unknown>;
      };
      const { fetch } = globalThis;
      const isOfLanguage = new RegExp(`/assets/texts-[^/]+/${language}/[^/]+\\.json$`);
      globalThis.fetch = async (input, init) => {
        const answer = await fetch(input, init);
        if (!answer.ok || !isOfLanguage.test(answer.url)) return answer;
        const texts = answer.json().then((real) => page[changed]?.(real));
        page.textsUnderWay = Promise.allSettled([page.textsUnderWay, texts]);
        return Response.json(await texts);
      };
    },
    { changed, language },
  );
}
