import { LEAST_SOC, MOST_PEAK_W, MOST_SOC, type PlanBounds } from '@sonnenwarte/contract/work-modes/plan';
import type { Kysely } from 'kysely';
import { systemScope } from '../access/scope.ts';
import { groundsOf } from '../remote-settings/grounds.ts';
import { subjectsOf } from '../remote-settings/subjects.store.ts';
import type { Database } from '../stores/schema.ts';

const settings = { minSoc: 'Setting/MinSoc', backupSoc: 'Setting/BackupSoc', peakLimitW: 'Setting/PeakLimit' } as const;

/** Between what values of a plan lie so that each of the devices that take it has them. */
export async function planBounds(
  db: Kysely<Database>,
  deviceIds: readonly string[],
  nowMs: number,
): Promise<PlanBounds> {
  const subjects = await subjectsOf(db, systemScope, deviceIds, nowMs);
  const grounds = [...(await groundsOf(db, subjects, Object.values(settings), null)).values()];
  const boundsOf = (name: string, least: number, most: number) => {
    const rules = grounds.flatMap(({ rules: own }) => own.filter((rule) => rule.name === name));
    return {
      least: Math.max(least, ...rules.map(({ low }) => low ?? least)),
      most: Math.min(most, ...rules.map(({ high }) => high ?? most)),
      canWrite: !rules.some(({ isReadOnly }) => isReadOnly),
    };
  };
  return {
    minSoc: boundsOf(settings.minSoc, LEAST_SOC, MOST_SOC),
    backupSoc: boundsOf(settings.backupSoc, LEAST_SOC, MOST_SOC),
    peakLimitW: boundsOf(settings.peakLimitW, 0, MOST_PEAK_W),
  };
}
