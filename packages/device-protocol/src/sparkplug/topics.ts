/** Sparkplug group of a tenant that configures no other. */
export const GROUP = 'solar';

const NAMESPACE = 'spBv1.0';
const JSON_ROOT = 'pv/v1';

/** Message types of an edge node. */
export type NodeMessageType = 'NBIRTH' | 'NDEATH' | 'NDATA' | 'NCMD';
/** Message types of a device behind an edge node. */
export type DeviceMessageType = 'DBIRTH' | 'DDEATH' | 'DDATA' | 'DCMD';
export type SparkplugMessageType = NodeMessageType | DeviceMessageType;

/** A topic of an edge node or device. `device` is there exactly for the D types. */
export interface EdgeTopic {
  group: string;
  type: SparkplugMessageType;
  edge: string;
  device?: string;
}

/** The topic on which a host says that it is there. */
export interface StateTopic {
  type: 'STATE';
  host: string;
}

/** Channels of the JSON on-ramp: readings, online state, commands, their answers. */
export type JsonChannel = 'up' | 'status' | 'cmd' | 'ack';

/** Takes a topic apart; null when it is no Sparkplug topic, has empty or wildcard segments, or a device where none belongs. */
export function parseSparkplugTopic(topic: string): EdgeTopic | StateTopic | null {
  const parts = topic.split('/');
  if (parts[0] !== NAMESPACE || parts.length > 5) return null;
  const [, group = '', type = '', edge = '', device] = parts;
  if (group === 'STATE') return parts.length === 3 && isPlain(type) ? { type: 'STATE', host: type } : null;
  if (!isPlain(group) || !isPlain(edge)) return null;
  if (isNodeType(type)) return device === undefined ? { group, type, edge } : null;
  if (isDeviceType(type)) return device !== undefined && isPlain(device) ? { group, type, edge, device } : null;
  return null;
}

/** `spBv1.0/{group}/{type}/{edge}[/{device}]`. */
export function sparkplugTopic(group: string, type: SparkplugMessageType, edge: string, device?: string): string {
  return device === undefined
    ? `${NAMESPACE}/${group}/${type}/${edge}`
    : `${NAMESPACE}/${group}/${type}/${edge}/${device}`;
}

/** `spBv1.0/STATE/{host}`. */
export function stateTopic(host: string): string {
  return `${NAMESPACE}/STATE/${host}`;
}

/** `pv/v1/{sn}/{channel}`. */
export function jsonTopic(sn: string, channel: JsonChannel): string {
  return `${JSON_ROOT}/${sn}/${channel}`;
}

/** Takes a topic of the JSON on-ramp apart; null for any other topic. The serial number is a logger's (15 digits). */
export function parseJsonTopic(topic: string): { sn: string; channel: JsonChannel } | null {
  const parts = topic.split('/');
  const [root, version, sn = '', channel = ''] = parts;
  if (parts.length !== 4 || root !== 'pv' || version !== 'v1' || !isDataloggerSn(sn) || !isJsonChannel(channel))
    return null;
  return { sn, channel };
}

/** Whether what is told on `topic` is a command: `NCMD`, `DCMD`, or `cmd` of the JSON on-ramp. */
export function isCommandTopic(topic: string): boolean {
  const type = topic.startsWith(`${JSON_ROOT}/`) ? parseJsonTopic(topic)?.channel : parseSparkplugTopic(topic)?.type;
  return type === 'cmd' || type === 'NCMD' || type === 'DCMD';
}

/** Whether `value` is a datalogger's serial number: 15 digits. */
export function isDataloggerSn(value: string): boolean {
  if (value.length !== 15) return false;
  for (let i = 0; i < 15; i += 1) {
    const code = value.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Whether `value` is a device's serial number: 1 to 32 of A-Z, a-z, 0-9, `_` and `-`. */
export function isDeviceSn(value: string): boolean {
  if (value.length === 0 || value.length > 32) return false;
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    const isDigit = code >= 48 && code <= 57;
    const isUpper = code >= 65 && code <= 90;
    const isLower = code >= 97 && code <= 122;
    if (!isDigit && !isUpper && !isLower && code !== 95 && code !== 45) return false;
  }
  return true;
}

/** Whether logger `sn` may publish on `topic`: its own births, deaths and data, and its own JSON readings, state and answers. */
export function dataloggerMayPublish(sn: string, topic: string, group: string = GROUP): boolean {
  if (!isDataloggerSn(sn)) return false;
  if (topic.startsWith('pv/')) {
    const json = parseJsonTopic(topic);
    return json !== null && json.sn === sn && json.channel !== 'cmd';
  }
  const parsed = parseSparkplugTopic(topic);
  if (parsed === null || parsed.type === 'STATE' || parsed.edge !== sn || parsed.group !== group) return false;
  if (parsed.type === 'NCMD' || parsed.type === 'DCMD') return false;
  return parsed.device === undefined || isDeviceSn(parsed.device);
}

/** Whether logger `sn` may subscribe to `filter`: its own commands and the hosts' states, with no wildcard above its own level. */
export function dataloggerMaySubscribe(sn: string, filter: string, group: string = GROUP): boolean {
  if (!isDataloggerSn(sn)) return false;
  if (filter === jsonTopic(sn, 'cmd')) return true;
  const parts = filter.split('/');
  if (parts[0] === 'STATE') return parts.length === 2 && isLeaf(parts[1]);
  if (parts[0] !== NAMESPACE) return false;
  if (parts[1] === 'STATE') return parts.length === 3 && isLeaf(parts[2]);
  if (parts[1] !== group || parts[3] !== sn) return false;
  if (parts[2] === 'NCMD') return parts.length === 4 || (parts.length === 5 && parts[4] === '#');
  if (parts[2] !== 'DCMD' || parts.length !== 5) return false;
  return parts[4] === '#' || parts[4] === '+' || isDeviceSn(parts[4] ?? '');
}

/** The one logger whose messages `filter` matches; undefined where it could match those of several, or of none. */
export function dataloggerOfFilter(filter: string, group: string = GROUP): string | undefined {
  const parts = filter.split('/');
  const isJson = filter.startsWith(`${JSON_ROOT}/`);
  if (!isJson && (parts[0] !== NAMESPACE || parts[1] !== group)) return undefined;
  const sn = parts[isJson ? 2 : 3] ?? '';
  return isDataloggerSn(sn) ? sn : undefined;
}

function isPlain(segment: string): boolean {
  return segment.length > 0 && !segment.includes('+') && !segment.includes('#');
}

function isLeaf(segment: string | undefined): boolean {
  return segment === '#' || segment === '+' || (segment !== undefined && isPlain(segment));
}

function isNodeType(type: string): type is NodeMessageType {
  return type === 'NDATA' || type === 'NBIRTH' || type === 'NDEATH' || type === 'NCMD';
}

function isDeviceType(type: string): type is DeviceMessageType {
  return type === 'DDATA' || type === 'DBIRTH' || type === 'DDEATH' || type === 'DCMD';
}

function isJsonChannel(channel: string): channel is JsonChannel {
  return channel === 'up' || channel === 'status' || channel === 'cmd' || channel === 'ack';
}
