import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { buildCommand } from '@sonnenwarte/device-protocol/json/json-onramp';
import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import {
  actionCommand,
  credentialCommand,
  plainWrite,
  ResultCode,
  readCommand,
  rebirthCommand,
  type SettingValue as SettingMetric,
  writeCommand,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import { encodePayload, type SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { GROUP, jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { MessageSource } from '../broker/message-source.ts';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { type OpenCommand, readingIdOf } from './open-command.ts';

/** Why a command cannot be put into words that the device knows. */
export class UnspeakableError extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnspeakableError';
    this.code = code;
  }
}

/** The password that a command tells a datalogger to take; undefined where it is good no longer. */
export type CredentialOf = (command: Pick<OpenCommand, 'id' | 'loggerSn'>) => Promise<string | undefined>;

/** Commands on their way to those that they are for: over Sparkplug, or as JSON. */
export class Wire {
  readonly #registry: Pick<Registry, 'deviceById' | 'dataloggerBySn'>;
  readonly #source: () => MessageSource | undefined;
  readonly #credentialOf: CredentialOf;

  constructor(
    registry: Pick<Registry, 'deviceById' | 'dataloggerBySn'>,
    source: () => MessageSource | undefined,
    credentialOf: CredentialOf = async () => undefined,
  ) {
    this.#registry = registry;
    this.#source = source;
    this.#credentialOf = credentialOf;
  }

  /** Whom a command is for, as far as it is held here. */
  entryOf({ deviceId, loggerSn }: Pick<OpenCommand, 'deviceId' | 'loggerSn'>): DeviceEntry | undefined {
    return deviceId === null ? this.#registry.dataloggerBySn(loggerSn)?.self : this.#registry.deviceById(deviceId);
  }

  /** Whether it hears what it is told now. */
  isThere(entry: DeviceEntry | undefined): entry is DeviceEntry {
    if (entry === undefined || entry.isRefused) return false;
    const { datalogger } = entry;
    if (!datalogger.online || !(entry.isDatalogger || entry.online)) return false;
    if (datalogger.isJson) return this.#source()?.hears(datalogger.sn, jsonTopic(datalogger.sn, 'cmd')) === true;
    return entry.speaks !== undefined;
  }

  /** Sends a command. Rejects with an UnspeakableError where that can never be done. */
  async send(entry: DeviceEntry, command: OpenCommand): Promise<void> {
    if (command.content.action === 'NewCredential') return this.#sendCredential(entry, command);
    if (entry.datalogger.isJson && isOfRecords(command))
      throw new UnspeakableError(ResultCode.unknownMetric, 'fault records are read over Sparkplug');
    if (entry.datalogger.isJson)
      return this.#sendJson(entry, command.id, { ...jsonOf(command), expiresMs: command.expiresMs });
    if (isPlain(entry)) return this.#sendPlain(entry, command);
    await this.#publish(entry, sparkplugOf(command, entry));
  }

  /** Asks for the values that a command wrote. */
  async askBack(entry: DeviceEntry, command: OpenCommand): Promise<void> {
    const names = Object.keys(command.content.values ?? {});
    const id = readingIdOf(command);
    if (entry.datalogger.isJson) return this.#sendJson(entry, id, { op: 'get', args: { names } });
    if (isPlain(entry)) return this.#askForBirth(entry);
    await this.#publish(entry, readCommand(id, Date.now() + EXPIRES_READING_MS, names));
  }

  /** A password goes over an encrypted connection, to whom knows what to do with it, or not at all. */
  async #sendCredential(entry: DeviceEntry, command: OpenCommand): Promise<void> {
    if (this.#source()?.isSecure(entry.datalogger.sn) !== true) throw new UnspeakableError(ResultCode.refused, 'TLS');
    if (isPlain(entry)) throw new UnspeakableError(ResultCode.unknownMetric, 'the device knows no commands');
    const credential = await this.#credentialOf(command);
    if (credential === undefined)
      throw new UnspeakableError(ResultCode.refused, 'the password is not offered any more');
    const { id, expiresMs } = command;
    if (entry.datalogger.isJson) {
      return this.#sendJson(entry, id, { op: 'action', args: { action: 'NewCredential', credential }, expiresMs });
    }
    await this.#publish(entry, credentialCommand(id, expiresMs, credential));
  }

  async #sendPlain(entry: DeviceEntry, command: OpenCommand): Promise<void> {
    const { kind, content } = command;
    if (kind === 'action') throw new UnspeakableError(ResultCode.unknownMetric, 'the device knows no commands');
    // Its birth tells all that it has.
    if (kind === 'read') return this.#askForBirth(entry);
    holdToBirth(entry, content.values);
    await this.#publish(entry, plainWrite(metricsOf(content.values, entry)));
  }

  #askForBirth(entry: DeviceEntry): Promise<void> {
    return this.#publish(entry.datalogger.self, rebirthCommand());
  }

  async #publish(entry: DeviceEntry, payload: SparkplugPayload): Promise<void> {
    const { sn, group } = entry.datalogger;
    const topic = entry.isDatalogger
      ? sparkplugTopic(group || GROUP, 'NCMD', sn)
      : sparkplugTopic(group || GROUP, 'DCMD', sn, entry.calledSn);
    await this.#source()?.publish(topic, Buffer.from(encoded(payload)));
  }

  async #sendJson(
    entry: DeviceEntry,
    id: string,
    asked: Omit<Parameters<typeof buildCommand>[0], 'id' | 'dev'>,
  ): Promise<void> {
    const { sn } = entry.datalogger;
    const dev = entry.isDatalogger ? {} : { dev: entry.calledSn };
    await this.#source()?.publish(jsonTopic(sn, 'cmd'), Buffer.from(buildCommand({ id, ...dev, ...asked })), {
      qos: 1,
    });
  }
}

/** Their parts are bytes, for which the JSON on-ramp has no answer. */
const isOfRecords = ({ content }: OpenCommand): boolean =>
  content.action === 'FaultRecordList' || content.action === 'FaultRecordRead';

const EXPIRES_READING_MS = 60_000;

/** Whether it knows nothing of our commands, and says what it has taken by telling its value. */
export const isPlain = ({ speaks, datalogger }: DeviceEntry): boolean => !datalogger.isJson && speaks === 'plain';

/** A plain device does not answer what it does not take: what its birth forbids is not sent, whoever ordered it. */
function holdToBirth({ bindings }: DeviceEntry, values: Readonly<Record<string, SettingValue>> = {}): void {
  for (const [name, value] of Object.entries(values)) {
    const { low, high, isReadOnly } = bindings?.declared(name)?.bounds ?? {};
    if (isReadOnly) throw new UnspeakableError(ResultCode.readOnly, `${name} is read only`);
    if (typeof value !== 'number') continue;
    if ((low !== undefined && value < low) || (high !== undefined && value > high))
      throw new UnspeakableError(ResultCode.outOfRange, `${name} is to be from ${low ?? '-∞'} to ${high ?? '∞'}`);
  }
}

function sparkplugOf({ id, kind, content, expiresMs }: OpenCommand, entry: DeviceEntry): SparkplugPayload {
  if (kind === 'read') return readCommand(id, expiresMs, content.names ?? []);
  if (kind === 'write') return writeCommand(id, expiresMs, metricsOf(content.values, entry));
  if (content.action === undefined || content.action === 'NewCredential')
    throw new UnspeakableError(ResultCode.unknownMetric, 'the command names no action');
  return actionCommand(id, expiresMs, content.action, metricsOf(content.parameters, entry));
}

function jsonOf({ kind, content }: OpenCommand): Pick<Parameters<typeof buildCommand>[0], 'op' | 'args'> {
  if (kind === 'read') return { op: 'get', args: { names: content.names ?? [] } };
  if (kind === 'write') return { op: 'set', args: content.values ?? {} };
  return { op: 'action', args: { ...content.parameters, action: content.action ?? '' } };
}

/** By the alias that its birth has given, where it has given one: so the standard has it. */
function metricsOf(values: Readonly<Record<string, SettingValue>> | undefined, entry: DeviceEntry): SettingMetric[] {
  return Object.entries(values ?? {}).map(([name, value]) => {
    const declared = entry.bindings?.declared(name);
    const metric = settingMetric(name, value, declared?.datatype);
    return declared?.alias === undefined ? metric : { ...metric, alias: declared.alias };
  });
}

function encoded(payload: SparkplugPayload): Uint8Array {
  try {
    return encodePayload(payload);
  } catch (error) {
    throw new UnspeakableError(ResultCode.outOfRange, error instanceof Error ? error.message : '', { cause: error });
  }
}
