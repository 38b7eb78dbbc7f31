import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Profile, userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { Kysely, Transaction } from 'kysely';
import { assertPassword, holdJudged, judging } from '../accounts/judged-password.ts';
import { voidResetLinks } from '../accounts/links.store.ts';
import { askToConfirmEmail } from '../accounts/mailed-links.ts';
import { endSessionsOf } from '../accounts/sessions.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { deviceNames, deviceText } from '../http/user-agent.ts';
import { countryName } from '../map/countries.ts';
import { notify } from '../notifications/notify.ts';
import { renewSignUpCode, toldCode } from '../organisations/sign-up-codes.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  type AccountRow,
  accountForUpdate,
  accountOf,
  endSessionOf,
  organisationOf,
  sessionsOf,
  updateAccount,
} from './user-center.store.ts';

type Calls = typeof userCenterEndpoints;
type Db = Kysely<Database>;

/** Each new address gets a mail. */
const newAddresses: Rate = { kind: 'email.change', most: 10, windowMs: 86_400_000 };

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

const ownAccount = async (tx: Transaction<Database>, { actor }: CallContext): Promise<AccountRow> =>
  found(await accountForUpdate(tx, actor.accountId), 'tokenInvalid');

/** Fields of `wanted` that differ from what is there, as they were and as they become. */
function changes<T extends Readonly<Record<string, unknown>>>(there: Readonly<Record<keyof T, unknown>>, wanted: T) {
  const changed = Object.keys(wanted).filter((field) => wanted[field] !== undefined && wanted[field] !== there[field]);
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((field) => [field, from[field]]));
  return { isEmpty: changed.length === 0, before: pick(there), after: pick(wanted) };
}

async function recordChange(
  tx: Transaction<Database>,
  context: CallContext,
  action: 'user-center.edit' | 'user-center.setPreferences',
  account: AccountRow,
  change: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  await recordAudit(tx, context, {
    log: 'account',
    action,
    recordKind: 'account',
    recordId: account.id,
    recordName: account.username,
    organisationPath: await pathOfOrganisation(tx, account.organisation_id),
    before: change.before,
    after: change.after,
  });
}

const isNewAddress = (email: string, { email: there }: Pick<AccountRow, 'email'>): boolean =>
  email.toLowerCase() !== there.toLowerCase();

/**
 * Changes the profile. A new e-mail address needs the password, for whoever opens mails to it may set another one; it is
 * told to the confirmed one before it. Whether somebody else has it is not told here.
 */
export async function editInfo(
  { db }: Uses<'db'>,
  { password, ...input }: Parsed<Calls['editInfo']>,
  context: CallContext,
): Promise<Result<Calls['editInfo']>> {
  if (input.country !== '' && countryName(input.country) === input.country) throw refusedField('country', 'unknown');
  const { accountId } = context.actor;
  const there = found(await accountOf(db, accountId), 'tokenInvalid');
  if (!isNewAddress(input.email, there)) return saveInfo(db, input, context);
  return judging(accountId, async () => {
    const judged = found(await accountOf(db, accountId), 'tokenInvalid');
    await assertPassword(db, judged, { md5: password, field: 'password' });
    return saveInfo(db, input, context, judged.password_hash);
  });
}

/** A new address is saved only with the password that was judged. */
const saveInfo = (
  db: Db,
  input: Profile,
  context: CallContext,
  judgedHash?: string,
): Promise<Result<Calls['editInfo']>> =>
  db.transaction().execute(async (tx) => {
    if (judgedHash !== undefined) await holdJudged(tx, context.actor, judgedHash);
    const account = await ownAccount(tx, context);
    const change = changes(account, input);
    if (change.isEmpty) return {};
    const { name, phone, email, country, city, address, postcode, introduction, note } = input;
    const newEmail = isNewAddress(email, account);
    if (newEmail && judgedHash === undefined) throw refusedField('password', 'required');
    if (newEmail) {
      const retryAfterMs = await takeOf(tx, newAddresses, account.id);
      if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
      await notify(tx, account.id, { kind: 'emailChanged', email, address: context.address });
    }
    await updateAccount(tx, account.id, {
      ...{ name, phone, email, country, city, address, postcode, introduction, note },
      ...(newEmail && { email_confirmed_at: null }),
    });
    if (newEmail) {
      await voidResetLinks(tx, account.id);
      await askToConfirmEmail(tx, account.id, context);
    }
    await recordChange(tx, context, 'user-center.edit', account, change);
    return {};
  });

/** Changes how the portal looks and behaves. */
export function setPreferences(
  { db }: Uses<'db'>,
  input: Parsed<Calls['preferences']>,
  context: CallContext,
): Promise<Result<Calls['preferences']>> {
  const { language, theme, timeZone, units, keysGuarded } = input;
  if (typeof timeZone === 'string' && !isValidZone(timeZone)) throw refusedField('timeZone', 'unknown');
  const wanted = {
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(units !== undefined && { units }),
    ...(keysGuarded !== undefined && { keys_guarded: keysGuarded }),
  };
  return db.transaction().execute(async (tx) => {
    const account = await ownAccount(tx, context);
    const change = changes(account, wanted);
    if (change.isEmpty) return {};
    await updateAccount(tx, account.id, wanted);
    await recordChange(tx, context, 'user-center.setPreferences', account, change);
    return {};
  });
}

/** Living sessions: this one first, then the others by their last use. */
export async function sessionList(
  { db }: Uses<'db'>,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Calls['sessions']>> {
  const rows = await sessionsOf(db, actor.accountId);
  const sessions = rows.map((row) => ({
    id: row.id,
    ...deviceNames(row.user_agent),
    address: row.address,
    signedInMs: row.created_at.getTime(),
    lastSeenMs: row.last_seen_at.getTime(),
    current: row.id === actor.sessionId,
  }));
  return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) };
}

/** Ends a session; its live streams notice at once. */
export function endOneSession(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['endSession']>,
  context: CallContext,
): Promise<Result<Calls['endSession']>> {
  const { actor } = context;
  return db.transaction().execute(async (tx) => {
    const ended = found(await endSessionOf(tx, actor.accountId, id), 'sessionNotFound');
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      log: 'account',
      action: 'accounts.endSession',
      recordKind: 'session',
      recordId: id,
      recordName: deviceText(ended.user_agent),
      organisationPath: actor.organisationPath,
      before: { address: ended.address },
    });
    return {};
  });
}

export function endAllOtherSessions(
  { db }: Uses<'db'>,
  _: unknown,
  context: CallContext,
): Promise<Result<Calls['endOtherSessions']>> {
  const { actor } = context;
  return db.transaction().execute(async (tx) => {
    const others = (await sessionsOf(tx, actor.accountId)).filter(({ id }) => id !== actor.sessionId);
    if (others.length === 0) return { ended: 0 };
    await endSessionsOf(tx, [actor.accountId], 'endedElsewhere', actor.sessionId);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      log: 'account',
      action: 'accounts.endOtherSessions',
      recordKind: 'account',
      recordId: actor.accountId,
      recordName: actor.username,
      organisationPath: actor.organisationPath,
      before: { sessions: others.length },
    });
    return { ended: others.length };
  });
}

export async function signUpCodeOf(
  { db }: Uses<'db'>,
  _: unknown,
  { actor }: CallContext,
): Promise<Result<Calls['signUpCode']>> {
  const [account, organisation] = await Promise.all([
    accountOf(db, actor.accountId),
    organisationOf(db, actor.organisationID),
  ]);
  return { code: organisation.sign_up_code, canRenew: account?.leads === true };
}

/** Replaces the sign-up code of the organisation that the account leads. */
export function renewSignUpCodeOf(
  { db }: Uses<'db'>,
  _: unknown,
  context: CallContext,
): Promise<Result<Calls['renewSignUpCode']>> {
  const { actor } = context;
  return db.transaction().execute(async (tx) => {
    const account = await ownAccount(tx, context);
    if (!account.leads) throw new CallError('noPermission');
    const { name, sign_up_code: before } = await organisationOf(tx, account.organisation_id);
    const code = await renewSignUpCode(tx, account.organisation_id);
    await recordAudit(tx, context, {
      log: 'operation',
      action: 'organisations.renewSignUpCode',
      recordKind: 'organisation',
      recordId: account.organisation_id,
      recordName: name,
      organisationPath: actor.organisationPath,
      before: { signUpCode: toldCode(before) },
      after: { signUpCode: toldCode(code) },
    });
    return { code, canRenew: true };
  });
}
