import { expect, test } from 'vitest';
import { languageOfCountry } from './customer-language.ts';

test.each([
  ['DE', 'de'],
  ['AT', 'de'],
  ['PL', 'pl'],
  ['CZ', 'cs'],
  ['RO', 'ro'],
  ['BR', 'pt'],
  ['MX', 'es'],
  ['KR', 'ko'],
  ['CN', 'zh_CN'],
  ['GB', 'en'],
])('customers in %s are greeted in %s', (country, language) => {
  expect(languageOfCountry(country)).toBe(language);
});

test('a country whose language the portal does not have, or none, decides nothing', () => {
  expect(languageOfCountry('NL')).toBeUndefined();
  expect(languageOfCountry('')).toBeUndefined();
});
