import { randomUUID } from 'node:crypto';
import { burnInLimits } from '@sonnenwarte/contract/burn-in/plan';
import type { RecordPlaces } from './record-places.ts';

const plan = {
  duration_minutes: 60,
  steps: JSON.stringify([{ minutes: 60, percent: 100 }]),
  limits: JSON.stringify(burnInLimits.parse({})),
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

/** As `sampleInput` names a unit, in capitals. */
const SAMPLE_SN = 'SAMPLE-NAME';

/** A run that has not begun, with a unit that has a verdict. */
export async function burnInRunRecord({ db }: RecordPlaces): Promise<string> {
  const { id } = await db
    .insertInto('burn_in_runs')
    .values({ ...plan, rack: 'Made', plan_id: null, plan_name: 'Made', batch_id: null, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('burn_in_units')
    .values({ run_id: id, position: 1, sn: SAMPLE_SN, state: 'passed', ended_at: new Date() })
    .execute();
  return id;
}
