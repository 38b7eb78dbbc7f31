import { info, language as languageCall, login } from '@sonnenwarte/contract/accounts/own-account';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { call } from '../client/call.ts';
import { handOn } from '../client/handed-on.ts';
import { md5Hex } from '../client/headers.ts';
import { showMessage } from '../client/reporting.ts';
import { i18n, showLanguage } from '../language/i18n.ts';
import { go } from '../router/navigation.ts';
import { startOf } from '../router/wanted.ts';
import { globalState } from '../state/global-state.ts';
import { keptPlaceOf } from '../state/kept-place.ts';
import { keepLoginInfo, startSession, tokenOf } from '../state/session.ts';

let languageWasChosen = false;

/** A language chosen on the sign-in page counts more than the one that the account remembers. */
export const noteLanguageChoice = (): void => {
  languageWasChosen = true;
};

/** Signs in and leads home, to the address that somebody came with, or to where a temporary password is changed. Throws what `call(login)` throws; nobody has been told. */
export async function signIn(user: string, password: string): Promise<void> {
  const { token, access, passwordTemporary } = await call(login, { user, password: md5Hex(password) }, { quiet: true });
  const chosen = languageWasChosen;
  languageWasChosen = false;
  const kept = keptPlaceOf(user);
  startSession(token, access, kept && { tabs: kept.tabs, drafts: kept.drafts });
  const account = call(info, {});
  if (!passwordTemporary) handOn(info.path, {}, account);
  go(passwordTemporary ? '/changePassword' : startOf(access, kept?.address), {}, { replace: true });
  if (kept && !passwordTemporary) showMessage({ id: 'continued', text: i18n.t('shell.continued'), color: 'brand' });
  // The session stands by now: what fails from here on must not send anybody back to the sign-in page.
  await learnAccount(account, token, chosen).catch(() => undefined);
}

/** Keeps who has signed in, and brings the language of account and portal together. */
async function learnAccount(
  asked: Promise<Result<typeof info>>,
  token: string,
  languageIsChosen: boolean,
): Promise<void> {
  const { language } = globalState.get();
  const account = await asked;
  if (tokenOf() !== token) return;
  keepLoginInfo({ username: account.user, email: account.email, phone: account.phone });
  if (account.language === language || globalState.get().language !== language) return;
  if (account.language === null || languageIsChosen) await call(languageCall, { language }, { quiet: true });
  else await showLanguage(account.language);
}
