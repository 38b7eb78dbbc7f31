import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import {
  type Consequences,
  newKinds,
  type OrganisationKind,
  type OrganisationRow,
  type organisationEndpoints,
} from '@sonnenwarte/contract/organisations/organisations';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { codesOfLevel } from '../access/codes.ts';
import type { Scope } from '../access/scope.ts';
import { insertAccount } from '../accounts/new-account.ts';
import { endSessionsOf } from '../accounts/sessions.ts';
import { newTemporaryPassword } from '../accounts/temporary-passwords.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { organisationConsequences, removeOrganisation } from '../deletions/organisation-removal.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { assertHeld, holdsAll } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { fitsUnder } from './organisations.states.ts';
import {
  accountsShutOut,
  type HeldOrganisation,
  holdForChange,
  holdSubtree,
  insertOrganisation,
  listOrganisations,
  type OrganisationListRow,
  organisationRow,
  organisationsToChoose,
  organisationTree,
  rehang,
  updateOrganisation,
} from './organisations.store.ts';
import { renewSignUpCode, toldCode } from './sign-up-codes.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Organisations = typeof organisationEndpoints;

const stateOf = (disabledAt: Date | null) => (disabledAt === null ? 'enabled' : 'disabled');

/** Whether somebody may make an organisation of some kind under one of another: its first account has all codes of its level. */
const mayAddUnder = (actor: Actor, parent: OrganisationKind): boolean =>
  actor.codes.has('organization:add') &&
  newKinds.some((kind) => fitsUnder(kind, parent) && holdsAll(actor, codesOfLevel(levelOfKind(kind))));

function toRow(row: OrganisationListRow, actor: Actor): OrganisationRow {
  const { codes } = actor;
  const isPlatform = row.kind === 'platform';
  const mayEdit = codes.has('organization:edit');
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    kind: row.kind,
    country: row.country,
    email: row.email,
    phone: row.phone,
    note: row.note,
    parentID: row.parent_id,
    parent: row.parent,
    state: stateOf(row.disabled_at),
    organisations: row.organisations,
    accounts: row.accounts,
    sites: row.sites,
    signUpCode: row.sign_up_code,
    createdAtMs: row.created_at.getTime(),
    can: {
      add: mayAddUnder(actor, row.kind),
      edit: mayEdit,
      move: mayEdit && !isPlatform && row.kind !== 'distributor',
      setEnabled: mayEdit && !isPlatform,
      delete: codes.has('organization:delete') && !isPlatform,
    },
  };
}

/** A page of organisations. */
export const organisationList = async (
  { db }: Uses<'db'>,
  input: Asked<Organisations['list']>,
  { scope, actor }: CallContext,
): Promise<Found<OrganisationRow>> => toRows(await listOrganisations(db, scope, input), (row) => toRow(row, actor));

export async function treeOf(
  { db }: Uses<'db'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Organisations['tree']>> {
  const nodes = await organisationTree(db, scope);
  return {
    organisations: nodes.map(({ id, parent_id, number, name, kind, disabled_at, sites }) => ({
      id,
      parentID: parent_id,
      number,
      name,
      kind,
      state: stateOf(disabled_at),
      sites,
    })),
  };
}

/** Organisations to choose from. */
export const organisationChoices = async (
  { db }: Uses<'db'>,
  input: Parsed<Organisations['choices']>,
  { scope }: Scoped,
): Promise<Result<Organisations['choices']>> => ({ choices: await organisationsToChoose(db, scope, input) });

export async function organisationOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Organisations['detail']>,
  { scope, actor }: CallContext,
): Promise<Result<Organisations['detail']>> {
  return toRow(found(await organisationRow(db, scope, id), 'organisationNotFound'), actor);
}

const entryOf = (
  action: AuditEntry['action'],
  { id, name, path }: Pick<HeldOrganisation, 'id' | 'name' | 'path'>,
): Omit<AuditEntry, 'before' | 'after'> => ({
  log: 'operation',
  action,
  recordKind: 'organisation',
  recordId: id,
  recordName: name,
  organisationPath: path,
});

/** A change of one organisation: its row is locked first, the audit entry comes last. */
const changing = <T>(
  db: Db,
  scope: Scope,
  id: string,
  change: (tx: Tx, held: HeldOrganisation) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (tx) => change(tx, found(await holdForChange(tx, scope, id), 'organisationNotFound')));

/** Makes an organisation and the account that leads it. */
export async function addOrganisation(
  { db }: Uses<'db'>,
  input: Parsed<Organisations['add']>,
  context: CallContext,
): Promise<Result<Organisations['add']>> {
  assertHeld(context.actor, codesOfLevel(levelOfKind(input.kind)));
  const { password, hash } = await newTemporaryPassword();
  const { id, number } = await changing(db, context.scope, input.parentID, async (tx, parent) => {
    const { kind, parentID, name, country, email, phone, note, user } = input;
    if (!fitsUnder(kind, parent.kind)) throw new CallError('wrongParent');
    const fields = { name, country, email, phone, note };
    const made = await insertOrganisation(tx, { kind, parentID, parentPath: parent.path, ...fields });
    await insertAccount(
      tx,
      {
        organisationID: made.id,
        level: levelOfKind(kind),
        leads: true,
        user,
        email: input.accountEmail,
        name: input.accountName,
        phone,
        country,
        passwordHash: hash,
      },
      context.language,
    );
    await recordAudit(tx, context, {
      ...entryOf('organisations.add', { ...made, name }),
      after: { kind, parent: parent.name, ...fields, user },
    });
    return made;
  });
  return { id, number, user: input.user, password };
}

export async function editOrganisation(
  { db }: Uses<'db'>,
  { id, name, country, email, phone, note }: Parsed<Organisations['edit']>,
  context: CallContext,
): Promise<Result<Organisations['edit']>> {
  await changing(db, context.scope, id, async (tx, held) => {
    const fields = { name, country, email, phone, note };
    const changes = changedFieldsOf(held, fields);
    if (changes === undefined) return;
    await updateOrganisation(tx, id, fields);
    await recordAudit(tx, context, { ...entryOf('organisations.edit', held), ...changes });
  });
  return {};
}

/**
 * What moves along and both rows are locked, from below upwards as by a removal: what is put under either meanwhile waits and
 * gets the right path.
 */
export async function moveOrganisation(
  { db }: Uses<'db'>,
  { id, parentID }: Parsed<Organisations['move']>,
  context: CallContext,
): Promise<Result<Organisations['move']>> {
  await inTransaction(db, async (tx) => {
    await holdSubtree(tx, context.scope, id);
    const held = found(await holdForChange(tx, context.scope, id), 'organisationNotFound');
    const parent = found(await holdForChange(tx, context.scope, parentID), 'organisationNotFound');
    if (!fitsUnder(held.kind, parent.kind)) throw new CallError('wrongParent');
    if (held.parent_id === parentID) return;
    await rehang(tx, id, parentID);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entryOf('organisations.move', { ...held, path: [...parent.path, id] }),
      before: { parentID: held.parent_id },
      after: { parentID, parent: parent.name },
    });
  });
  return {};
}

export async function setOrganisationEnabled(
  { db }: Uses<'db'>,
  { id, enabled }: Parsed<Organisations['setEnabled']>,
  context: CallContext,
): Promise<Result<Organisations['setEnabled']>> {
  await changing(db, context.scope, id, async (tx, held) => {
    if (held.kind === 'platform') throw new CallError('noPermission');
    if ((held.disabled_at === null) === enabled) return;
    await updateOrganisation(tx, id, { disabled_at: enabled ? null : new Date() });
    if (!enabled) await endSessionsOf(tx, await accountsShutOut(tx, id), 'organisationDisabled');
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entryOf(enabled ? 'organisations.enable' : 'organisations.disable', held),
      before: { state: stateOf(held.disabled_at) },
      after: { state: enabled ? 'enabled' : 'disabled' },
    });
  });
  return {};
}

export async function renewCode(
  { db }: Uses<'db'>,
  { id }: Parsed<Organisations['renewSignUpCode']>,
  context: CallContext,
): Promise<Result<Organisations['renewSignUpCode']>> {
  return changing(db, context.scope, id, async (tx, held) => {
    const signUpCode = await renewSignUpCode(tx, id);
    await recordAudit(tx, context, {
      ...entryOf('organisations.renewSignUpCode', held),
      before: { signUpCode: toldCode(held.sign_up_code) },
      after: { signUpCode: toldCode(signUpCode) },
    });
    return { signUpCode };
  });
}

export async function previewDeletion(
  { db }: Uses<'db'>,
  { id }: Parsed<Organisations['deletionPreview']>,
  { scope }: Scoped,
): Promise<Consequences> {
  return organisationConsequences(db, found(await organisationRow(db, scope, id), 'organisationNotFound'));
}

/** Refuses where what was shown before the confirmation is no longer so. */
export function refuseUnexpected(
  expected: Parsed<Organisations['remove']>['expected'],
  actual: Pick<Consequences, 'sites' | 'endUsers' | 'movedSites'>,
): void {
  if (expected === undefined) return;
  const { sites, endUsers, movedSites } = expected;
  if (sites !== actual.sites || endUsers !== actual.endUsers || movedSites !== actual.movedSites)
    throw new CallError('consequencesChanged');
}

export function deleteOrganisation(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id, expected }: Parsed<Organisations['remove']>,
  context: CallContext,
): Promise<Result<Organisations['remove']>> {
  const now = nowMs();
  return changing(db, context.scope, id, async (tx, held) => {
    const { change, consequences } = await removeOrganisation(tx, held, new Date(now));
    refuseUnexpected(expected, consequences);
    const recorded = await recordDeletion(
      tx,
      context,
      { kind: 'organisation', recordId: id, recordName: held.name, organisationPath: held.path, change },
      now,
    );
    await recordAudit(tx, context, {
      ...entryOf('organisations.delete', held),
      before: {
        kind: held.kind,
        number: held.number,
        sites: consequences.sites,
        devices: consequences.devices,
        accounts: consequences.accounts,
        endUsers: consequences.endUsers,
      },
      after: { goesTo: consequences.goesTo },
    });
    return recorded;
  });
}
