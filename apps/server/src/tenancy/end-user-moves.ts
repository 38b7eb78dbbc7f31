import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible, visibleOrganisations } from '../access/scope.ts';
import { type AuditEntry, type AuditSource, recordInParts } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { moveAccounts, moveSites } from './moves.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Plants of an end user that an organisation looks after: they go along when the end user leaves it. */
export const followingSites = (db: Db, scope: Scope, accountId: string, organisationID: string) =>
  db
    .selectFrom('sites')
    .select(['sites.id', 'sites.name'])
    .where(siteIsVisible(scope))
    .where('sites.owner_account_id', '=', accountId)
    .where('sites.organisation_id', '=', organisationID);

export interface Place {
  readonly id: string;
  readonly name: string;
  readonly path: readonly string[];
}

const places = (db: Db) =>
  db.selectFrom('organisations').select(['id', 'name', sql<string[]>`path::text[]`.as('path')]);

export const placeOf = (db: Db, id: string): Promise<Place> =>
  places(db).where('id', '=', id).executeTakeFirstOrThrow();

/** An organisation in scope into which an end user can be put: not one that is shut. */
export const openPlace = (db: Db, scope: Scope, id: string) =>
  places(db).where(visibleOrganisations(scope)).where('id', '=', id).where('disabled_at', 'is', null);

export interface EndUserMove {
  readonly scope: Scope;
  readonly source: AuditSource;
  /** Its row is locked: it stays where it is until it is moved. */
  readonly account: { readonly id: string; readonly username: string; readonly organisation_id: string };
  /** Its row is locked: nobody deletes it meanwhile. */
  readonly to: Place;
  /** How many plants were shown to go along. */
  readonly expectedSites?: number | undefined;
}

/** Moves an end user with its following plants and their dataloggers, and records it; answers how many plants. */
export async function moveEndUser(
  tx: Tx,
  { scope, source, account, to, expectedSites }: EndUserMove,
): Promise<{ sites: number }> {
  const from = await placeOf(tx, account.organisation_id);
  const sites = await followingSites(tx, scope, account.id, from.id).orderBy('sites.id').forUpdate('sites').execute();
  if (expectedSites !== undefined && expectedSites !== sites.length) throw new CallError('consequencesChanged');
  await moveAccounts(tx, [account.id], to.id);
  await moveSites(
    tx,
    sites.map(({ id }) => id),
    { organisationID: to.id },
  );
  const common = {
    action: 'user-management.move',
    organisationPath: [...new Set([...from.path, ...to.path])],
    before: { organisation: from.name },
  } as const;
  const entries: AuditEntry[] = [
    {
      ...common,
      log: 'account',
      recordKind: 'account',
      recordId: account.id,
      recordName: account.username,
      after: { organisation: to.name, sites: sites.map(({ name }) => name) },
    },
    ...sites.map(
      ({ id, name }): AuditEntry => ({
        ...common,
        log: 'operation',
        recordKind: 'site',
        recordId: id,
        recordName: name,
        after: { organisation: to.name },
      }),
    ),
  ];
  await recordInParts(tx, source, entries);
  return { sites: sites.length };
}
