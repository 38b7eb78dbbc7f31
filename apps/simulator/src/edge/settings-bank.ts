import { type DeviceKind, type Setting, settingByName, settings } from '@sonnenwarte/device-protocol/points/points';
import { ResultCode, type ResultCodeNumber, type SettingValue } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { DataSet, MetricValue } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';

/** Called with a checked value, before it is kept. */
export type ApplySetting = (name: string, value: MetricValue) => void;

/** The settings of one device: checked, applied all or nothing, read back. */
export class SettingsBank {
  readonly #values = new Map<string, SettingValue>();
  readonly #apply: ApplySetting;

  constructor(initial: Readonly<Record<string, MetricValue>>, apply: ApplySetting) {
    this.#apply = apply;
    for (const [name, value] of Object.entries(initial)) {
      const setting = settingByName(name);
      if (setting === undefined) throw new Error(`the catalogue knows no setting ${name}`);
      this.#values.set(name, { name, datatype: setting.datatype, value });
    }
  }

  all(): SettingValue[] {
    return [...this.#values.values()];
  }

  get(name: string): SettingValue | undefined {
    return this.#values.get(name);
  }

  /** What a read asks for: names, or prefixes ending in `*`. `missing` names what is not there. */
  read(names: readonly string[]): { found: SettingValue[]; missing: string[] } {
    const found = new Map<string, SettingValue>();
    const missing: string[] = [];
    for (const name of names) {
      const matches = name.endsWith('*')
        ? this.all().filter((each) => each.name.startsWith(name.slice(0, -1)))
        : this.all().filter((each) => each.name === name);
      if (matches.length === 0) missing.push(name);
      for (const each of matches) found.set(each.name, each);
    }
    return { found: [...found.values()], missing };
  }

  /** Writes all or nothing. The first thing wrong decides the code. */
  write(wanted: readonly { name: string; value: MetricValue }[]): { code: ResultCodeNumber; message: string } {
    for (const { name, value } of wanted) {
      const setting = settingByName(name);
      if (setting === undefined || !this.#values.has(name)) return { code: ResultCode.unknownMetric, message: name };
      const problem = problemOf(setting, value);
      if (problem !== undefined) return { code: ResultCode.outOfRange, message: `${name}: ${problem}` };
    }
    for (const { name, value } of wanted) {
      const held = this.#values.get(name);
      if (held === undefined) continue;
      this.#apply(name, value);
      held.value = value;
    }
    return { code: ResultCode.ok, message: '' };
  }
}

function problemOf(setting: Setting, value: MetricValue): string | undefined {
  if (setting.datatype === DataType.DataSet) return tableProblem(setting, value);
  if (setting.datatype === DataType.Boolean) return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (setting.datatype === DataType.String) {
    if (typeof value !== 'string') return 'must be a text';
    return isChoice(setting, value) ? undefined : 'is none of the choices';
  }
  if (typeof value !== 'number') return 'must be a number';
  if (!isChoice(setting, value)) return 'is none of the choices';
  return rangeProblem(value, setting.low, setting.high);
}

function isChoice(setting: Setting, value: number | string): boolean {
  return setting.options === undefined || setting.options.some((option) => option.value === value);
}

function rangeProblem(value: number, low?: number, high?: number): string | undefined {
  const isInside = value >= (low ?? Number.NEGATIVE_INFINITY) && value <= (high ?? Number.POSITIVE_INFINITY);
  return isInside ? undefined : `must be from ${low ?? '-'} to ${high ?? '-'}`;
}

function tableProblem(setting: Setting, value: MetricValue): string | undefined {
  if (!isDataSet(value)) return 'must be a table';
  if (setting.maxRows === 1 && value.rows.length === 0) return 'has no row';
  if (value.rows.length > (setting.maxRows ?? Number.POSITIVE_INFINITY)) return `has more than ${setting.maxRows} rows`;
  for (const column of setting.columns ?? []) {
    const index = value.columns.indexOf(column.name);
    if (index < 0) return `has no column ${column.name}`;
    for (const row of value.rows) {
      const cell = row[index];
      if (typeof cell !== 'number') return `${column.name} must be a number`;
      const problem = rangeProblem(cell, column.low, column.high);
      if (problem !== undefined) return `${column.name} ${problem}`;
    }
  }
  return undefined;
}

export function isDataSet(value: MetricValue): value is DataSet {
  return typeof value === 'object' && 'rows' in value;
}

/** A table without rows for a setting that is one. */
export function emptyTable(name: string): DataSet {
  const columns = settingByName(name)?.columns ?? [];
  return { columns: columns.map((each) => each.name), types: columns.map((each) => each.datatype), rows: [] };
}

/** Names of all settings that a kind of device has. */
export function settingNames(kind: DeviceKind): string[] {
  return settings.filter((setting) => setting.kinds.includes(kind)).map((setting) => setting.name);
}
