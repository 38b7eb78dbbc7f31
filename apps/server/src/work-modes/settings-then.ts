import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { limitSettings, planSettings, type SettingValues } from './plan-settings.ts';

/** A setting as it was until a time; null: it was not told until then. */
export interface FormerSetting {
  readonly name: string;
  readonly value: SettingValue | null;
  readonly untilMs: number;
}

const names = [...planSettings, ...limitSettings];

/** Settings of a device that decide what its battery does, as they were before each change since a time, the newest first. */
export async function formerSettings(
  db: Kysely<Database>,
  deviceId: string,
  sinceMs: number,
): Promise<FormerSetting[]> {
  const rows = await db
    .selectFrom('setting_changes')
    .where('subject_id', '=', deviceId)
    .where('name', 'in', names)
    .where('at', '>=', new Date(sinceMs))
    .select(['name', 'from_value', 'at'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ name, from_value, at }) => ({ name, value: from_value, untilMs: at.getTime() }));
}

/** Settings that held until a time. */
interface HeldSettings {
  readonly values: SettingValues;
  readonly untilMs: number;
}

/**
 * Settings as they were before each change, the newest first, by those of now and what each changed. What a setting was before a device told it for the first
 * time is not known: it is taken as it was told then.
 *
 * @param former the newest first.
 */
export function settingsBefore(now: SettingValues, former: readonly FormerSetting[]): HeldSettings[] {
  const held: HeldSettings[] = [];
  let values = now;
  for (const { name, value, untilMs } of former) {
    if (value === null) continue;
    values = new Map(values).set(name, value);
    held.push({ values, untilMs });
  }
  return held;
}
