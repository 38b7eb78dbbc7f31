import { UNDO_DAYS } from '@sonnenwarte/contract/deletions/deletions';
import type { ErrorName } from '@sonnenwarte/contract/errors';
import type { Consequences } from '@sonnenwarte/contract/organisations/organisations';
import type { cancellationHindrances } from '@sonnenwarte/contract/user-center/user-center';
import { type Kysely, sql, type Transaction } from 'kysely';
import { endSessionsOf } from '../accounts/sessions.ts';
import { CallError, found } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { noteBefore } from '../tenancy/images.ts';
import { agentOf, dataloggersOf, moveAccounts, moveSites, nearestAbove, tenancyChanged } from '../tenancy/moves.ts';
import { isLastAdministrator } from './last-administrator.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

interface Removed {
  id: string;
  username: string;
  level: number;
  leads: boolean;
  organisation_id: string;
  organisation_kind: string;
  path: string[];
}

/** What hangs on an account. */
interface Holdings {
  readonly account: Removed;
  /** It takes its organisation with it. */
  readonly leads: boolean;
  readonly siteIds: readonly string[];
  readonly endUserIds: readonly string[];
  /** Dataloggers of its organisation that no plant has yet. */
  readonly spareDataloggerIds: readonly string[];
  readonly organisationsBelow: number;
  readonly membersBesides: number;
}

/** Why an account cannot be removed. */
export type RemovalHindrance = (typeof cancellationHindrances)[number];

const accountOf = (db: Db, id: string): Promise<Removed | undefined> =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .select([
      'accounts.id',
      'accounts.username',
      'accounts.level',
      'accounts.leads',
      'accounts.organisation_id',
      'organisations.kind as organisation_kind',
      sql<string[]>`organisations.path::text[]`.as('path'),
    ])
    .where('accounts.id', '=', id)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();

/** What hangs on an account; where it is removed, locked while it is listed, so that nothing is among it that is moved away meanwhile. */
async function holdingsOf(db: Db, id: string, { held } = { held: false }): Promise<Holdings> {
  const account = found(await accountOf(db, id), 'accountNotFound');
  const mayLead = account.level !== 1 && account.level !== 10 && account.organisation_kind !== 'platform';
  const leads = account.leads && mayLead;
  const others = !leads
    ? []
    : await db
        .selectFrom('accounts')
        .select(['id', 'level'])
        .where('organisation_id', '=', account.organisation_id)
        .where('deleted_at', 'is', null)
        .where('id', '<>', id)
        .orderBy('id')
        .$if(held, (query) => query.forUpdate())
        .execute();
  const sites = await db
    .selectFrom('sites')
    .select('id')
    .where('deleted_at', 'is', null)
    .$if(account.level === 1, (query) => query.where('owner_account_id', '=', id))
    .$if(account.level !== 1, (query) =>
      leads ? query.where('organisation_id', '=', account.organisation_id) : query.where(sql<boolean>`false`),
    )
    .orderBy('id')
    .$if(held, (query) => query.forUpdate())
    .execute();
  const siteIds = sites.map((site) => site.id);
  if (!leads) {
    return {
      account,
      leads,
      siteIds,
      endUserIds: [],
      spareDataloggerIds: [],
      organisationsBelow: 0,
      membersBesides: 0,
    };
  }
  const spareDataloggers = await db
    .selectFrom('loggers')
    .select('id')
    .where('organisation_id', '=', account.organisation_id)
    .where('site_id', 'is', null)
    .orderBy('id')
    .$if(held, (query) => query.forUpdate())
    .execute();
  const below = await db
    .selectFrom('organisations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('parent_id', '=', account.organisation_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    account,
    leads,
    siteIds,
    endUserIds: others.filter(({ level }) => level === 1).map((other) => other.id),
    spareDataloggerIds: spareDataloggers.map((datalogger) => datalogger.id),
    organisationsBelow: below.count,
    membersBesides: others.filter(({ level }) => level !== 1).length,
  };
}

async function hindranceOf(
  db: Db,
  { account, organisationsBelow, membersBesides }: Holdings,
): Promise<{ hindrance: RemovalHindrance | null; hindering: number }> {
  if (organisationsBelow > 0) return { hindrance: 'organisationsBelow', hindering: organisationsBelow };
  if (membersBesides > 0) return { hindrance: 'membersBelow', hindering: membersBesides };
  const isLast = account.level === 255 && (await isLastAdministrator(db, account.id));
  return { hindrance: isLast ? 'lastAdministrator' : null, hindering: 0 };
}

/** Where the plants and end users of an account would go, by the names of those organisations; null where there are none. */
async function placeOf(db: Db, { account, leads, siteIds, endUserIds }: Holdings): Promise<string | null> {
  if (siteIds.length === 0 && endUserIds.length === 0) return null;
  const ids = leads
    ? [await nearestAbove(db, account.organisation_id, ['agent', 'distributor'])]
    : await Promise.all((await organisationsOf(db, siteIds)).map((id) => agentOf(db, id)));
  const places = await db.selectFrom('organisations').select('name').where('id', 'in', ids).orderBy('name').execute();
  return places.map((place) => place.name).join(', ');
}

async function organisationsOf(db: Db, siteIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('sites')
    .select('organisation_id')
    .distinct()
    .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
    .execute();
  return rows.map((row) => row.organisation_id);
}

/** What removing an account would mean, and what stands against it. */
export async function accountConsequences(
  db: Db,
  id: string,
): Promise<Consequences & { hindrance: RemovalHindrance | null; hindering: number }> {
  const holdings = await holdingsOf(db, id);
  return {
    ...(await hindranceOf(db, holdings)),
    sites: 0,
    devices: 0,
    loggers: 0,
    accounts: 1,
    endUsers: holdings.endUserIds.length,
    movedSites: holdings.siteIds.length,
    goesTo: await placeOf(db, holdings),
    organisationsBelow: holdings.organisationsBelow,
    membersBesides: holdings.membersBesides,
    undoDays: UNDO_DAYS,
  };
}

export interface Removal {
  /** Why its sessions end. */
  readonly because: string;
  readonly at: Date;
  /** What each hindrance is answered with. */
  readonly refusals: Readonly<Record<RemovalHindrance, ErrorName>>;
}

/**
 * Removes an account: the plants of an end user lose their owner and go to the agent above; the first account of an
 * organisation takes that with it, its plants, end users and spare dataloggers going to the organisation above. Refused
 * while organisations or other members hang on it. The caller records deletion and audit.
 */
export async function removeAccount(tx: Tx, id: string, { because, at, refusals }: Removal): Promise<RemovedAccount> {
  const held = found(await accountOf(tx, id), 'accountNotFound');
  // Whoever puts something under the organisation holds its row: nothing is added to it while it is counted.
  await tx.selectFrom('organisations').select('id').where('id', '=', held.organisation_id).forUpdate().execute();
  await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
  const holdings = await holdingsOf(tx, id, { held: true });
  const { account, leads, siteIds, endUserIds, spareDataloggerIds } = holdings;
  const { hindrance } = await hindranceOf(tx, holdings);
  if (hindrance !== null) throw new CallError(refusals[hindrance]);
  const change = await noteBefore(tx, {
    organisations: leads ? [account.organisation_id] : [],
    accounts: [id, ...endUserIds],
    sites: siteIds,
    loggers: sql`(${dataloggersOf(siteIds)} or t.id = any(${spareDataloggerIds}::uuid[]))`,
  });
  if (leads) {
    const above = await nearestAbove(tx, account.organisation_id, ['agent', 'distributor']);
    await moveSites(tx, siteIds, { organisationID: above });
    await moveAccounts(tx, endUserIds, above);
    await tx
      .updateTable('loggers')
      .set({ organisation_id: above })
      .where(sql<boolean>`id = any(${spareDataloggerIds}::uuid[])`)
      .execute();
    await tx
      .updateTable('organisations')
      .set({ deleted_at: at, updated_at: at })
      .where('id', '=', account.organisation_id)
      .execute();
  } else {
    for (const organisationID of await organisationsOf(tx, siteIds)) {
      const ofOne = await tx
        .selectFrom('sites')
        .select('id')
        .where('organisation_id', '=', organisationID)
        .where(sql<boolean>`id = any(${siteIds}::uuid[])`)
        .execute();
      const ids = ofOne.map((site) => site.id);
      const organisation = await agentOf(tx, organisationID);
      await moveSites(tx, ids, { organisationID: organisation, ownerAccountId: null, change });
    }
  }
  await tx.updateTable('accounts').set({ deleted_at: at, updated_at: at }).where('id', '=', id).execute();
  await endSessionsOf(tx, [id], because);
  await tenancyChanged(tx);
  return {
    kind: account.leads || account.level === 1 || account.level === 10 ? 'account' : 'member',
    recordName: account.username,
    organisationPath: account.path,
    movedSites: siteIds.length,
    endUsers: endUserIds.length,
    change,
  };
}

export interface RemovedAccount {
  readonly kind: 'account' | 'member';
  readonly recordName: string;
  readonly organisationPath: readonly string[];
  readonly movedSites: number;
  readonly endUsers: number;
  readonly change: string;
}
