import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { globalState } from '../state/global-state.ts';
import { i18n, showLanguage, startLanguage } from './i18n.ts';
import { fetchTexts, hasTexts } from './text-sets.ts';
import { textsOfSet } from './texts.ts';

vi.mock('./texts.ts', () => ({ hasSet: (set: string) => set !== 'none', textsOfSet: vi.fn(async () => ({})) }));

const documentElement = { lang: '' };
const asked = () => vi.mocked(textsOfSet).mock.calls.map(([set, language]) => `${language}/${set}`);

/** The next texts that are asked for come when this is called. */
function slowly(): () => void {
  let come: (texts: object) => void = () => undefined;
  vi.mocked(textsOfSet).mockImplementationOnce(() => new Promise((resolve) => (come = resolve)));
  return () => come({});
}

const stub = () => {
  vi.stubGlobal('document', { documentElement });
  vi.stubGlobal('addEventListener', () => undefined);
};
beforeAll(async () => {
  stub();
  await startLanguage('entry');
});
beforeEach(() => {
  stub();
  vi.mocked(textsOfSet).mockClear();
});
afterEach(() => vi.unstubAllGlobals());

test('of two languages chosen in a row the later one is shown, though the texts of the first come last', async () => {
  const come = slowly();
  const first = showLanguage('fr');
  await showLanguage('ko');
  come();
  await first;
  expect([globalState.get().language, i18n.language, documentElement.lang]).toEqual(['ko', 'ko', 'ko']);
});

test('a language that is chosen brings the texts of all that has been opened, each asked for once', async () => {
  await fetchTexts('members');
  await fetchTexts('members');
  expect(asked()).toEqual(['ko/members']);
  await showLanguage('pl');
  expect(asked().sort()).toEqual(['ko/members', 'pl/entry', 'pl/members']);
  await showLanguage('ko');
  expect(asked()).toHaveLength(3);
});

test('a language is shown only once it has the texts of what was opened while it came', async () => {
  const come = slowly();
  const shown = showLanguage('it');
  await fetchTexts('audit');
  come();
  await shown;
  expect([i18n.language, hasTexts('audit'), hasTexts('members')]).toEqual(['it', true, true]);
});

test('texts that did not come are asked for again; a screen without texts of its own asks for none', async () => {
  vi.mocked(textsOfSet).mockRejectedValueOnce(new Error('away'));
  await expect(fetchTexts('setup')).rejects.toThrow('away');
  expect(hasTexts('setup')).toBe(false);
  await fetchTexts('setup');
  await fetchTexts('none');
  expect([hasTexts('setup'), hasTexts('none'), asked()]).toEqual([true, true, ['it/setup', 'it/setup']]);
});
