import { type Kysely, type RawBuilder, sql } from 'kysely';
import { networkOf } from '../attempts/attempts.states.ts';
import type { Database } from '../stores/schema.ts';
import { isLogin } from './accounts.store.ts';

type Db = Kysely<Database>;

const MOST_PER_ACCOUNT = 20;
const KEPT_DAYS = 90;

/** Hashed: who was where is nobody's business once the session is forgotten. */
const hashOf = (accountId: RawBuilder<string>, address: string): RawBuilder<Buffer> =>
  sql`sha256(convert_to(${accountId}::text || ' ' || ${networkOf(address)}::text, 'UTF8'))`;

/** Whether somebody has signed in with the account of this name from the network of this address. */
export async function isKnownNetwork(db: Db, user: string, address: string): Promise<boolean> {
  const known = await db
    .selectFrom('known_networks')
    .innerJoin('accounts', 'accounts.id', 'known_networks.account_id')
    .select('account_id')
    .where('accounts.deleted_at', 'is', null)
    .where(isLogin(user))
    .where('network', '=', hashOf(sql.ref('accounts.id'), address))
    .executeTakeFirst();
  return known !== undefined;
}

/** Keeps the network of a sign-in; of many, those that were used last. */
export async function noteNetwork(db: Db, accountId: string, address: string): Promise<void> {
  await db
    .insertInto('known_networks')
    .values({ account_id: accountId, network: hashOf(sql.val(accountId), address) })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'network']).doUpdateSet({ last_at: sql`clock_timestamp()` }),
    )
    .execute();
  await db
    .deleteFrom('known_networks')
    .where('account_id', '=', accountId)
    .where('network', 'not in', (of) =>
      of
        .selectFrom('known_networks')
        .select('network')
        .where('account_id', '=', accountId)
        .orderBy('last_at', 'desc')
        .limit(MOST_PER_ACCOUNT),
    )
    .execute();
}

export const forgetOldNetworks = (db: Db) =>
  db
    .deleteFrom('known_networks')
    .where('last_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
