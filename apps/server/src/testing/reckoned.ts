import { pino } from 'pino';
import { noteWrittenDays } from '../insight/due.store.ts';
import { workOff } from '../insight/work-off.ts';
import type { PlantsFixture } from './plants-fixture.ts';

const DAY_MS = 86_400_000;

/** Notes days of all plants of an organisation as written a day ago, so that they are due. */
export async function noteDays(plants: PlantsFixture, organisationID: string, days: readonly string[]): Promise<void> {
  const sites = await plants.db
    .selectFrom('sites')
    .select(['id', 'time_zone as zone'])
    .where('organisation_id', '=', organisationID)
    .execute();
  const nowMs = plants.time.nowMs ?? Date.now();
  await noteWrittenDays(
    plants.db,
    new Map(sites.map((site) => [site as never, new Set(days)])),
    // By a clock that is ahead of the last of them.
    Math.max(nowMs - DAY_MS, Date.parse(`${days.toSorted().at(-1)}T00:00:00Z`) + 2 * DAY_MS),
  );
  await plants.db
    .updateTable('insight_due')
    .set({ noted_at: new Date(nowMs - DAY_MS) })
    .execute();
}

/** Reckons all that is due, and nothing of the past beside. */
export const reckonAll = (plants: PlantsFixture): Promise<void> =>
  workOff({
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    nowMs: () => plants.time.nowMs ?? Date.now(),
    ending: new AbortController().signal,
    longestMs: Number.POSITIVE_INFINITY,
    longestFillingMs: 0,
  });
