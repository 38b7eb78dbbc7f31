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

/** What a device does on an action, and how it went. */
export type RunAction = (action: DeviceAction, value: MetricValue) => ResultCodeNumber;

/** Answers the commands of one device or of the logger; the same id is answered the same way again and does nothing twice. */
export class CommandAnswers {
  readonly #settings: SettingsBank;
  readonly #runAction: RunAction;
  readonly #isPoint: (name: string) => boolean;
  readonly #results = new Map<string, SparkplugMetric[]>();

  /** @param isPoint whether a name is a measured point of the device, which can be read but not written. */
  constructor(settings: SettingsBank, isPoint: (name: string) => boolean, runAction: RunAction) {
    this.#settings = settings;
    this.#isPoint = isPoint;
    this.#runAction = runAction;
  }

  /** The metrics to answer with; undefined for a command that asks for no answer. */
  answer(payload: SparkplugPayload, nowMs: number): SparkplugMetric[] | undefined {
    const command = parseCommand(payload);
    const isForDevice = command.settings.length > 0 || command.reads.length > 0 || command.actions.length > 0;
    if (!isForDevice) return undefined;
    const { id } = command;
    const known = id === undefined ? undefined : this.#results.get(id);
    if (known !== undefined) return known;
    const { code, message, readBack } = this.#run(command, nowMs);
    // A plain Sparkplug host gives no id: the echo of the values is its answer.
    if (id === undefined) return readBack.map(({ name, datatype, value }) => ({ name, datatype, value }));
    const result = resultMetrics(id, code, message, readBack);
    this.#results.set(id, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= REMEMBERED_IDS) break;
      this.#results.delete(oldest);
    }
    return result;
  }

  #run(command: Command, nowMs: number): { code: ResultCodeNumber; message: string; readBack: SettingValue[] } {
    if (command.expiresMs !== undefined && command.expiresMs < nowMs) {
      return { code: ResultCode.expired, message: '', readBack: [] };
    }
    for (const { action, value } of command.actions) {
      const code = this.#runAction(action, value);
      if (code !== ResultCode.ok) return { code, message: `${CommandName.read.split('/')[0]}/${action}`, readBack: [] };
    }
    if (command.settings.length > 0) return this.#write(command);
    if (command.reads.length === 0) return { code: ResultCode.ok, message: '', readBack: [] };
    const { found, missing } = this.#settings.read(command.reads);
    if (missing.length === 0) return { code: ResultCode.ok, message: '', readBack: found };
    const code = found.length > 0 ? ResultCode.partial : ResultCode.unknownMetric;
    return { code, message: missing.join(','), readBack: found };
  }

  #write(command: Command): { code: ResultCodeNumber; message: string; readBack: SettingValue[] } {
    const wanted: { name: string; value: MetricValue }[] = [];
    for (const { name, value } of command.settings) {
      if (name === undefined) return { code: ResultCode.unknownMetric, message: 'alias', readBack: [] };
      if (this.#isPoint(name)) return { code: ResultCode.readOnly, message: name, readBack: [] };
      wanted.push({ name, value });
    }
    const result = this.#settings.write(wanted);
    const readBack = this.#settings.read(wanted.map(({ name }) => name)).found;
    return { ...result, readBack };
  }
}
