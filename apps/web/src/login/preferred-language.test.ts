import { languages } from '@sonnenwarte/contract/languages';
import { expect, test } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

test.each(languages)('a browser that prefers %s is offered it, whatever the region', (language) => {
  const tag = language.replace('_', '-');
  expect(preferredLanguage([tag, 'en'])).toBe(language);
  expect(preferredLanguage([tag.slice(0, 2)])).toBe(language);
});

test('the first that the portal has counts, and none is offered where it has none', () => {
  expect(preferredLanguage(['sv-SE', 'pt-BR', 'en-US'])).toBe('pt');
  expect(preferredLanguage(['sv', 'fi'])).toBeUndefined();
  expect(preferredLanguage([])).toBeUndefined();
});
