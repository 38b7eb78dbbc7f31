import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { memberLevels } from '@sonnenwarte/contract/members/member-levels';
import type { MemberLevel, MemberRow, memberEndpoints } from '@sonnenwarte/contract/members/members';
import type { OrganisationKind } from '@sonnenwarte/contract/organisations/organisations';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { codesOfGroups } from '../access/codes.ts';
import type { Scope } from '../access/scope.ts';
import { setPassword } from '../accounts/accounts.store.ts';
import { voidResetLinks } from '../accounts/links.store.ts';
import { askToConfirmEmail } from '../accounts/mailed-links.ts';
import { endProgramAccess } from '../accounts/program-access.ts';
import { endSessionsOf } from '../accounts/sessions.ts';
import { newTemporaryPassword } from '../accounts/temporary-passwords.ts';
import { type AuditEntry, recordAudit, recordAudits } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import {
  departmentPaths,
  groupsOfDepartment,
  visibleDepartment,
  visibleOrganisation,
} from '../departments/departments.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import { assertHeld, coversAccount } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { noteBefore } from '../tenancy/images.ts';
import { holdOrganisation, tenancyChanged } from '../tenancy/moves.ts';
import {
  groupNamesByDepartment,
  insertMember,
  listMembers,
  lockMember,
  type Member,
  type MemberFields,
  markDeleted,
  rolesOf,
  setDisabled,
  setGroups,
  updateMember,
  visibleMember,
} from './members.store.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;
type Members = typeof memberEndpoints;

const takenIndexes = { accounts_username: 'account' };

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

const levelOf = (member: Pick<Member, 'level' | 'kind'>): MemberLevel =>
  memberLevels.platform.find((level) => level === member.level) ?? levelOfMembers(member.kind);

const levelOfMembers = (kind: OrganisationKind): MemberLevel => memberLevels[kind][0];

const codesOfMember = (member: Member): ReadonlySet<PermissionCode> => codesOfGroups(levelOf(member), member.granted);

function toRow(member: Member, actor: Actor): MemberRow {
  const manages = coversAccount(actor, { ...member, level: levelOf(member), leads: false });
  const another = manages && member.id !== actor.accountId;
  return {
    accountID: member.id,
    account: member.username,
    name: member.name,
    email: member.email,
    phone: member.phone,
    note: member.note,
    organisationID: member.organisation_id,
    organisation: member.organisation,
    organisationKind: member.kind,
    departmentID: member.department_id,
    department: member.department ?? '',
    groups: member.groups.map(({ id, name }) => ({ permissionGroupID: id, name })),
    level: levelOf(member),
    state: member.disabled_at === null ? 'enabled' : 'disabled',
    passwordTemporary: member.password_temporary,
    lastSignInMs: member.last_sign_in_at?.getTime() ?? null,
    createdAtMs: member.created_at.getTime(),
    can: { edit: manages, disable: another, delete: another, resetPassword: another },
  };
}

/** A page of members. */
export const memberList = async (
  { db }: Uses<'db'>,
  input: Asked<Members['list']>,
  { scope, actor }: CallContext,
): Promise<Found<MemberRow>> => toRows(await listMembers(db, scope, input), (member) => toRow(member, actor));

const findMember = async (db: Db, id: string, scope: Scope): Promise<Member> =>
  found(await visibleMember(db, scope, id), 'memberNotFound');

/** One member with what it may do. */
export async function memberOf(
  { db }: Uses<'db'>,
  { accountID }: Parsed<Members['detail']>,
  { scope, actor }: CallContext,
): Promise<Result<Members['detail']>> {
  const member = await findMember(db, accountID, scope);
  return { ...toRow(member, actor), codes: [...codesOfMember(member)] };
}

/** What members of an organisation can be given. */
export async function memberChoices(
  { db }: Uses<'db'>,
  { organisationID }: Parsed<Members['choices']>,
  { scope }: Scoped,
): Promise<Result<Members['choices']>> {
  const organisation = found(await visibleOrganisation(db, scope, organisationID), 'organisationNotFound');
  const [paths, groups, roles] = await Promise.all([
    departmentPaths(db, organisation.id),
    groupNamesByDepartment(db, organisation.id),
    rolesOf(db, organisation.id),
  ]);
  return {
    kind: organisation.kind,
    departments: paths.map(({ id, path }) => ({ departmentID: id, path, groups: groups.get(id) ?? [] })),
    groups: roles.map(({ id, name, codes }) => ({ permissionGroupID: id, name, codes: codes.length })),
  };
}

interface Place {
  organisationID: string;
  kind: OrganisationKind;
  departmentId: string | null;
  groupIds: readonly string[];
  level: MemberLevel;
}

/** Codes that a member would have at a place; refuses departments and groups of another organisation, and levels above it. */
async function codesAt(tx: Tx, place: Place, scope: Scope): Promise<string[]> {
  const { organisationID, kind, departmentId, groupIds, level } = place;
  if (!memberLevels[kind].some((each) => each === level)) throw refusedField('level', 'invalid');
  const roles = await rolesOf(tx, organisationID);
  const given = roles.filter(({ id }) => groupIds.includes(id));
  if (given.length < new Set(groupIds).size) throw refusedField('groupIDs', 'unknown');
  const codes = given.flatMap((group) => group.codes);
  if (departmentId === null) return codes;
  const department = await visibleDepartment(tx, scope, departmentId);
  if (department?.organisation_id !== organisationID) throw refusedField('departmentID', 'unknown');
  const ofDepartment = await groupsOfDepartment(tx, departmentId);
  return [...codes, ...ofDepartment.flatMap((group) => group.codes)];
}

const entry = (
  action: AuditEntry['action'],
  { id, username, path }: Pick<Member, 'id' | 'username' | 'path'>,
): AuditEntry => ({
  log: 'operation',
  action,
  recordKind: 'member',
  recordId: id,
  recordName: username,
  organisationPath: path,
});

const fieldsOf = (
  input: Omit<Parsed<Members['edit']>, 'accountID' | 'groupIDs' | 'level'>,
  level: MemberLevel,
): MemberFields => ({
  username: input.account,
  name: input.name,
  email: input.email,
  phone: input.phone,
  note: input.note,
  level,
  department_id: input.departmentID,
});

/** Names of fields as people know them, for the log. */
const told = ({ username, department_id, ...fields }: MemberFields, groupIDs: readonly string[]) => ({
  account: username,
  ...fields,
  departmentID: department_id,
  groupIDs: [...groupIDs].toSorted(),
});

/** Adds a member with a temporary password, which is answered this once. */
export async function addMember(
  { db }: Uses<'db'>,
  { organisationID, groupIDs, level: wanted, ...input }: Parsed<Members['add']>,
  context: CallContext,
): Promise<Result<Members['add']>> {
  const { scope, actor } = context;
  const organisation = found(await visibleOrganisation(db, scope, organisationID), 'organisationNotFound');
  const level = wanted ?? levelOfMembers(organisation.kind);
  const { password, hash } = await newTemporaryPassword();
  return orTaken(takenIndexes, () =>
    inTransaction(db, async (tx) => {
      await holdOrganisation(tx, organisation.id);
      const place = {
        organisationID: organisation.id,
        kind: organisation.kind,
        departmentId: input.departmentID,
        groupIds: groupIDs,
        level,
      };
      assertHeld(actor, codesOfGroups(level, await codesAt(tx, place, scope)));
      const fields = fieldsOf(input, level);
      const id = await insertMember(tx, { ...fields, organisation_id: organisation.id, password_hash: hash });
      await askToConfirmEmail(tx, id, context);
      await setGroups(tx, id, [...new Set(groupIDs)]);
      await recordAudit(tx, context, {
        ...entry('members.add', { id, username: fields.username, path: organisation.path }),
        after: { ...told(fields, groupIDs), organisationID },
      });
      return { accountID: id, temporaryPassword: password };
    }),
  );
}

/** Runs a change of a member by somebody who may do all that the member may. */
const changing = <T>(
  db: Db,
  id: string,
  { scope, actor }: CallContext,
  change: (tx: Tx, member: Member) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (tx) => {
    await lockMember(tx, id);
    const member = await findMember(tx, id, scope);
    assertHeld(actor, codesOfMember(member));
    return change(tx, member);
  });

function refuseOneself(member: Member, { actor }: CallContext): void {
  if (member.id === actor.accountId) throw new CallError('notOneself');
}

/** Changes a member; what it may do then holds with its next call. */
export async function editMember(
  { db }: Uses<'db'>,
  { accountID, groupIDs, level, ...input }: Parsed<Members['edit']>,
  context: CallContext,
): Promise<Result<Members['edit']>> {
  const { scope, actor } = context;
  return orTaken(takenIndexes, () =>
    changing(db, accountID, context, async (tx, member) => {
      const place = {
        organisationID: member.organisation_id,
        kind: member.kind,
        departmentId: input.departmentID,
        groupIds: groupIDs,
        level,
      };
      assertHeld(actor, codesOfGroups(level, await codesAt(tx, place, scope)));
      const fields = fieldsOf(input, level);
      const before = told(
        member,
        member.groups.map(({ id }) => id),
      );
      const changed = changedFieldsOf(before, told(fields, [...new Set(groupIDs)]));
      if (changed === undefined) return {};
      const isNewAddress = fields.email !== member.email;
      // The own address is changed in the user centre, with the password.
      if (member.id === actor.accountId && (isNewAddress || level !== member.level)) throw new CallError('notOneself');
      await updateMember(tx, member.id, fields);
      if (isNewAddress) {
        await voidResetLinks(tx, member.id);
        await askToConfirmEmail(tx, member.id, context);
      }
      await setGroups(tx, member.id, [...new Set(groupIDs)]);
      await tenancyChanged(tx);
      await recordAudit(tx, context, { ...entry('members.edit', member), ...changed });
      return {};
    }),
  );
}

/** Enables or disables a member; disabling ends its sessions. */
export async function setMemberState(
  { db }: Uses<'db'>,
  { accountID, state }: Parsed<Members['setState']>,
  context: CallContext,
): Promise<Result<Members['setState']>> {
  const disabled = state === 'disabled';
  return changing(db, accountID, context, async (tx, member) => {
    refuseOneself(member, context);
    if ((member.disabled_at !== null) === disabled) return {};
    await setDisabled(tx, member.id, disabled);
    if (disabled) await endSessionsOf(tx, [member.id], 'disabled');
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entry(disabled ? 'members.disable' : 'members.enable', member),
      before: { state: disabled ? 'enabled' : 'disabled' },
      after: { state },
    });
    return {};
  });
}

/** Gives a member a temporary password, which is answered this once; its sessions and what programs use of it end. */
export async function resetMemberPassword(
  { db }: Uses<'db'>,
  { accountID }: Parsed<Members['resetPassword']>,
  context: CallContext,
): Promise<Result<Members['resetPassword']>> {
  await findMember(db, accountID, context.scope);
  const { password, hash } = await newTemporaryPassword();
  return changing(db, accountID, context, async (tx, member) => {
    refuseOneself(member, context);
    await setPassword(tx, member.id, hash, { temporary: true });
    await endSessionsOf(tx, [member.id], 'passwordReset');
    await tenancyChanged(tx);
    const reset: AuditEntry = { ...entry('members.resetPassword', member), log: 'account' };
    const { id, username } = member;
    const owner = { id, username, organisationPath: reset.organisationPath };
    await recordAudits(tx, context, [reset, ...(await endProgramAccess(tx, owner))]);
    return { temporaryPassword: password };
  });
}

/** Deletes a member, to be undone within 30 days; its sessions end. */
export async function removeMember(
  { db }: Uses<'db'>,
  { accountID }: Parsed<Members['remove']>,
  context: CallContext,
): Promise<Result<Members['remove']>> {
  return changing(db, accountID, context, async (tx, member) => {
    refuseOneself(member, context);
    const change = await noteBefore(tx, { accounts: [member.id] });
    await markDeleted(tx, member.id);
    await endSessionsOf(tx, [member.id], 'deleted');
    await tenancyChanged(tx);
    await recordDeletion(tx, context, {
      kind: 'member',
      recordId: member.id,
      recordName: member.username,
      organisationPath: member.path,
      change,
    });
    await recordAudit(tx, context, {
      ...entry('members.delete', member),
      before: told(
        member,
        member.groups.map(({ id }) => id),
      ),
    });
    return {};
  });
}
