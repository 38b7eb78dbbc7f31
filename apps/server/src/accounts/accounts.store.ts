import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** An account that may sign in, by user name or e-mail in any case. */
export const accountByLogin = (db: Db, user: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'username', 'level', 'password_hash'])
    .where('deleted_at', 'is', null)
    .where('disabled_at', 'is', null)
    .where((eb) =>
      eb.or([eb(sql`lower(username)`, '=', user.toLowerCase()), eb(sql`lower(email)`, '=', user.toLowerCase())]),
    )
    .executeTakeFirst();

export const accountById = (db: Db, id: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .selectAll('accounts')
    .select('organisations.name as organisation')
    .where('accounts.id', '=', id)
    .executeTakeFirst();

export const setLanguage = (db: Db, id: string, language: string) =>
  db.updateTable('accounts').set({ language }).where('id', '=', id).execute();

export const countAccounts = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('demo', '=', false)
    .executeTakeFirstOrThrow();
  return Number(row.n);
};

export const hasDemoAccounts = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('accounts').select('id').where('demo', '=', true).limit(1).executeTakeFirst()) !== undefined;

/** Uses up a set-up code; false when it is unknown or used. */
export async function takeSetUpCode(db: Db, codeHash: Buffer): Promise<boolean> {
  const taken = await db
    .updateTable('set_up_codes')
    .set({ used_at: new Date() })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
}

/** Replaces earlier unused set-up codes by a new one. */
export const putSetUpCode = (db: Db, codeHash: Buffer) =>
  db.transaction().execute(async (tx) => {
    await tx.deleteFrom('set_up_codes').where('used_at', 'is', null).execute();
    await tx.insertInto('set_up_codes').values({ code_hash: codeHash, used_at: null }).execute();
  });

/** The platform's own organisation, made on first use. */
export async function platformOrganisation(db: Db): Promise<string> {
  const there = await db.selectFrom('organisations').select('id').where('kind', '=', 'platform').executeTakeFirst();
  if (there) return there.id;
  const id = crypto.randomUUID();
  await db
    .insertInto('organisations')
    .values({
      id,
      parent_id: null,
      kind: 'platform',
      name: 'Sonnenwarte',
      path: [id],
      disabled_at: null,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.column('kind').where('kind', '=', 'platform').doNothing())
    .execute();
  return (await db.selectFrom('organisations').select('id').where('kind', '=', 'platform').executeTakeFirstOrThrow())
    .id;
}
