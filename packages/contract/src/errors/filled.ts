import { type Language, localeOf } from '../languages.ts';

/** The text of an error number with what its answer says in place of `{{name}}`. */
export const filledError = (text: string, result: unknown, language: Language): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = typeof result === 'object' && result !== null ? (result as Record<string, unknown>)[name] : undefined;
    if (typeof value === 'number') return value.toLocaleString(localeOf(language), { useGrouping: 'min2' });
    return typeof value === 'string' ? value : placeholder;
  });
