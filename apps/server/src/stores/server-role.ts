import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Schemas that hold what the server works with; the queue's is made by its own library. */
const SCHEMAS = ['public', 'graphile_worker'] as const;
/** PostgreSQL knows MAINTAIN since 17. */
const KNOWS_MAINTAIN = 170_000;

/** Where the server may not do as it likes: it adds to the audit log and reads it, and does not say which migrations ran. */
const NARROW: readonly { readonly table: string; readonly may: string }[] = [
  { table: 'audit_log', may: 'SELECT, INSERT' },
  { table: 'schema_migrations', may: 'SELECT' },
];

/**
 * Lets a role do what the server does all day, and nothing else: rows, not tables, and of the audit log only to add and to
 * read. Called as the owner of the tables, after every migration; whatever the role was given before is taken back.
 */
export async function grantToServer(owner: Kysely<Database>, role: string): Promise<void> {
  const who = sql.id(role);
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    owner,
  );
  const maintain = sql.raw((rows[0]?.version ?? 0) >= KNOWS_MAINTAIN ? ', MAINTAIN' : '');
  await owner.transaction().execute(async (tx) => {
    for (const name of SCHEMAS) {
      const schema = sql.id(name);
      await sql`revoke all on all tables in schema ${schema} from ${who}`.execute(tx);
      await sql`grant usage on schema ${schema} to ${who}`.execute(tx);
      await sql`grant select, insert, update, delete${maintain} on all tables in schema ${schema} to ${who}`.execute(
        tx,
      );
      await sql`grant usage, select, update on all sequences in schema ${schema} to ${who}`.execute(tx);
      await sql`grant execute on all functions in schema ${schema} to ${who}`.execute(tx);
    }
    for (const { table, may } of NARROW) {
      await sql`revoke all on ${sql.table(table)} from ${who}`.execute(tx);
      await sql`grant ${sql.raw(may)} on ${sql.table(table)} to ${who}`.execute(tx);
    }
    await openRows(tx, role);
  });
}

/** The queue's tables show rows to their owner alone; another role needs a policy for each. */
async function openRows(tx: Kysely<Database>, role: string): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${[...SCHEMAS]}::text[]) and c.relrowsecurity and not exists (
      select from pg_policy p where p.polrelid = c.oid and p.polname = ${role})`.execute(tx);
  for (const { schema, name } of rows) {
    await sql`create policy ${sql.id(role)} on ${sql.id(schema, name)} to ${sql.id(role)} using (true) with check (true)`.execute(
      tx,
    );
  }
}

/** What the role of a connection could do to the audit log beyond adding and reading; empty where all is as it should be. */
export async function powersOverAudit(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ power: string }>`
    select power from (values
      ('is superuser', (select rolsuper from pg_roles where rolname = current_user)),
      ('owns audit_log', pg_has_role(current_user, (select relowner from pg_class where oid = 'audit_log'::regclass), 'member')),
      ('may UPDATE', has_table_privilege('audit_log', 'UPDATE')),
      ('may DELETE', has_table_privilege('audit_log', 'DELETE')),
      ('may TRUNCATE', has_table_privilege('audit_log', 'TRUNCATE'))
    ) as found (power, holds) where holds`.execute(db);
  return rows.map(({ power }) => power);
}
