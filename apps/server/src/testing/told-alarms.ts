import type { PlantsFixture } from './plants-fixture.ts';

interface ToldAlarm {
  readonly device: string | null;
  readonly code?: number;
  readonly level?: number;
  readonly sinceMs: number;
  readonly untilMs?: number | null;
}

/** A device tells an alarm; answers its id. */
export const tellAlarm = (
  { db }: PlantsFixture,
  { device, code = 3001, level = 3, sinceMs, untilMs = null }: ToldAlarm,
): Promise<{ id: string }> =>
  db
    .insertInto('alarms')
    .values({
      device_id: device,
      logger_id: null,
      site_id: null,
      code,
      level,
      since: new Date(sinceMs),
      until: untilMs === null ? null : new Date(untilMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();

/** What was told ends, and is folded anew. */
export const endAlarm = ({ db }: PlantsFixture, id: string, untilMs: number) =>
  db
    .updateTable('alarms')
    .set({ until: new Date(untilMs), folded: false })
    .where('id', '=', id)
    .execute();
