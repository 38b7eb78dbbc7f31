import { DataType } from './datatypes.ts';
import type { MetricValue, SparkplugMetric, SparkplugPayload } from './sparkplug-payload.ts';

/** Names of the metrics that commands and their results consist of. */
export const CommandName = {
  id: 'Cmd/Id',
  expires: 'Cmd/Expires',
  resultId: 'Cmd/Result/Id',
  resultCode: 'Cmd/Result/Code',
  resultMessage: 'Cmd/Result/Message',
  rebirth: 'Node Control/Rebirth',
  newCredential: 'Node Control/NewCredential',
  read: 'Device Control/Read',
  reboot: 'Device Control/Reboot',
  clearHistory: 'Device Control/ClearHistory',
  clearAlarm: 'Device Control/ClearAlarm',
  startStop: 'Device Control/StartStop',
  ivScan: 'Device Control/IvScan',
  faultRecordList: 'Device Control/FaultRecordList',
  faultRecordRead: 'Device Control/FaultRecordRead',
  clockUtc: 'Clock/Utc',
  historyFrom: 'History/Request/From',
  historyTo: 'History/Request/To',
} as const;

/** Codes of `Cmd/Result/Code`. */
export const ResultCode = {
  ok: 0,
  unknownMetric: 1,
  outOfRange: 2,
  readOnly: 3,
  busy: 4,
  notAnswering: 5,
  refused: 6,
  readBackDiffers: 7,
  expired: 8,
  internal: 9,
  partial: 10,
} as const;

export type ResultCodeNumber = (typeof ResultCode)[keyof typeof ResultCode];

/** Actions that a device can be told to do. */
const deviceActions = [
  'Reboot',
  'ClearHistory',
  'ClearAlarm',
  'StartStop',
  'IvScan',
  'FaultRecordList',
  'FaultRecordRead',
] as const;
export type DeviceAction = (typeof deviceActions)[number];

const actionPrefix = 'Device Control/';
const actions: readonly string[] = deviceActions;

/** A setting to be written, or its value as read back. */
export interface SettingValue {
  name: string;
  /** Where its birth has given one: it then stands for the name, as the standard has it. */
  alias?: number;
  datatype: number;
  value: MetricValue;
}

/** What a command payload asks for. `settings` are its metrics that are no part of the frame. */
export interface Command {
  id?: string;
  expiresMs?: number;
  rebirth: boolean;
  /** Names or prefixes ending in `*`, from `Device Control/Read`. */
  reads: string[];
  actions: { action: DeviceAction; value: MetricValue }[];
  /** The password to connect with from now on. */
  newCredential?: string;
  settings: { name?: string; alias?: number; datatype?: number; value: MetricValue }[];
  clockUtcMs?: number;
  history?: { fromMs: number; toMs: number };
}

/** NCMD that asks an edge node for all its births. */
export function rebirthCommand(): SparkplugPayload {
  return command([{ name: CommandName.rebirth, datatype: DataType.Boolean, value: true }]);
}

/** NCMD that sets the node's clock. */
export function clockCommand(utcMs: number): SparkplugPayload {
  return command([{ name: CommandName.clockUtc, datatype: DataType.DateTime, value: utcMs }]);
}

/** NCMD that asks for the stored samples from `fromMs` to `toMs`. */
export function historyCommand(fromMs: number, toMs: number): SparkplugPayload {
  return command([
    { name: CommandName.historyFrom, datatype: DataType.DateTime, value: fromMs },
    { name: CommandName.historyTo, datatype: DataType.DateTime, value: toMs },
  ]);
}

/** DCMD or NCMD that writes settings, all or nothing; void after `expiresMs`. */
export function writeCommand(id: string, expiresMs: number, settings: readonly SettingValue[]): SparkplugPayload {
  return command([...frame(id, expiresMs), ...settings.map(metricOf)]);
}

/** DCMD or NCMD that writes metrics of a plain Sparkplug device, which knows no ids: it answers by telling what it has then. */
export function plainWrite(settings: readonly SettingValue[]): SparkplugPayload {
  return command(settings.map(metricOf));
}

/** DCMD that asks for the values of `names`, each a metric name or a prefix such as `Setting/*`. */
export function readCommand(id: string, expiresMs: number, names: readonly string[]): SparkplugPayload {
  return command([
    ...frame(id, expiresMs),
    { name: CommandName.read, datatype: DataType.String, value: names.join(',') },
  ]);
}

/** DCMD for an action; `extra` holds its parameters, such as `IV/Request/Points`. */
export function actionCommand(
  id: string,
  expiresMs: number,
  action: DeviceAction,
  extra: readonly SettingValue[] = [],
): SparkplugPayload {
  return command([
    ...frame(id, expiresMs),
    { name: `${actionPrefix}${action}`, datatype: DataType.Boolean, value: true },
    ...extra.map(metricOf),
  ]);
}

/** NCMD that gives a datalogger the password to connect with from now on; over TLS only. */
export function credentialCommand(id: string, expiresMs: number, credential: string): SparkplugPayload {
  return command([
    ...frame(id, expiresMs),
    { name: CommandName.newCredential, datatype: DataType.String, value: credential },
  ]);
}

/** Reads the payload of an NCMD or DCMD. Metrics without a value are left out, as the standard demands one in each. */
export function parseCommand(payload: SparkplugPayload): Command {
  const parsed: Command = { rebirth: false, reads: [], actions: [], settings: [] };
  let fromMs: number | undefined;
  let toMs: number | undefined;
  for (const { name, alias, datatype, value } of payload.metrics) {
    if (value === null) continue;
    const action = name?.startsWith(actionPrefix) ? name.slice(actionPrefix.length) : '';
    if (name === CommandName.id && typeof value === 'string') parsed.id = value;
    else if (name === CommandName.expires && typeof value === 'number') parsed.expiresMs = value;
    else if (name === CommandName.rebirth) parsed.rebirth = value === true;
    else if (name === CommandName.newCredential && typeof value === 'string') parsed.newCredential = value;
    else if (name === CommandName.clockUtc && typeof value === 'number') parsed.clockUtcMs = value;
    else if (name === CommandName.historyFrom && typeof value === 'number') fromMs = value;
    else if (name === CommandName.historyTo && typeof value === 'number') toMs = value;
    else if (name === CommandName.read && typeof value === 'string') parsed.reads.push(...listed(value));
    else if (isAction(action)) parsed.actions.push({ action, value });
    else {
      parsed.settings.push({
        ...(name === undefined ? {} : { name }),
        ...(alias === undefined ? {} : { alias }),
        ...(datatype === undefined ? {} : { datatype }),
        value,
      });
    }
  }
  if (fromMs !== undefined && toMs !== undefined) parsed.history = { fromMs, toMs };
  return parsed;
}

/** The metrics of a result (DDATA or NDATA), with the read-back value of every touched setting. */
export function resultMetrics(
  id: string,
  code: ResultCodeNumber,
  message = '',
  readBack: readonly SettingValue[] = [],
): SparkplugMetric[] {
  return [
    { name: CommandName.resultId, datatype: DataType.String, value: id },
    { name: CommandName.resultCode, datatype: DataType.Int32, value: code },
    { name: CommandName.resultMessage, datatype: DataType.String, value: message },
    ...readBack.map(metricOf),
  ];
}

/** The result within the metrics of a message (already resolved to names), undefined where there is none. */
export function resultOf(
  metrics: readonly { name?: string | undefined; value: MetricValue | null }[],
): { id: string; code: number; message: string } | undefined {
  let id: string | undefined;
  let code: number | undefined;
  let message = '';
  for (const { name, value } of metrics) {
    if (name === CommandName.resultId && typeof value === 'string') id = value;
    else if (name === CommandName.resultCode && typeof value === 'number') code = value;
    else if (name === CommandName.resultMessage && typeof value === 'string') message = value;
  }
  return id === undefined || code === undefined ? undefined : { id, code, message };
}

function metricOf({ name, alias, datatype, value }: SettingValue): SparkplugMetric {
  return alias === undefined ? { name, datatype, value } : { alias, datatype, value };
}

function command(metrics: SparkplugMetric[]): SparkplugPayload {
  return { timestampMs: Date.now(), metrics };
}

function frame(id: string, expiresMs: number): SparkplugMetric[] {
  return [
    { name: CommandName.id, datatype: DataType.String, value: id },
    { name: CommandName.expires, datatype: DataType.DateTime, value: expiresMs },
  ];
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.length > 0);
}

function isAction(text: string): text is DeviceAction {
  return actions.includes(text);
}
