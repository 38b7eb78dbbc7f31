import type { Kysely, Transaction } from 'kysely';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';

/** Whether without this account no administrator with all codes could sign in. */
export async function isLastAdministrator(db: Kysely<Database>, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('accounts')
    .select('id')
    .where('level', '=', 255)
    .where('leads', '=', true)
    .where('id', '<>', id)
    .where('deleted_at', 'is', null)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

/**
 * Refuses to shut out the last administrator. Holds the platform's organisation, as a removal does, until the
 * transaction ends: of two who shut each other out the second is refused.
 */
export async function keepAnAdministrator(
  tx: Transaction<Database>,
  { id, level, leads }: { id: string; level: number; leads: boolean },
): Promise<void> {
  if (level !== 255 || !leads) return;
  const platform = await platformOrganisation(tx);
  await tx.selectFrom('organisations').select('id').where('id', '=', platform).forUpdate().execute();
  if (await isLastAdministrator(tx, id)) throw new CallError('lastAdministrator');
}
