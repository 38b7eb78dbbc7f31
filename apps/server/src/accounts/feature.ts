import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { forgetOldAttempts } from '../attempts/attempts.store.ts';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { accountInfo, askAgainToConfirm, changeLanguage, signOut } from './accounts.service.ts';
import { forgetOldNetworks } from './known-networks.store.ts';
import { forgetOldLinks } from './links.store.ts';
import { askForReset, confirmEmail, mailLinks, resetPassword } from './mailed-links.ts';
import { changeOwnPassword } from './own-password.ts';
import { RefusedSignIns } from './refused-sign-ins.ts';
import { forgetOldSessions } from './sessions.ts';
import { setUpAccount, setUpState } from './set-up.ts';
import { SignIns } from './sign-in.ts';

/** Signing in and out, passwords, the signed-in account, and the portal's first account. */
export const feature = featureOf(
  accountEndpoints,
  {
    login: ({ signIns }, input, context) => signIns.signIn(input, context),
    logout: signOut,
    changePassword: changeOwnPassword,
    forgotPassword: askForReset,
    resetPassword,
    confirmEmail,
    accessLevel: async (_, __, { actor }) => ({ access: actor.level }),
    info: accountInfo,
    language: changeLanguage,
    askToConfirm: askAgainToConfirm,
    setUpState,
    setUp: setUpAccount,
  },
  start,
);

function start({ db, jobs, logger, publicUrl }: Uses<'db' | 'jobs' | 'logger' | 'publicUrl'>, { fastify }: Api) {
  const refused = new RefusedSignIns(db, logger);
  fastify.addHook('onClose', () => refused.flush());
  mailLinks(jobs, db, publicUrl);
  jobs.every('accounts.forgetAttempts', '23 * * * *', async () => {
    await forgetOldAttempts(db);
    await forgetOldLinks(db);
  });
  jobs.every('accounts.forgetSessions', '41 2 * * *', async () => {
    await forgetOldSessions(db);
    await forgetOldNetworks(db);
  });
  return { signIns: new SignIns(db, refused) };
}
