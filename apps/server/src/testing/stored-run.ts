import { burnInLimits } from '@sonnenwarte/contract/burn-in/plan';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';

interface StoredRun {
  readonly state?: 'planned' | 'running' | 'finished';
  readonly batchId?: string | null;
  readonly atMs?: number;
}

/** A run that stands in the database, with its units in their order and the devices that they are; one that is over has passed them. */
export async function storedRun(
  db: Kysely<Database>,
  units: readonly { readonly sn: string; readonly deviceId: string | null }[],
  { state = 'planned', batchId = null, atMs = Date.now() }: StoredRun = {},
): Promise<string> {
  const at = new Date(atMs);
  const isOver = state === 'finished';
  const { id } = await db
    .insertInto('burn_in_runs')
    .values({
      rack: 'R1',
      plan_id: null,
      plan_name: 'An hour',
      duration_minutes: 60,
      steps: JSON.stringify([{ minutes: 60, percent: 100 }]),
      limits: JSON.stringify(burnInLimits.parse({})),
      batch_id: batchId,
      created_at: at,
      state,
      started_at: state === 'planned' ? null : at,
      ended_at: isOver ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const unitState = { planned: 'waiting', running: 'running', finished: 'passed' } as const;
  for (const [place, { sn, deviceId }] of units.entries()) {
    await db
      .insertInto('burn_in_units')
      .values({
        run_id: id,
        position: place + 1,
        sn,
        device_id: deviceId,
        state: unitState[state],
        ended_at: isOver ? at : null,
      })
      .execute();
  }
  return id;
}

/** Ends a run that stands in the database: all its units have passed. */
export async function endStoredRun(db: Kysely<Database>, runId: string): Promise<void> {
  const at = new Date();
  await db.updateTable('burn_in_units').set({ state: 'passed', ended_at: at }).where('run_id', '=', runId).execute();
  await db.updateTable('burn_in_runs').set({ state: 'finished', ended_at: at }).where('id', '=', runId).execute();
}
