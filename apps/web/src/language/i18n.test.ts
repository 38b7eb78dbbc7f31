import { loadPhrases } from '@sonnenwarte/phrases/lazy';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { globalState } from '../state/global-state.ts';
import { i18n, showLanguage, startLanguage } from './i18n.ts';

vi.mock('@sonnenwarte/phrases/lazy', () => ({ loadPhrases: vi.fn(async () => ({})), loadPhraseGroup: vi.fn() }));

const documentElement = { lang: '' };

beforeEach(() => {
  vi.stubGlobal('document', { documentElement });
  vi.stubGlobal('addEventListener', () => undefined);
});
afterEach(() => vi.unstubAllGlobals());

test('of two languages chosen in a row the later one is shown, though the texts of the first come last', async () => {
  await startLanguage();
  let slowTexts: (texts: never) => void = () => undefined;
  vi.mocked(loadPhrases).mockImplementationOnce(() => new Promise((resolve) => (slowTexts = resolve)));
  const first = showLanguage('fr');
  await showLanguage('ko');
  slowTexts({} as never);
  await first;
  expect([globalState.get().language, i18n.language, documentElement.lang]).toEqual(['ko', 'ko', 'ko']);
});
