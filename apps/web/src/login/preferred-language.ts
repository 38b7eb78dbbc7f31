import { type Language, languages } from '@sonnenwarte/contract/languages';

const baseOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** The first of a browser's languages that the portal has; Chinese is written in simplified signs whatever the region. */
export function preferredLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const found = languages.find((language) => baseOf(language) === baseOf(tag));
    if (found) return found;
  }
  return undefined;
}
