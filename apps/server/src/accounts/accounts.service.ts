import type { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { isLanguage } from '@sonnenwarte/contract/languages';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { countryName } from '../map/countries.ts';
import type { Uses } from '../services.ts';
import { accountById, heldLanguage, setLanguage } from './accounts.store.ts';
import { askToConfirmEmail } from './mailed-links.ts';
import { endSession } from './sessions.ts';

/** What the signed-in account is. */
export async function accountInfo({ db }: Uses<'db'>, _: unknown, { actor }: CallContext): Promise<UserInfo> {
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
}

export async function changeLanguage(
  { db }: Uses<'db'>,
  { language }: Parsed<typeof accountEndpoints.language>,
  context: CallContext,
): Promise<void> {
  const { accountId, username, organisationPath } = context.actor;
  await db.transaction().execute(async (tx) => {
    const before = await heldLanguage(tx, accountId);
    if (before === language) return;
    await setLanguage(tx, accountId, language);
    await recordAudit(tx, context, {
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

export async function signOut({ db }: Uses<'db'>, _: unknown, context: CallContext): Promise<void> {
  const { actor, token } = context;
  await db.transaction().execute(async (tx) => {
    await endSession(tx, token);
    const accountId = actor.viewAs?.byAccountId ?? actor.accountId;
    await recordAudit(tx, context, {
      log: 'account',
      action: 'accounts.signOut',
      recordKind: 'account',
      recordId: accountId,
      recordName: actor.viewAs?.byUsername ?? actor.username,
      organisationPath: await pathOfOrganisation(tx, actor.organisationID),
    });
  });
}

export const askAgainToConfirm = ({ db }: Uses<'db'>, _: unknown, { actor, ...from }: CallContext): Promise<void> =>
  askToConfirmEmail(db, actor.accountId, from);
