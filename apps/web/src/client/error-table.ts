import { FALLBACK_LANGUAGE, type Language } from '@sonnenwarte/contract/languages';
import { loadErrorTexts } from '@sonnenwarte/phrases/lazy';
import { type ErrorTable, globalState } from '../state/global-state.ts';

export function textFrom(table: ErrorTable, errno: number, language: Language): string | undefined {
  return table[language]?.[errno] ?? table[FALLBACK_LANGUAGE]?.[errno];
}

/** Text of an error number: the server's table, else the built-in texts, else what the answer said. */
export async function errorText(errno: number, language: Language, otherwise: string): Promise<string> {
  const known = textFrom(globalState.get().errorMessages, errno, language);
  if (known !== undefined) return known;
  try {
    const [own, fallback] = await Promise.all([loadErrorTexts(language), loadErrorTexts(FALLBACK_LANGUAGE)]);
    return own[errno] ?? fallback[errno] ?? otherwise;
  } catch {
    return otherwise;
  }
}
