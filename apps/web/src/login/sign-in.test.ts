import { LEVEL } from '@sonnenwarte/contract/levels';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureTextNow } from '../client/failure-text.ts';
import { ApiError } from '../client/failures.ts';
import { connectOutlets } from '../client/reporting.ts';
import { showLanguage } from '../language/i18n.ts';
import { connectNavigation } from '../router/navigation.ts';
import { globalState } from '../state/global-state.ts';
import { readLoginInfo, tokenOf } from '../state/session.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { noteLanguageChoice, signIn } from './sign-in.ts';

vi.mock('../language/i18n.ts', async () => {
  const { globalState } = await import('../state/global-state.ts');
  return { i18n: { t: String }, showLanguage: vi.fn(async (language: 'en') => globalState.set({ language })) };
});

const path = { login: '/c/v0/user/login', info: '/c/v0/user/info', language: '/c/v0/user/language' };
const account = { user: 'anna', email: 'a@b.de', phone: '', language: 'fr' as string | null };
const ok = (result: unknown) => ({ errno: 0, msg: '', result });
const broken = { errno: 50_000, msg: 'x', result: null };
const asked = vi.fn();
let answers: Record<string, unknown>;
const go = vi.fn();

beforeEach(() => {
  vi.stubGlobal('history', { state: null });
  vi.stubGlobal('localStorage', memoryStorage());
  vi.stubGlobal('sessionStorage', memoryStorage());
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    asked(url, body);
    return new Response(JSON.stringify(answers[url]));
  });
  answers = {
    [path.login]: ok({ token: 't', access: LEVEL.endUser, user: 'anna', expiresAtMs: 1, passwordTemporary: false }),
    [path.info]: ok(account),
    [path.language]: ok({}),
  };
  globalState.set({ language: 'en' });
  connectNavigation(go);
  connectOutlets({ show: () => undefined, go: () => undefined, textOf: failureTextNow });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const languagesSaved = () => asked.mock.calls.filter(([url]) => url === path.language).map(([, body]) => body);

describe('the language of the account', () => {
  test('is shown after signing in', async () => {
    await signIn('anna', 'x');
    expect([globalState.get().language, languagesSaved()]).toEqual(['fr', []]);
  });

  test('is set to the one that was chosen on the sign-in page', async () => {
    noteLanguageChoice();
    await signIn('anna', 'x');
    expect([globalState.get().language, languagesSaved()]).toEqual(['en', ['{"language":"en"}']]);
  });

  test('is not touched by what somebody chose who signed in before', async () => {
    noteLanguageChoice();
    await signIn('anna', 'x');
    asked.mockClear();
    await signIn('bert', 'x');
    expect([globalState.get().language, languagesSaved()]).toEqual(['fr', []]);
  });

  test('follows a choice made before a password that was refused', async () => {
    noteLanguageChoice();
    const right = answers[path.login];
    answers[path.login] = broken;
    await expect(signIn('anna', 'y')).rejects.toBeInstanceOf(ApiError);
    answers[path.login] = right;
    await signIn('anna', 'x');
    expect(languagesSaved()).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('throws where it was refused, and begins no session', async () => {
    answers[path.login] = broken;
    await expect(signIn('anna', 'y')).rejects.toBeInstanceOf(ApiError);
    expect([tokenOf(), go.mock.calls]).toEqual(['', []]);
  });

  test.each(['info', 'language'] as const)('stands, though the call %s fails after it', async (name) => {
    answers[path.info] = ok({ ...account, language: null });
    answers[path[name]] = broken;
    await signIn('anna', 'x');
    expect(tokenOf()).toBe('t');
    expect(go).toHaveBeenCalledTimes(1);
  });

  test('stands, though the texts of the language do not come', async () => {
    vi.mocked(showLanguage).mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await signIn('anna', 'x');
    expect([tokenOf(), readLoginInfo()?.username]).toEqual(['t', 'anna']);
  });
});
