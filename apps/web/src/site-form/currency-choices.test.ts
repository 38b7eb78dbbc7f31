import { expect, test } from 'vitest';
import { currencyChoices } from './currency-choices.ts';

test('currencies stand once, by their names, in the order of the language', () => {
  expect(currencyChoices(['PLN', '', 'EUR', 'CHF', 'EUR'], 'de')).toEqual([
    { value: 'EUR', label: 'Euro (EUR)' },
    { value: 'PLN', label: 'Polnischer Złoty (PLN)' },
    { value: 'CHF', label: 'Schweizer Franken (CHF)' },
  ]);
});

test('a currency that has no name in the language keeps its code', () => {
  expect(currencyChoices(['X', 'QQQ'], 'de').map(({ label }) => label)).toEqual(['QQQ', 'X']);
});
