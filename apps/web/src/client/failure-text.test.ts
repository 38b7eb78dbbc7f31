import type { Language } from '@sonnenwarte/contract/languages';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '../language/i18n.ts';
import { globalState } from '../state/global-state.ts';
import { allTexts } from '../testing/all-texts.ts';
import { fetchErrorText } from './error-table.ts';
import { failureText, failureTextNow } from './failure-text.ts';
import { ApiError, NetworkError, StatusError } from './failures.ts';
import { connectOutlets, report } from './reporting.ts';

vi.mock('../language/texts.ts', () => ({ errorTexts: async (language: Language) => allTexts(language).errors }));

const show = vi.fn();

beforeAll(async () => {
  await i18n.init({ lng: 'en', resources: { en: { translation: allTexts('en') } } });
});
beforeEach(() => {
  globalState.set({ errorMessages: {}, language: 'de' });
  connectOutlets({ show, go: vi.fn(), textOf: failureTextNow });
  show.mockClear();
});

const inPlace = (failure: unknown): string => failureText(failure, globalState.get().errorMessages, 'de');

test('maintenance is said in the words of the specification, in place too', () => {
  expect(inPlace(new ApiError(30_000, 'raw', null))).toBe('Waiting for update service resources');
});

test('without the table of the server, the built-in texts are said in place, not those of the answer', async () => {
  const failure = new ApiError(41_811, 'raw', null);
  expect(inPlace(failure)).toBe('41811-raw');
  await fetchErrorText(41_811, 'de');
  expect(inPlace(failure)).toBe(`41811-${allTexts('de').errors[41_811]}`);
});

test('what an answer says of a failure stands in its text, numbers as the language writes them', async () => {
  await fetchErrorText(42_312, 'de');
  expect(inPlace(new ApiError(42_312, 'raw', { maximum: 100_000 }))).toContain('mehr als 100.000 Zeilen');
  expect(inPlace(new ApiError(42_571, 'raw', { sn: 'HX-1', number: 7 }))).toMatch(/HX-1.*7/);
});

test('the table of the server goes before the built-in texts', async () => {
  globalState.set({ errorMessages: { de: { 41811: 'own words' } } });
  await fetchErrorText(41_201, 'de');
  expect(inPlace(new ApiError(41_811, 'raw', null))).toBe('41811-own words');
});

test.each([
  new ApiError(30_000, 'raw', null),
  new ApiError(41_811, 'raw', null),
  new ApiError(99_999, 'raw', null),
  new NetworkError(true),
  new NetworkError(false),
  new StatusError(404, 'Not Found'),
  new StatusError(405, ''),
])('%s is said in the same words in a message and in place', async (failure) => {
  await report(failure);
  expect(show.mock.calls).toEqual([[expect.objectContaining({ text: inPlace(failure) })]]);
});

test('what has no words of its own is told by its status, or as something gone wrong', () => {
  expect(inPlace(new StatusError(500, ''))).toBe('status:500');
  expect(inPlace(new Error('x'))).toBe(i18n.t('common.somethingWentWrong'));
});
