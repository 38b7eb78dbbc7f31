import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type SettingRule, settingRule } from '@sonnenwarte/device-protocol/settings/setting-rules';
import type { Kysely } from 'kysely';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import type { Ground } from './checked-values.ts';
import { withinBirth } from './setting-rows.ts';
import { haveTold, type StoredSetting, storedSettings } from './settings.store.ts';
import type { Subject } from './subjects.store.ts';

const AT_ONCE = 500;

/** By id of the device: what values of some names are checked against. Read in parts, so that many devices are no large answer. */
export async function groundsOf(
  db: Kysely<Database>,
  subjects: readonly Subject[],
  names: readonly string[],
  level: number | null,
): Promise<Map<string, Ground>> {
  const rules = new RulesOfModels(names);
  const grounds = new Map<string, Ground>();
  for (const part of partsOf(subjects, AT_ONCE)) {
    const ids = part.map(({ id }) => id);
    const [stored, told] = await Promise.all([
      storedSettings(db, ids, [...new Set([...names, ...rules.blockers])]),
      haveTold(db, ids),
    ]);
    for (const subject of part) {
      const own = stored.get(subject.id) ?? new Map<string, StoredSetting>();
      const all = rules.of(subject).map((rule) => withinBirth(rule, own.get(rule.name)));
      const there = told.has(subject.id) ? all.filter(({ name }) => own.get(name)?.reported != null) : all;
      grounds.set(subject.id, { rules: there, stored: own, level });
    }
  }
  return grounds;
}

/** Rules by model and firmware, each made once. */
class RulesOfModels {
  readonly #names: readonly string[];
  readonly #made = new Map<string, SettingRule[]>();
  readonly blockers: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.blockers = names.flatMap((name) => {
      const rule = settingRule({ kind: 'inverter', model: '', firmware: '' }, name);
      return rule?.blockedBy.map((each) => each.name) ?? [];
    });
  }

  of(subject: Subject): SettingRule[] {
    const key = `${subject.kind} ${subject.model} ${subject.firmware}`;
    const made = this.#made.get(key) ?? this.#names.flatMap((name) => settingRule(subject, name) ?? []);
    this.#made.set(key, made);
    return made;
  }
}

export const listed = (values: Readonly<Record<string, SettingValue>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
