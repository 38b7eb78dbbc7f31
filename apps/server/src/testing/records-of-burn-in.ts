import { randomUUID } from 'node:crypto';
import type { RecordPlaces } from './record-places.ts';

const plan = {
  duration_minutes: 60,
  steps: JSON.stringify([{ minutes: 60, percent: 100 }]),
  limits: JSON.stringify({ allowedCodes: [] }),
};

/** Plans are all of the platform's: a stranger's is none. */
export async function burnInPlanRecord({ db }: RecordPlaces): Promise<string> {
  const { id } = await db
    .insertInto('burn_in_plans')
    .values({ ...plan, name: `Made ${randomUUID()}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A run that has not begun. */
export async function burnInRunRecord({ db }: RecordPlaces): Promise<string> {
  const { id } = await db
    .insertInto('burn_in_runs')
    .values({ ...plan, rack: 'Made', plan_id: null, plan_name: 'Made', batch_id: null, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('burn_in_units').values({ run_id: id, position: 1, sn: randomUUID().toUpperCase() }).execute();
  return id;
}
