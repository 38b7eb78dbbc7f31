import { FALLBACK_LANGUAGE, type Language } from '@sonnenwarte/contract/languages';
import { errorTexts } from '../language/texts.ts';
import { type ErrorTable, globalState } from '../state/global-state.ts';

export function textFrom(table: ErrorTable, errno: number, language: Language): string | undefined {
  return table[language]?.[errno] ?? table[FALLBACK_LANGUAGE]?.[errno];
}

/** Adds the built-in texts where the server's table lacks the number, most often because it could not be read. */
export async function fetchErrorText(errno: number, language: Language): Promise<void> {
  if (textFrom(globalState.get().errorMessages, errno, language) !== undefined) return;
  try {
    const [own, fallback] = await Promise.all([errorTexts(language), errorTexts(FALLBACK_LANGUAGE)]);
    globalState.set(({ errorMessages: table }) => ({
      errorMessages: {
        ...table,
        [FALLBACK_LANGUAGE]: { ...fallback, ...table[FALLBACK_LANGUAGE] },
        [language]: { ...own, ...table[language] },
      },
    }));
  } catch {
    // Without a network there is what the answer itself said.
  }
}
