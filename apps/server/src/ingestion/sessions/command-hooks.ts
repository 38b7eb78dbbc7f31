import type { JsonAck } from '@sonnenwarte/device-protocol/json/json-onramp';
import type { MetricBounds } from '@sonnenwarte/device-protocol/points/births';
import { type PlainSetting, plainSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { CommandName, resultOf } from '@sonnenwarte/device-protocol/sparkplug/commands';
import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { DataloggerEntry, DeviceEntry } from '../registry/plant-model.ts';
import { type MetricBindings, readValueOf } from './bindings.ts';

export type Told = Readonly<Record<string, PlainSetting>>;

/** What the birth of a plain device lets be written to its metrics, by name. */
export type ToldBounds = Readonly<Record<string, MetricBounds>>;

/** What a device says of a command. */
export interface CommandResult {
  readonly id: string;
  readonly code: number;
  readonly message: string;
}

/** What hears of commands and settings in the messages of devices. */
export interface CommandHooks {
  /** Whether a device is waited for, so that all that it tells is looked at, and not its settings alone. */
  isAwaited(entry: DeviceEntry): boolean;
  /** A datalogger or device has told what it is. `isBack`: it was away before. */
  born(entry: DeviceEntry, isBack: boolean): void;
  told(entry: DeviceEntry, values: Told, isBirth: boolean, bounds: ToldBounds): void;
  answered(entry: DeviceEntry, result: CommandResult, values: Told): void;
  /** A datalogger has begun to listen. */
  listens(datalogger: DataloggerEntry): void;
}

/** Of one message. */
const MOST_SETTINGS = 200;
/** Nobody is answered of whom we have not asked: ids are ULIDs, of questions for values with `.r` behind them. */
const ID = /^[0-9A-HJKMNP-TV-Z]{26}(?:\.r)?$/;
const LONGEST_MESSAGE = 256;
const LONGEST_NAME = 64;
const NAME = /^[A-Za-z0-9]+(?:\/[A-Za-z0-9]+)+$/;
const SETTING = /^(?:Setting\/|Clock\/TimeZone$|Report\/Interval$)/;
const NO_SETTING = /^(?:Cmd|Properties|Node Control|Device Control|FaultRecord)\//;

export const isSettingName = (name: string): boolean => SETTING.test(name);

/** The settings among what was told. */
export const settingsOf = (values: Told): Told =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isSettingName(name)));

/** What a message says of commands and settings: a result, values of settings, and with `all` whatever else a command could have written. */
export function readFrame(
  metrics: readonly SparkplugMetric[],
  bindings: MetricBindings,
  all: boolean,
): { result: CommandResult | undefined; values: Told } {
  const frame: { name: string; value: string | number }[] = [];
  const values: Record<string, PlainSetting> = {};
  let count = 0;
  for (const metric of metrics) {
    if (metric.value === null || metric.isHistorical === true) continue;
    const binding = bindings.find(metric);
    if (binding === undefined) continue;
    const { name } = binding;
    const value = readValueOf(metric, binding);
    if (name.startsWith('Cmd/')) {
      if (typeof value === 'string' || typeof value === 'number') frame.push({ name, value });
      continue;
    }
    if (!(all || isSettingName(name)) || NO_SETTING.test(name)) continue;
    if (count >= MOST_SETTINGS || name.length > LONGEST_NAME || !NAME.test(name)) continue;
    const plain = plainSetting(value, metric.datatype ?? binding.datatype);
    if (plain === undefined) continue;
    count += 1;
    values[name] = plain;
  }
  const result = frame.length === 0 ? undefined : resultOf(frame);
  return { result: result && bounded(result), values };
}

/** Tells on what a message said. */
export function tellHooks(
  hooks: CommandHooks,
  entry: DeviceEntry,
  { result, values }: ReturnType<typeof readFrame>,
  isBirth: boolean,
): void {
  if (result !== undefined) hooks.answered(entry, result, values);
  // A birth tells all that a device has, its last result among it.
  if ((isBirth || result === undefined) && Object.keys(values).length > 0) {
    hooks.told(entry, values, isBirth, isBirth && entry.speaks === 'plain' ? boundsOf(entry, values) : {});
  }
}

function boundsOf({ bindings }: DeviceEntry, values: Told): ToldBounds {
  const bounds: Record<string, MetricBounds> = {};
  for (const name of Object.keys(values)) {
    const own = bindings?.declared(name)?.bounds;
    if (own !== undefined) bounds[name] = own;
  }
  return bounds;
}

/** The same of an answer of the JSON on-ramp. */
export function readAck({ id, code, message, values }: JsonAck): { result: CommandResult | undefined; values: Told } {
  const told: Record<string, PlainSetting> = {};
  for (const [name, value] of values.slice(0, MOST_SETTINGS)) {
    const plain = typeof value === 'string' ? plainSetting(value, undefined) : value;
    if (plain === undefined || name.length > LONGEST_NAME || !NAME.test(name) || NO_SETTING.test(name)) continue;
    told[name] = plain;
  }
  return { result: bounded({ id, code, message }), values: told };
}

function bounded({ id, code, message }: CommandResult): CommandResult | undefined {
  if (!ID.test(id) || !Number.isInteger(code) || Math.abs(code) > 32_767) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters, NUL and what turns the direction of text are what is taken out.
  const plain = message.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
  return { id, code, message: plain.slice(0, LONGEST_MESSAGE).toWellFormed() };
}

/** Whether a birth tells that it answers our commands: by its profile, or by the commands themselves. */
export const answersCommands = (metrics: readonly SparkplugMetric[]): boolean =>
  metrics.some(
    ({ name, value }) =>
      (name === 'Properties/Profile' && typeof value === 'string' && value.startsWith('PV-')) ||
      name === CommandName.id ||
      name === CommandName.resultId,
  );
