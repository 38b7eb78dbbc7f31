import {
  type Command,
  CommandName,
  type DeviceAction,
  parseCommand,
  ResultCode,
  type ResultCodeNumber,
  resultMetrics,
  type SettingValue,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import type {
  MetricValue,
  SparkplugMetric,
  SparkplugPayload,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { SettingsBank } from './settings-bank.ts';

const REMEMBERED_IDS = 64;

/** How an action went: its code, and what else the answer tells. */
export interface ActionDone {
  readonly code: ResultCodeNumber;
  readonly told: SparkplugMetric[];
}

/** What a device does on an action, with its parameters by name. */
export type RunAction = (
  action: DeviceAction,
  value: MetricValue,
  parameters: ReadonlyMap<string, MetricValue>,
) => ResultCodeNumber | ActionDone;

interface Answer {
  readonly code: ResultCodeNumber;
  readonly message: string;
  readonly readBack: SettingValue[];
  readonly told?: SparkplugMetric[];
}

/** Why a device will not write a setting now. */
export type Refusal = (name: string) => ResultCodeNumber | undefined;

/** Answers the commands of one device or of the logger; the same id is answered the same way again and does nothing twice. */
export class CommandAnswers {
  readonly #settings: SettingsBank;
  readonly #runAction: RunAction;
  readonly #isPoint: (name: string) => boolean;
  readonly #results = new Map<string, SparkplugMetric[]>();
  /** Whether the last command was none that it had answered before. */
  isNew = false;
  /** It knows no ids and no results, and tells what it has after it was written. */
  isPlain = false;
  refusal: Refusal = () => undefined;
  /** What it does with the password that it is to connect with from now on. */
  takeCredential: (credential: string) => ResultCodeNumber = () => ResultCode.unknownMetric;
  /** Names by the aliases of the birth. */
  nameOf: (alias: number) => string | undefined = () => undefined;

  /** @param isPoint whether a name is a measured point of the device, which can be read but not written. */
  constructor(settings: SettingsBank, isPoint: (name: string) => boolean, runAction: RunAction) {
    this.#settings = settings;
    this.#isPoint = isPoint;
    this.#runAction = runAction;
  }

  /** The metrics to answer with; undefined for a command that asks for no answer. */
  answer(payload: SparkplugPayload, nowMs: number): SparkplugMetric[] | undefined {
    const command = parseCommand(payload);
    const isForDevice =
      command.newCredential !== undefined ||
      command.settings.length > 0 ||
      command.reads.length > 0 ||
      command.actions.length > 0;
    if (!isForDevice) return undefined;
    const id = this.isPlain ? undefined : command.id;
    const known = id === undefined ? undefined : this.#results.get(id);
    this.isNew = known === undefined;
    if (known !== undefined) return known;
    const { code, message, readBack, told = [] } = this.#run(command, nowMs);
    // A plain Sparkplug host gives no id: the echo of the values is its answer.
    if (id === undefined) return readBack.map(({ name, datatype, value }) => ({ name, datatype, value }));
    const result = [...resultMetrics(id, code, message, readBack), ...told];
    this.#results.set(id, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= REMEMBERED_IDS) break;
      this.#results.delete(oldest);
    }
    return result;
  }

  #run(command: Command, nowMs: number): Answer {
    if (command.expiresMs !== undefined && command.expiresMs < nowMs) {
      return { code: ResultCode.expired, message: '', readBack: [] };
    }
    if (command.newCredential !== undefined)
      return { code: this.takeCredential(command.newCredential), message: '', readBack: [] };
    const told: SparkplugMetric[] = [];
    const parameters = new Map(
      command.settings.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value] as const])),
    );
    for (const { action, value } of command.actions) {
      const done = this.#runAction(action, value, parameters);
      const { code } = typeof done === 'number' ? { code: done } : done;
      if (code !== ResultCode.ok) return { code, message: `${CommandName.read.split('/')[0]}/${action}`, readBack: [] };
      if (typeof done !== 'number') told.push(...done.told);
    }
    // What stands beside an action are its parameters.
    if (command.actions.length > 0) return { code: ResultCode.ok, message: '', readBack: [], told };
    if (command.settings.length > 0) return this.#write(command);
    if (command.reads.length === 0) return { code: ResultCode.ok, message: '', readBack: [] };
    const { found, missing } = this.#settings.read(command.reads);
    if (missing.length === 0) return { code: ResultCode.ok, message: '', readBack: found };
    const code = found.length > 0 ? ResultCode.partial : ResultCode.unknownMetric;
    return { code, message: missing.join(','), readBack: found };
  }

  #write(command: Command): { code: ResultCodeNumber; message: string; readBack: SettingValue[] } {
    const wanted: { name: string; value: MetricValue }[] = [];
    for (const { name: told, alias, value } of command.settings) {
      const name = told ?? (alias === undefined ? undefined : this.nameOf(alias));
      if (name === undefined) return { code: ResultCode.unknownMetric, message: 'alias', readBack: [] };
      if (this.#isPoint(name)) return { code: ResultCode.readOnly, message: name, readBack: [] };
      wanted.push({ name, value });
    }
    const refused = wanted.find(({ name }) => this.refusal(name) !== undefined);
    const result =
      refused === undefined
        ? this.#settings.write(wanted)
        : { code: this.refusal(refused.name) ?? ResultCode.refused, message: refused.name };
    const readBack = this.#settings.read(wanted.map(({ name }) => name)).found;
    return { ...result, readBack };
  }
}
