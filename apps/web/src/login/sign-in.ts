import { info, language as languageCall, login } from '@sonnenwarte/contract/accounts/accounts';
import { homeOf } from '@sonnenwarte/contract/routes';
import { call } from '../client/call.ts';
import { md5Hex } from '../client/headers.ts';
import { showLanguage } from '../language/i18n.ts';
import { go } from '../router/navigation.ts';
import { globalState } from '../state/global-state.ts';
import { keepLoginInfo, startSession } from '../state/session.ts';

/** Signs in and leads home, or to where a temporary password is changed. Throws what `call` throws; nobody has been told. */
export async function signIn(user: string, password: string): Promise<void> {
  const chosen = globalState.get().language;
  const { token, access, passwordTemporary } = await call(login, { user, password: md5Hex(password) }, { quiet: true });
  startSession(token, access);
  go(passwordTemporary ? '/changePassword' : homeOf(access), {}, { replace: true });
  const account = await call(info, {});
  keepLoginInfo({ username: account.user, email: account.email, phone: account.phone });
  if (account.language === null) await call(languageCall, { language: chosen }, { quiet: true });
  else if (account.language !== chosen && !languageWasChosen) await showLanguage(account.language);
  else if (account.language !== chosen) await call(languageCall, { language: chosen }, { quiet: true });
}

let languageWasChosen = false;

/** A language chosen on the sign-in page counts more than the one that the account remembers. */
export const noteLanguageChoice = (): void => {
  languageWasChosen = true;
};
