import type { TemplateContent } from '@sonnenwarte/contract/work-modes/plan';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Whose templates somebody keeps: those of an organisation, or of an end user. */
export interface Keeper {
  readonly organisationId: string | null;
  readonly accountId: string | null;
}

export const keeperOf = (
  scope: Scope,
  { organisationID, accountId }: { organisationID: string; accountId: string },
): Keeper =>
  scope.kind === 'owner' ? { organisationId: null, accountId } : { organisationId: organisationID, accountId: null };

const ofKeeper = ({ organisationId, accountId }: Keeper) =>
  accountId === null
    ? sql<boolean>`work_mode_templates.organisation_id = any(select unnest(path) from organisations where id = ${organisationId})`
    : sql<boolean>`work_mode_templates.account_id = ${accountId}`;

/** Templates that somebody may use: of an organisation also those of the ones above it. By name. */
export const templatesOf = (db: Db, keeper: Keeper) =>
  db
    .selectFrom('work_mode_templates')
    .leftJoin('accounts', 'accounts.id', 'work_mode_templates.created_by')
    .where(ofKeeper(keeper))
    .select([
      'work_mode_templates.id',
      'work_mode_templates.name',
      'work_mode_templates.content',
      'work_mode_templates.organisation_id',
      'work_mode_templates.account_id',
      sql<string>`coalesce(accounts.username, '')`.as('by'),
    ])
    .orderBy(sql`lower(work_mode_templates.name)`)
    .orderBy('work_mode_templates.id')
    .limit(1_000)
    .execute();

/** Keeps a template; one of the name becomes it. Nothing where there are so many already; those of a keeper come one after another. */
export async function putTemplate(
  tx: Transaction<Database>,
  keeper: Keeper,
  template: { readonly name: string; readonly content: TemplateContent; readonly by: string },
  most: number,
): Promise<string | undefined> {
  const { organisationId, accountId } = keeper;
  if (accountId === null)
    await tx.selectFrom('organisations').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute();
  else await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ id: string }>`
    insert into work_mode_templates (organisation_id, account_id, name, content, created_by)
    select ${organisationId}::uuid, ${accountId}::uuid, ${template.name}, ${JSON.stringify(template.content)}::jsonb, ${template.by}::uuid
    from (select count(*) as kept from work_mode_templates
      where coalesce(organisation_id, account_id) = ${organisationId ?? accountId} and lower(name) <> lower(${template.name})) others
    where kept < ${most}
    on conflict (coalesce(organisation_id, account_id), lower(name))
      do update set name = excluded.name, content = excluded.content, created_by = excluded.created_by
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** A template that somebody may use, and whether it is of those that they keep themselves. */
export const templateOf = async (db: Db, keeper: Keeper, id: string) => {
  const row = await db
    .selectFrom('work_mode_templates')
    .where(ofKeeper(keeper))
    .where('id', '=', id)
    .select(['id', 'name', 'organisation_id', 'account_id'])
    .executeTakeFirst();
  return row && { name: row.name, isOwn: isKept(row, keeper) };
};

/** Whether a template is one of those that somebody keeps, not of an organisation above. */
export const isKept = (row: { organisation_id: string | null; account_id: string | null }, keeper: Keeper): boolean =>
  row.organisation_id === keeper.organisationId && row.account_id === keeper.accountId;

export const dropTemplate = (tx: Transaction<Database>, id: string) =>
  tx.deleteFrom('work_mode_templates').where('id', '=', id).execute();
