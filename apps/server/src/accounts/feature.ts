import { accountEndpoints, type UserInfo } from '@sonnenwarte/contract/accounts/accounts';
import { isLanguage, type Language } from '@sonnenwarte/contract/languages';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import { type Api, type CallContext, serve } from '../http/serve.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { countryName } from '../map/countries.ts';
import type { Database } from '../stores/schema.ts';
import { accountById, heldLanguage, setLanguage } from './accounts.store.ts';
import { forgetOldAttempts } from './attempts.store.ts';
import { forgetOldNetworks } from './known-networks.store.ts';
import { forgetOldLinks } from './links.store.ts';
import { askForReset, askToConfirmEmail, confirmEmail, mailLinks, resetPassword } from './mailed-links.ts';
import { changeOwnPassword } from './own-password.ts';
import { RefusedSignIns } from './refused-sign-ins.ts';
import { endSession, forgetOldSessions } from './sessions.ts';
import { setUpAccount, setUpState } from './set-up.ts';
import { SignIns } from './sign-in.ts';

interface AccountsFeature {
  readonly db: Kysely<Database>;
  readonly jobs: Jobs;
  readonly logger: Pick<Logger, 'error'>;
  /** Where people reach the portal. */
  readonly publicUrl: () => string;
}

/** Signing in and out, passwords, the signed-in account, and the portal's first account. */
export function accountsFeature(api: Api, { db, jobs, logger, publicUrl }: AccountsFeature): void {
  const refused = new RefusedSignIns(db, logger);
  const signIns = new SignIns(db, refused);
  api.fastify.addHook('onClose', () => refused.flush());
  mailLinks(jobs, db, publicUrl);
  jobs.every('accounts.forgetAttempts', '23 * * * *', async () => {
    await forgetOldAttempts(db);
    await forgetOldLinks(db);
  });
  jobs.every('accounts.forgetSessions', '41 2 * * *', async () => {
    await forgetOldSessions(db);
    await forgetOldNetworks(db);
  });

  serve(api, accountEndpoints.login, (input, from) => signIns.signIn(input, from));

  serve(api, accountEndpoints.logout, async (_, from) => {
    await signOut(db, from);
    return {};
  });

  serve(api, accountEndpoints.changePassword, async (input, from) => {
    await changeOwnPassword(db, input, from);
    return {};
  });

  serve(api, accountEndpoints.forgotPassword, async (input, from) => {
    await askForReset(db, input, from);
    return {};
  });

  serve(api, accountEndpoints.resetPassword, (input, from) => resetPassword(db, input, from));

  serve(api, accountEndpoints.confirmEmail, async (input, from) => {
    await confirmEmail(db, input, from);
    return {};
  });

  serve(api, accountEndpoints.accessLevel, async (_, { actor }) => ({ access: actor.level }));

  serve(api, accountEndpoints.info, async (_, { actor }): Promise<UserInfo> => {
    const account = found(await accountById(db, actor.accountId), 'tokenInvalid');
    return {
      user: account.username,
      name: account.name,
      phone: account.phone,
      email: account.email,
      emailConfirmed: account.email_confirmed_at !== null,
      country: account.country,
      countryName: countryName(account.country),
      city: account.city,
      address: account.address,
      postcode: account.postcode,
      introduction: account.introduction,
      note: account.note,
      clientID: account.client_id,
      apiMqttEnable: account.api_mqtt_enable,
      access: actor.level,
      organisation: account.organisation,
      language: isLanguage(account.language) ? account.language : null,
      theme: account.theme,
      timeZone: account.time_zone,
      units: account.units,
      keysGuarded: account.keys_guarded,
      passwordTemporary: account.password_temporary,
      demo: account.demo,
    };
  });

  serve(api, accountEndpoints.language, async ({ language }, from) => {
    await changeLanguage(db, language, from);
    return {};
  });

  serve(api, accountEndpoints.askToConfirm, async (_, { actor, language }) => {
    await askToConfirmEmail(db, actor.accountId, language);
    return {};
  });

  serve(api, accountEndpoints.setUpState, () => setUpState(db));

  serve(api, accountEndpoints.setUp, async (input, from) => {
    if (!(await setUpState(db)).needed) throw new CallError('setUpLinkInvalid');
    await setUpAccount(db, input, from);
    return {};
  });
}

async function changeLanguage(db: Kysely<Database>, language: Language, from: CallContext): Promise<void> {
  const { accountId, username, organisationPath } = from.actor;
  await db.transaction().execute(async (tx) => {
    const before = await heldLanguage(tx, accountId);
    if (before === language) return;
    await setLanguage(tx, accountId, language);
    await recordAudit(tx, from, {
      log: 'account',
      action: 'accounts.setLanguage',
      recordKind: 'account',
      recordId: accountId,
      recordName: username,
      organisationPath,
      before: { language: before },
      after: { language },
    });
  });
}

async function signOut(db: Kysely<Database>, from: CallContext): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endSession(tx, from.token);
    const { actor } = from;
    const accountId = actor.viewAs?.byAccountId ?? actor.accountId;
    await recordAudit(tx, from, {
      log: 'account',
      action: 'accounts.signOut',
      recordKind: 'account',
      recordId: accountId,
      recordName: actor.viewAs?.byUsername ?? actor.username,
      organisationPath: await pathOfOrganisation(tx, actor.organisationId),
    });
  });
}
