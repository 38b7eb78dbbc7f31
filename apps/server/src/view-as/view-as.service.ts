import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { levelOfKind, memberLevels } from '@sonnenwarte/contract/members/member-levels';
import { type OrganisationKind, organisationKinds } from '@sonnenwarte/contract/organisations/organisations';
import type { viewAsEndpoints } from '@sonnenwarte/contract/view-as/view-as';
import type { Kysely } from 'kysely';
import { codesOfGroups, codesOfLevel } from '../access/codes.ts';
import { codesOf } from '../accounts/session-actors.ts';
import { endSession, openSession } from '../accounts/sessions.ts';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { visibleOrganisation } from '../departments/departments.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { assertHeld } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  searchAccounts,
  searchGroups,
  searchOrganisations,
  turnIntoView,
  type View,
  viewableAccount,
  viewableGroup,
} from './view-as.store.ts';

type Db = Kysely<Database>;
type ViewAs = typeof viewAsEndpoints;

const wrongLevel = () => new CallError('refusedInput', { fields: [{ path: 'level', reason: 'invalid', params: {} }] });

const isLevelOf = (kind: OrganisationKind, level: Level): boolean => memberLevels[kind].some((each) => each === level);

/** Kinds whose members can be of a level. */
const kindsWith = (level: Level): OrganisationKind[] => organisationKinds.filter((kind) => isLevelOf(kind, level));

/** Kinds of which a level is the first account's. */
const kindsOf = (level: Level): OrganisationKind[] => organisationKinds.filter((kind) => levelOfKind(kind) === level);

/** Through whose eyes a level can be seen. */
export async function viewChoices(
  { db }: Uses<'db'>,
  { kind, level, search, ids }: Parsed<ViewAs['choices']>,
  { scope }: Scoped,
): Promise<Result<ViewAs['choices']>> {
  const asked = { pattern: containing(search), ids };
  switch (kind) {
    case 'organisation':
      return { choices: await searchOrganisations(db, scope, kindsOf(level), asked) };
    case 'account':
      return { choices: await searchAccounts(db, scope, level, asked) };
    case 'group':
      return { choices: await searchGroups(db, scope, kindsWith(level), asked) };
  }
}

interface Chosen extends View {
  name: string;
  path: readonly string[];
  codes: Iterable<string>;
}

async function chosenView(db: Db, input: Parsed<ViewAs['start']>, { scope }: Scoped): Promise<Chosen> {
  const { level, organisationID, accountID, permissionGroupID } = input;
  if (accountID !== undefined) {
    const account = found(await viewableAccount(db, scope, accountID), 'accountNotFound');
    if (account.level !== level) throw wrongLevel();
    return {
      level,
      accountId: account.id,
      organisationID: account.organisation_id,
      groupId: null,
      name: account.username,
      path: account.path,
      codes: codesOf(level, account.leads, account.granted),
    };
  }
  if (permissionGroupID !== undefined) {
    const group = found(await viewableGroup(db, scope, permissionGroupID), 'permissionGroupNotFound');
    if (!isLevelOf(group.kind, level)) throw wrongLevel();
    return {
      level,
      accountId: null,
      organisationID: group.organisation_id,
      groupId: group.id,
      name: group.name,
      path: group.path,
      codes: codesOfGroups(level, group.codes),
    };
  }
  const organisation = found(await visibleOrganisation(db, scope, organisationID ?? ''), 'organisationNotFound');
  if (!isLevelOf(organisation.kind, level)) throw wrongLevel();
  return {
    level,
    accountId: null,
    organisationID: organisation.id,
    groupId: null,
    name: organisation.name,
    path: organisation.path,
    codes: codesOfLevel(level),
  };
}

/** Opens a session of its own that sees what others see, and no more than its administrator may do; it ends with the administrator's. */
export async function startView(
  { db }: Uses<'db'>,
  input: Parsed<ViewAs['start']>,
  context: CallContext,
): Promise<Result<ViewAs['start']>> {
  const { actor } = context;
  return db.transaction().execute(async (tx) => {
    const view = await chosenView(tx, input, context);
    assertHeld(actor, view.codes);
    const { token } = await openSession(tx, actor.accountId, context);
    await turnIntoView(tx, token, { ...view, parentID: actor.sessionId });
    await recordAudit(tx, context, {
      log: 'account',
      action: 'view-as.begin',
      recordKind: view.accountId !== null ? 'account' : view.groupId !== null ? 'permissionGroup' : 'organisation',
      recordId: view.accountId ?? view.groupId ?? view.organisationID,
      recordName: view.name,
      organisationPath: view.path,
      after: { level: view.level },
    });
    return { token, access: view.level };
  });
}

/** Ends the view of a token; the administrator's own session goes on. */
export async function endView({ db }: Uses<'db'>, _: unknown, context: CallContext): Promise<Result<ViewAs['end']>> {
  const { actor, token } = context;
  const { viewAs } = actor;
  if (viewAs === null) return {};
  await db.transaction().execute(async (tx) => {
    await endSession(tx, token);
    await recordAudit(
      tx,
      { ...context, actor: { ...actor, level: LEVEL.admin } },
      {
        log: 'account',
        action: 'view-as.end',
        recordKind:
          viewAs.accountName !== null ? 'account' : viewAs.groupId !== null ? 'permissionGroup' : 'organisation',
        recordId: viewAs.accountName !== null ? actor.accountId : (viewAs.groupId ?? actor.organisationID),
        recordName: viewAs.accountName ?? viewAs.groupName ?? viewAs.organisationName,
        organisationPath: await pathOfOrganisation(tx, actor.organisationID),
        after: { level: actor.level },
      },
    );
  });
  return {};
}
