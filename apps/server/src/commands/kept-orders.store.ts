import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';

const AT_ONCE = 5_000;

/**
 * Takes away orders of plans that the portal made by itself, are over and older than a time, a part at a time; true while there may be more. What they
 * changed goes by its own rule, and what people ordered stays.
 */
export async function forgetOrdersOfPlans(db: Kysely<Database>, beforeMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('commands')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('commands')
        .select('id')
        .where('source', '=', 'plan')
        .where('ordered_by', 'is', null)
        .where('created_at', '<', new Date(beforeMs))
        .where('state', 'not in', openCommandStates)
        .orderBy('created_at')
        .limit(AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}
