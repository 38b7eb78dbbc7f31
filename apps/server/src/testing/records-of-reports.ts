import type { RecordPlaces, Whose } from './record-places.ts';

const who = (at: RecordPlaces, user: string, whose: Whose): Promise<string> =>
  whose === 'own' ? at.accountId(user) : at.someoneElse(user);

const reported = {
  source: 'plants',
  deviceIDs: [],
  stationIDs: [],
  variables: ['PVEnergyTotal'],
  interval: 'day',
} as const;

/** A report that failed. Administrators see those of all: a stranger's is one that has been deleted. */
export async function reportRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('reports')
    .values({
      account_id: await who(at, user, whose),
      name: 'Made',
      language: 'en',
      request: JSON.stringify({ ...reported, firstDay: '2026-11-10', lastDay: '2026-11-10' }),
      state: 'failed',
      failure: 'unexpected',
      asked_at: new Date(),
      finished_at: new Date(),
      kept_until: new Date(Date.now() + 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (at.hides(user, whose)) await at.db.deleteFrom('reports').where('id', '=', id).execute();
  return id;
}

export async function reportScheduleRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('report_schedules')
    .values({
      account_id: await who(at, user, whose),
      name: 'Made',
      language: 'en',
      request: JSON.stringify(reported),
      every: 'daily',
      weekday: 1,
      at: '06:00',
      time_zone: 'Europe/Berlin',
      next_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
