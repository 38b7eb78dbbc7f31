import { features, textsOf } from './check.ts';

/** German and English side by side, tab-separated, one line per text: what a proof-reader reads. */
export const sheet = (): string =>
  features()
    .flatMap((feature) => {
      const german = textsOf(feature, 'de') ?? new Map<string, string>();
      const english = textsOf(feature, 'en') ?? new Map<string, string>();
      const keys = [...new Set([...english.keys(), ...german.keys()])];
      return keys.map((key) => [`${feature}.${key}`, german.get(key) ?? '', english.get(key) ?? ''].join('\t'));
    })
    .join('\n');

if (import.meta.main) process.stdout.write(`${sheet()}\n`);
