import { isLevel } from '@sonnenwarte/contract/levels';
import { isHeld } from '@sonnenwarte/contract/permissions';
import { create } from '@sonnenwarte/contract/reports/reports';
import type { Kysely } from 'kysely';
import { type Scope, scopeOf } from '../access/scope.ts';
import { codesOf, groupCodesOf } from '../accounts/session-actors.ts';
import type { Database } from '../stores/schema.ts';

/** What an account may see now, so long as it may have reports made; undefined where it may no longer. */
export async function reportingScope(db: Kysely<Database>, accountId: string): Promise<Scope | undefined> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where('accounts.id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
    .where('organisations.deleted_at', 'is', null)
    .where('organisations.disabled_at', 'is', null)
    .select(['accounts.level', 'accounts.leads', 'accounts.organisation_id as organisationID'])
    .select(groupCodesOf('accounts').as('codes'))
    .executeTakeFirst();
  if (account === undefined) return undefined;
  const { level, leads, organisationID, codes } = account;
  if (!isLevel(level) || !create.callers.some((caller) => caller === level)) return undefined;
  if (!isHeld([create.code], level, [...codesOf(level, leads, codes)])) return undefined;
  return scopeOf({ accountId, level, organisationID });
}
