import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

interface Entered {
  readonly name: string;
  readonly text: string;
}

export const templatesFor = (db: Kysely<Database>, organisationId: string) =>
  db
    .selectFrom('answer_templates')
    .innerJoin('organisations', 'organisations.id', 'answer_templates.organisation_id')
    .innerJoin('organisations as own', (join) => join.on(sql<SqlBool>`organisations.id = any(own.path)`))
    .selectAll('answer_templates')
    .select('organisations.name as organisation')
    .where('own.id', '=', organisationId)
    .orderBy(sql`lower(answer_templates.name)`)
    .orderBy('answer_templates.id')
    .execute();

/** How many an organisation keeps; nobody adds another until the end of the transaction. */
export async function templatesKept(tx: Tx, organisationId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`answer templates ${organisationId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('answer_templates')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function addTemplate(tx: Tx, organisationId: string, entered: Entered): Promise<string> {
  const { id } = await tx
    .insertInto('answer_templates')
    .values({ organisation_id: organisationId, ...entered })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function changeTemplate(tx: Tx, organisationId: string, id: string, entered: Entered): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('answer_templates')
    .set({ ...entered })
    .where('id', '=', id)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Answers the name of what was deleted. */
export const dropTemplate = async (tx: Tx, organisationId: string, id: string): Promise<string | undefined> =>
  (
    await tx
      .deleteFrom('answer_templates')
      .where('id', '=', id)
      .where('organisation_id', '=', organisationId)
      .returning('name')
      .executeTakeFirst()
  )?.name;
