import {
  decodePayload,
  encodePayload,
  type MetricValue,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { parseJsonTopic, parseSparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { fewestDigits } from '@sonnenwarte/energy/rounding';

/** What a message says. */
export interface Readable {
  readonly values?: readonly (readonly [name: string, value: string])[];
  readonly text?: string;
}

export interface ReadMessage {
  readonly kind: string;
  readonly deviceSn: string;
  /** Without what is secret. */
  readonly bytes: Buffer;
  readonly readable: Readable;
  readonly isWithheld: boolean;
}

/** Names of metrics by the aliases that births gave them, of a datalogger and each of its devices. */
export type Aliases = Map<string, Map<number, string>>;

const MOST_VALUES = 1_000;
const LONGEST_VALUE = 400;
const LONGEST_TEXT = 32 * 1024;
const MOST_ALIASES = 5_000;
const MOST_DEVICES = 300;
const SECRET = /credential|passw|secret|token|provisioning.?key/i;
/** The first device that a message of the JSON on-ramp names. */
const DEVICE = /"dev"\s*:\s*"([A-Za-z0-9_-]{1,32})"/;
export const WITHHELD = '•••';

/** Takes a message apart and secrets out of it, both of what is read and of its bytes. Never throws. */
export function readMessage(topic: string, payload: Buffer, aliases: Aliases): ReadMessage {
  const json = parseJsonTopic(topic);
  if (json !== null) {
    const read = readJson(payload);
    return { kind: json.channel, deviceSn: DEVICE.exec(read.readable.text ?? '')?.[1] ?? '', ...read };
  }
  const parsed = parseSparkplugTopic(topic);
  if (parsed === null || parsed.type === 'STATE') return { kind: 'other', deviceSn: '', ...unreadable(payload) };
  const { type, device = '' } = parsed;
  return { kind: type, deviceSn: plain(device), ...readSparkplug(payload, type.endsWith('BIRTH'), device, aliases) };
}

type Read = Pick<ReadMessage, 'bytes' | 'readable' | 'isWithheld'>;

function readSparkplug(payload: Buffer, isBirth: boolean, device: string, aliases: Aliases): Read {
  try {
    const decoded = decodePayload(payload);
    const { metrics } = decoded;
    if (isBirth) learn(aliases, device, metrics);
    const names = aliases.get(device);
    const nameOf = ({ name, alias }: SparkplugMetric): string =>
      name ?? (alias === undefined ? '' : (names?.get(alias) ?? `#${alias}`));
    const isSecret = (metric: SparkplugMetric) => SECRET.test(nameOf(metric)) && metric.value !== null;
    const isWithheld = metrics.some(isSecret);
    const kept = metrics.map((metric) =>
      isSecret(metric)
        ? { ...metric, datatype: TEXT_TYPE, value: WITHHELD, properties: undefined, metadata: undefined }
        : metric,
    );
    return {
      bytes: isWithheld ? Buffer.from(encodePayload({ ...decoded, metrics: kept })) : payload,
      readable: {
        values: kept
          .slice(0, MOST_VALUES)
          .map((metric) => [plain(nameOf(metric).slice(0, 128)), valueText(metric.value)]),
      },
      isWithheld,
    };
  } catch {
    return unreadable(payload);
  }
}

const TEXT_TYPE = 12;

function learn(aliases: Aliases, device: string, metrics: readonly SparkplugMetric[]): void {
  if (!aliases.has(device) && aliases.size >= MOST_DEVICES) return;
  const names = new Map<number, string>();
  for (const { name, alias } of metrics) {
    if (name !== undefined && alias !== undefined && names.size < MOST_ALIASES) names.set(alias, name.slice(0, 128));
  }
  aliases.set(device, names);
}

function valueText(value: MetricValue | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(fewestDigits(value));
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(0, LONGEST_VALUE / 2)).toString('hex');
  const text =
    typeof value === 'object'
      ? JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
      : String(value);
  return plain(text.slice(0, LONGEST_VALUE));
}

function readJson(payload: Buffer): Read {
  const text = payload.toString('utf8');
  if (!SECRET.test(text))
    return { bytes: payload, readable: { text: plain(text.slice(0, LONGEST_TEXT)) }, isWithheld: false };
  try {
    const told = JSON.stringify(withoutSecrets(JSON.parse(text)));
    return { bytes: Buffer.from(told), readable: { text: plain(told.slice(0, LONGEST_TEXT)) }, isWithheld: true };
  } catch {
    return nothing();
  }
}

/** What says which message it is. */
const KEPT = ['id', 'op', 'ts', 'code'];

/** Which of its values is the secret is not asked: of a message that speaks of one only its shape is kept. */
function withoutSecrets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each));
  if (typeof value !== 'object' || value === null) return KEPT.includes(name) ? value : WITHHELD;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutSecrets(each, key)]));
}

/** Bytes that nobody can take apart may hold a secret where they name one. */
const unreadable = (payload: Buffer): Read =>
  SECRET.test(payload.toString('latin1')) ? nothing() : { bytes: payload, readable: { text: '' }, isWithheld: false };

const nothing = (): Read => ({ bytes: Buffer.alloc(0), readable: { text: '' }, isWithheld: true });

/** PostgreSQL's jsonb holds neither NUL nor half a surrogate pair. */
const plain = (text: string): string => text.replaceAll('\0', '').toWellFormed();
