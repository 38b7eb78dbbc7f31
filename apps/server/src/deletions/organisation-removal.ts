import { UNDO_DAYS } from '@sonnenwarte/contract/deletions/deletions';
import type { Consequences } from '@sonnenwarte/contract/organisations/organisations';
import { type Kysely, sql, type Transaction } from 'kysely';
import { endSessionsOf } from '../accounts/sessions.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { idsOf, noteBefore } from '../tenancy/images.ts';
import { moveAccounts, tenancyChanged } from '../tenancy/moves.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export interface RemovableOrganisation {
  readonly id: string;
  readonly parent_id: string | null;
  readonly kind: Database['organisations']['kind'];
}

/** What deleting an organisation would take with it. */
export async function organisationConsequences(
  db: Db,
  { id, parent_id }: RemovableOrganisation,
): Promise<Consequences> {
  const { rows } = await sql<Omit<Consequences, 'undoDays' | 'movedSites' | 'membersBesides'>>`
    with own as (select id from sites where organisation_id = ${id} and deleted_at is null)
    select
      (select count(*)::int from own) as sites,
      (select count(*)::int from devices where deleted_at is null and site_id in (select id from own)) as devices,
      (select count(*)::int from loggers where site_id in (select id from own)) as loggers,
      (select count(*)::int from accounts where organisation_id = ${id} and deleted_at is null and level <> 1) as accounts,
      (select count(*)::int from accounts where organisation_id = ${id} and deleted_at is null and level = 1) as "endUsers",
      (select count(*)::int from organisations where parent_id = ${id} and deleted_at is null) as "organisationsBelow",
      (select name from organisations where id = ${parent_id}) as "goesTo"`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('counting gave no row');
  return {
    ...counts,
    goesTo: counts.endUsers > 0 ? counts.goesTo : null,
    movedSites: 0,
    membersBesides: 0,
    undoDays: UNDO_DAYS,
  };
}

/** Whether it may be deleted: nothing hangs below it, but an installer takes its plants with it. */
export const isRemovable = ({ kind }: Pick<RemovableOrganisation, 'kind'>, found: Consequences): boolean =>
  kind !== 'platform' &&
  found.organisationsBelow === 0 &&
  (kind === 'installer' || (found.sites === 0 && found.endUsers === 0));

/**
 * Deletes an organisation with its accounts; an installer with its plants, its end users going to the organisation above.
 * The caller has locked its row, and records deletion and audit.
 */
export async function removeOrganisation(
  tx: Tx,
  organisation: RemovableOrganisation,
  at: Date,
): Promise<{ change: string; consequences: Consequences }> {
  const { id, parent_id } = organisation;
  // Locked while they are listed: what is moved away meanwhile is waited for and then no longer among them.
  const accounts = await tx
    .selectFrom('accounts')
    .select(['id', 'level'])
    .where('organisation_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  const change = await noteBefore(tx, {
    organisations: [id],
    accounts: accounts.map((account) => account.id),
    sites: sql`t.organisation_id = ${id} and t.deleted_at is null`,
  });
  const consequences = await organisationConsequences(tx, organisation);
  if (!isRemovable(organisation, consequences)) throw new CallError('organisationNotEmpty');
  const endUserIds = accounts.filter(({ level }) => level === 1).map((account) => account.id);
  const memberIds = accounts.filter(({ level }) => level !== 1).map((account) => account.id);
  if (parent_id !== null) await moveAccounts(tx, endUserIds, parent_id);
  const deleted = { deleted_at: at };
  await tx
    .updateTable('sites')
    .set(deleted)
    .where(sql<boolean>`id in (${idsOf(change, 'sites')})`)
    .execute();
  await tx
    .updateTable('accounts')
    .set({ ...deleted, updated_at: at })
    .where(sql<boolean>`id = any(${memberIds}::uuid[])`)
    .execute();
  await tx
    .updateTable('organisations')
    .set({ ...deleted, updated_at: at })
    .where('id', '=', id)
    .execute();
  await endSessionsOf(tx, memberIds, 'organisationDeleted');
  await tenancyChanged(tx);
  return { change, consequences };
}
