import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const count = sql<number>`count(*)::int`.as('count');

export async function countSharedSites(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('site_shares')
    .innerJoin('sites', 'sites.id', 'site_shares.site_id')
    .select(count)
    .where('site_shares.account_id', '=', accountId)
    .where('site_shares.ended_at', 'is', null)
    .where('sites.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function countKeys(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(count)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}
