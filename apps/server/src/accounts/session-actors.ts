import { isLevel, LEVEL, type Level } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { codesOfGroups, codesOfLevel } from '../access/codes.ts';
import { CallError } from '../http/call-error.ts';
import type { FindActor } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { hashToken, SESSION_IDLE_MS } from './sessions.ts';

const touchEveryMs = 60_000;

/** Codes that an account's groups grant: roles it was given, and the groups of its department. */
export const groupCodesOf = (account: 'accounts' | 'viewed_account'): RawBuilder<string[]> => sql`array(
  select unnest(g.codes) from account_groups ag join permission_groups g on g.id = ag.group_id
  where ag.account_id = ${sql.ref(`${account}.id`)}
  union
  select unnest(g.codes) from permission_groups g where g.department_id = ${sql.ref(`${account}.department_id`)})`;

/** Finds who a token belongs to: 41808 expired, 41809 not valid, 41810 ended elsewhere. */
export const sessionActors =
  (db: Kysely<Database>): FindActor =>
  async (token) => {
    if (token === '') throw new CallError('tokenInvalid');
    const tokenHash = hashToken(token);
    const session = await db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
      .leftJoin('sessions as parent', 'parent.id', 'sessions.view_parent_id')
      .leftJoin('organisations as viewed', 'viewed.id', 'sessions.view_organisation_id')
      .leftJoin('accounts as viewed_account', 'viewed_account.id', 'sessions.view_account_id')
      .leftJoin('permission_groups as viewed_group', 'viewed_group.id', 'sessions.view_group_id')
      .select([
        'sessions.id as session_id',
        'sessions.expires_at',
        'sessions.ended_at',
        'sessions.last_seen_at',
        'sessions.view_level',
        'sessions.view_account_id',
        'sessions.view_group_id',
        'sessions.view_parent_id',
        'parent.ended_at as parent_ended_at',
        'parent.expires_at as parent_expires_at',
        'accounts.id',
        'accounts.username',
        'accounts.level',
        'accounts.leads',
        'accounts.organisation_id',
        'accounts.password_temporary',
        'accounts.disabled_at',
        'accounts.deleted_at',
        'organisations.path',
        'organisations.disabled_at as organisation_disabled_at',
        'organisations.deleted_at as organisation_deleted_at',
        'viewed.id as viewed_organisation_id',
        'viewed.name as viewed_organisation',
        'viewed.path as viewed_path',
        'viewed.deleted_at as viewed_organisation_deleted_at',
        'viewed_account.username as viewed_username',
        'viewed_account.leads as viewed_leads',
        'viewed_account.deleted_at as viewed_deleted_at',
        'viewed_group.name as viewed_group_name',
        'viewed_group.codes as viewed_codes',
        groupCodesOf('accounts').as('group_codes'),
        groupCodesOf('viewed_account').as('viewed_group_codes'),
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (!session || !isLevel(session.level)) throw new CallError('tokenInvalid');
    // The owners of plants keep their access when their installer is disabled.
    const organisationIsShut =
      (session.organisation_disabled_at !== null || session.organisation_deleted_at !== null) && session.level !== 1;
    // A view never outlives the session from which it was begun.
    const isOver = session.ended_at !== null || session.parent_ended_at !== null;
    if (isOver || session.disabled_at || session.deleted_at || organisationIsShut) {
      throw new CallError('sessionEnded');
    }
    const nowMs = Date.now();
    const { expires_at, parent_expires_at } = session;
    if ([expires_at, parent_expires_at].some((at) => at !== null && at.getTime() <= nowMs)) {
      throw new CallError('tokenExpired');
    }
    if (nowMs - session.last_seen_at.getTime() > touchEveryMs) {
      await touch(db, session.session_id, nowMs);
      // Whoever uses a view uses the session from which it was begun.
      if (session.view_parent_id !== null) await touch(db, session.view_parent_id, nowMs);
    }
    const own: Actor = {
      accountId: session.id,
      username: session.username,
      level: session.level,
      organisationID: session.organisation_id,
      organisationPath: session.path,
      codes: codesOf(session.level, session.leads, session.group_codes),
      sessionId: session.session_id,
      mustChangePassword: session.password_temporary,
      viewAs: null,
    };
    const { view_level: level } = session;
    if (level === null || !isLevel(level)) return own;
    const viewIsOver = session.viewed_organisation_deleted_at !== null || session.viewed_deleted_at !== null;
    if (viewIsOver || own.level !== LEVEL.admin) throw new CallError('sessionEnded');
    return {
      ...own,
      accountId: session.view_account_id ?? own.accountId,
      level,
      organisationID: session.viewed_organisation_id ?? own.organisationID,
      organisationPath: session.viewed_path ?? own.organisationPath,
      codes: new Set([...viewedCodes(level, session)].filter((code) => own.codes.has(code))),
      viewAs: {
        byAccountId: own.accountId,
        byUsername: own.username,
        ownCodes: own.codes,
        organisationName: session.viewed_organisation ?? '',
        accountName: session.viewed_username,
        groupId: session.view_group_id,
        groupName: session.viewed_group_name,
      },
    };
  };

const viewedCodes = (
  level: Level,
  seen: { viewed_leads: boolean | null; viewed_group_codes: string[]; viewed_codes: string[] | null },
): ReadonlySet<PermissionCode> => {
  if (seen.viewed_leads !== null) return codesOf(level, seen.viewed_leads, seen.viewed_group_codes);
  return seen.viewed_codes === null ? codesOfLevel(level) : codesOfGroups(level, seen.viewed_codes);
};

/** End users and integrators have no groups: their level says it all. */
export const codesOf = (level: Level, leads: boolean, granted: readonly string[]): ReadonlySet<PermissionCode> =>
  leads || level === 1 || level === 10 ? codesOfLevel(level) : codesOfGroups(level, granted);

const touch = (db: Kysely<Database>, sessionId: string, nowMs: number) =>
  db
    .updateTable('sessions')
    .set({ last_seen_at: sql`now()`, expires_at: new Date(nowMs + SESSION_IDLE_MS) })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
