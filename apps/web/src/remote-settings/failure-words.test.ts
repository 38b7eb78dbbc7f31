import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { failureReason, failureWords } from './failure-words.ts';

const t = ((key: string, values: Record<string, string> = {}) =>
  key === 'setting-screens.codeWords'
    ? `(${values.code}) ${values.words}`
    : key.split('.').slice(-2).join('.')) as unknown as TFunction;

const refused = (message: string) => ({ state: 'refused' as const, code: 6, message });
const LIMIT = { 'Setting/ActivePowerLimit': 'Wirkleistungsbegrenzung' };

test('the number of the device stands once, and the setting by its label, where it is not known anyway', () => {
  expect(failureWords(t, refused('Setting/ActivePowerLimit'), LIMIT)).toBe('(6) code.6');
  expect(failureReason(t, refused('Setting/ActivePowerLimit'), LIMIT)).toBe('code.6');
  const two = { ...LIMIT, 'Setting/ActivePower': 'Leistung' };
  expect(failureWords(t, refused('Setting/ActivePowerLimit'), two)).toBe('(6) code.6 · Wirkleistungsbegrenzung');
  expect(failureReason(t, refused('Setting/ActivePowerLimit: above 100'), LIMIT)).toBe(
    'code.6 · Wirkleistungsbegrenzung: above 100',
  );
});

test('what never got an answer says how it ended', () => {
  expect(failureWords(t, { state: 'timedOut', code: null, message: '' })).toBe('ended.timedOut');
  expect(failureReason(t, { state: 'expired', code: 0, message: '' })).toBe('ended.expired');
});
