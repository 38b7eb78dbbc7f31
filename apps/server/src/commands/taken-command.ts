import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { recordEnds } from './command-audit.ts';

/** A datalogger has connected with the password that a command told it, which is thereby confirmed, whatever it had answered. */
export async function endTaken(tx: Transaction<Database>, commandId: string): Promise<void> {
  const ended = await tx
    .updateTable('commands')
    .set({ state: 'confirmed', done_at: sql`now()`, due_at: null, sent_at: sql`coalesce(sent_at, now())` })
    .where('id', '=', commandId)
    .where('state', 'in', [...openCommandStates, 'timedOut'])
    .returning(['id', 'kind', 'ordered_by as orderedBy', 'state', 'code', 'message', 'read_back as readBack'])
    .execute();
  await recordEnds(tx, ended);
}
