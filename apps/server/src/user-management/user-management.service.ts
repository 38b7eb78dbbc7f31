import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { isLevel, type Level } from '@sonnenwarte/contract/levels';
import type { Consequences } from '@sonnenwarte/contract/organisations/organisations';
import type { AccountRow, userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { setPassword } from '../accounts/accounts.store.ts';
import { voidResetLinks } from '../accounts/links.store.ts';
import { askToConfirmEmail } from '../accounts/mailed-links.ts';
import { endProgramAccess } from '../accounts/program-access.ts';
import { endSessionsOf } from '../accounts/sessions.ts';
import { newTemporaryPassword } from '../accounts/temporary-passwords.ts';
import { type AuditEntry, recordAudit, recordAudits } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { accountConsequences, type Removal, removeAccount } from '../deletions/account-removal.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { keepAnAdministrator } from '../deletions/last-administrator.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { refuseUnexpected } from '../organisations/organisations.service.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { type Abilities, abilitiesOn, levelsToAdd } from './abilities.ts';
import {
  type AccountListRow,
  accountRow,
  type HeldAccount,
  holdAccount,
  listAccounts,
  updateAccount,
} from './user-management.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Users = typeof userManagementEndpoints;

const levelOf = (level: number): Level => {
  if (!isLevel(level)) throw new Error(`an account has level ${level}`);
  return level;
};

const toRow = (row: AccountListRow, actor: Actor): AccountRow => ({
  id: row.id,
  user: row.username,
  name: row.name,
  email: row.email,
  phone: row.phone,
  level: levelOf(row.level),
  leads: row.leads,
  organisationID: row.organisation_id,
  organisation: row.organisation,
  country: row.country,
  sites: row.sites,
  state: row.disabled_at === null ? 'enabled' : 'disabled',
  organisationDisabled: row.organisation_disabled_at !== null && row.level !== 1,
  passwordTemporary: row.password_temporary,
  lastSignInMs: row.last_sign_in_at?.getTime() ?? null,
  createdAtMs: row.created_at.getTime(),
  can: abilitiesOn(actor, row),
});

/** A page of accounts. */
export const accountList = async ({ db }: Uses<'db'>, input: Asked<Users['list']>, { scope, actor }: CallContext) => ({
  ...toRows(await listAccounts(db, scope, input), (row) => toRow(row, actor)),
  can: { add: levelsToAdd(actor) },
});

export async function accountOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Users['detail']>,
  { scope, actor }: CallContext,
): Promise<Result<Users['detail']>> {
  const row = found(await accountRow(db, scope, id), 'accountNotFound');
  const { city, address, postcode, note } = row;
  return { ...toRow(row, actor), city, address, postcode, note };
}

const entryOf = (
  action: AuditEntry['action'],
  { id, username, path }: Pick<HeldAccount, 'id' | 'username' | 'path'>,
): Omit<AuditEntry, 'before' | 'after'> => ({
  log: 'account',
  action,
  recordKind: 'account',
  recordId: id,
  recordName: username,
  organisationPath: path,
});

/** A change of one account by somebody who may: its row is locked first, the audit entry comes last. */
const changing = <T>(
  db: Db,
  { scope, actor }: CallContext,
  id: string,
  ability: keyof Abilities,
  change: (tx: Tx, held: HeldAccount) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (tx) => {
    const held = found(await holdAccount(tx, scope, id), 'accountNotFound');
    if (!abilitiesOn(actor, held)[ability]) throw new CallError('notToThisAccount');
    return change(tx, held);
  });

export async function editAccount(
  { db }: Uses<'db'>,
  { id, name, email, phone, country, city, address, postcode, note }: Parsed<Users['edit']>,
  context: CallContext,
): Promise<Result<Users['edit']>> {
  await changing(db, context, id, 'edit', async (tx, held) => {
    const fields = { name, email, phone, country, city, address, postcode, note };
    const changes = changedFieldsOf(held, fields);
    if (changes === undefined) return;
    const isNewAddress = email !== held.email;
    await updateAccount(tx, id, { ...fields, ...(isNewAddress && { email_confirmed_at: null }) });
    if (isNewAddress) {
      await voidResetLinks(tx, id);
      await askToConfirmEmail(tx, id, context);
    }
    await recordAudit(tx, context, { ...entryOf('user-management.edit', held), ...changes });
  });
  return {};
}

export async function setAccountEnabled(
  { db }: Uses<'db'>,
  { id, enabled }: Parsed<Users['setEnabled']>,
  context: CallContext,
): Promise<Result<Users['setEnabled']>> {
  await changing(db, context, id, 'setEnabled', async (tx, held) => {
    if ((held.disabled_at === null) === enabled) return;
    if (!enabled) await keepAnAdministrator(tx, held);
    await updateAccount(tx, id, { disabled_at: enabled ? null : new Date() });
    if (!enabled) await endSessionsOf(tx, [id], 'accountDisabled');
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entryOf(enabled ? 'user-management.enable' : 'user-management.disable', held),
      before: { state: enabled ? 'disabled' : 'enabled' },
      after: { state: enabled ? 'enabled' : 'disabled' },
    });
  });
  return {};
}

export async function resetAccountPassword(
  { db }: Uses<'db'>,
  { id }: Parsed<Users['resetPassword']>,
  context: CallContext,
): Promise<Result<Users['resetPassword']>> {
  const row = found(await accountRow(db, context.scope, id), 'accountNotFound');
  if (!abilitiesOn(context.actor, row).resetPassword) throw new CallError('notToThisAccount');
  const { password, hash } = await newTemporaryPassword();
  return changing(db, context, id, 'resetPassword', async (tx, held) => {
    await setPassword(tx, id, hash, { temporary: true });
    await endSessionsOf(tx, [id], 'passwordReset');
    await tenancyChanged(tx);
    const owner = { id, username: held.username, organisationPath: held.path };
    await recordAudits(tx, context, [
      entryOf('user-management.resetPassword', held),
      ...(await endProgramAccess(tx, owner)),
    ]);
    return { user: held.username, password };
  });
}

export async function previewAccountDeletion(
  { db }: Uses<'db'>,
  { id }: Parsed<Users['deletionPreview']>,
  { scope, actor }: CallContext,
): Promise<Consequences> {
  const row = found(await accountRow(db, scope, id), 'accountNotFound');
  if (!abilitiesOn(actor, row).delete) throw new CallError('notToThisAccount');
  const { hindrance: _, hindering: __, ...consequences } = await accountConsequences(db, id);
  return consequences;
}

const removalRefusals = {
  organisationsBelow: 'organisationNotEmpty',
  membersBelow: 'organisationNotEmpty',
  lastAdministrator: 'lastAdministrator',
} as const satisfies Removal['refusals'];

export function deleteAccount(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id, expected }: Parsed<Users['remove']>,
  context: CallContext,
): Promise<Result<Users['remove']>> {
  const now = nowMs();
  return changing(db, context, id, 'delete', async (tx, held) => {
    const removed = await removeAccount(tx, id, {
      because: 'accountDeleted',
      at: new Date(now),
      refusals: removalRefusals,
    });
    refuseUnexpected(expected, { sites: 0, ...removed });
    const { kind, recordName, organisationPath, change, movedSites, endUsers } = removed;
    const recorded = await recordDeletion(
      tx,
      context,
      { kind, recordId: id, recordName, organisationPath, change },
      now,
    );
    await recordAudit(tx, context, {
      ...entryOf('user-management.delete', held),
      before: { level: held.level, sites: movedSites, endUsers },
    });
    return recorded;
  });
}
