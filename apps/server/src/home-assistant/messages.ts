import type { Language } from '@sonnenwarte/contract/languages';
import { pointsOf } from '@sonnenwarte/device-protocol/points/points';
import type { DeviceNow } from '../device-rows/device-rows.store.ts';
import { type Entity, entityOf, type Named, stateOf, textOf, uniqueId, variableOf } from './entities.ts';
import type { DataloggerNow } from './home-assistant.store.ts';
import { availabilityTopic, discoveryTopic, valueTopic } from './topics.ts';

/** Who is told, and how. */
export interface Reader {
  readonly username: string;
  readonly language: Language;
  /** Where people reach the portal, if it was said. */
  readonly portal: string | undefined;
}

/** What is told of one device: the newest message of each of its topics. */
export type Messages = Map<string, string>;

const ORIGIN = { name: 'Sonnenwarte' } as const;

interface Shown {
  readonly identifiers: readonly [string];
  readonly name: string;
  readonly serial_number: string;
  readonly model?: string;
  readonly sw_version?: string;
  readonly via_device?: string;
  readonly suggested_area?: string;
  readonly configuration_url?: string;
}

/** What a device announces itself with, by the rules of Home Assistant's discovery by device. */
export interface Discovery {
  readonly device: Shown;
  readonly origin: typeof ORIGIN;
  readonly availability_topic?: string;
  readonly components: Readonly<Record<string, Entity>>;
}

const idOf = (sn: string): string => `sonnenwarte_${sn}`;

/** Discovery, availability and values of a device. */
export function deviceMessages(device: DeviceNow, reader: Reader): Messages {
  const { sn, kind } = device;
  const { username, language } = reader;
  const named: Named = { sn, username, language };
  const values = device.values ?? {};
  const components: Record<string, Entity> = {};
  const messages: Messages = new Map();
  for (const point of pointsOf[kind]) {
    const told = values[point.name];
    if (told === undefined) continue;
    const topic = valueTopic(username, sn, variableOf(point));
    const entity = entityOf(point, named, topic);
    if (entity === undefined) continue;
    components[variableOf(point)] = entity;
    messages.set(topic, stateOf(point, told[0], language));
  }
  const available = availabilityTopic(username, sn);
  const discovery: Discovery = {
    device: {
      ...shown(sn, textOf(`sites.kind.${kind}`, language), device.model, device.version_master, reader),
      via_device: idOf(device.logger_sn),
      ...(device.site_name && { suggested_area: device.site_name }),
    },
    origin: ORIGIN,
    availability_topic: available,
    components,
  };
  return new Map([
    [discoveryTopic(sn), JSON.stringify(discovery)],
    [available, device.state === 'offline' ? 'offline' : 'online'],
    ...messages,
  ]);
}

/** The same of a datalogger: whether it is connected, and how well it hears its network. */
export function dataloggerMessages(datalogger: DataloggerNow, reader: Reader): Messages {
  const { sn, rssi_dbm } = datalogger;
  const { username, language } = reader;
  const connected = valueTopic(username, sn, 'connected');
  const rssi = valueTopic(username, sn, 'net_rssi');
  const available = availabilityTopic(username, sn);
  const isOnline = datalogger.is_online;
  const components: Record<string, Entity> = {
    connected: {
      platform: 'binary_sensor',
      unique_id: uniqueId(sn, 'connected'),
      name: textOf('sites.kind.datalogger', language),
      state_topic: connected,
      device_class: 'connectivity',
      entity_category: 'diagnostic',
    },
    ...(rssi_dbm !== null && {
      net_rssi: {
        platform: 'sensor',
        unique_id: uniqueId(sn, 'net_rssi'),
        name: textOf('points.netRssi', language),
        state_topic: rssi,
        device_class: 'signal_strength',
        state_class: 'measurement',
        unit_of_measurement: 'dBm',
        entity_category: 'diagnostic',
        availability_topic: available,
      },
    }),
  };
  const discovery: Discovery = {
    device: {
      ...shown(sn, textOf('sites.kind.datalogger', language), datalogger.model, datalogger.firmware, reader),
      ...(datalogger.site_name && { suggested_area: datalogger.site_name }),
    },
    origin: ORIGIN,
    components,
  };
  return new Map([
    [discoveryTopic(sn), JSON.stringify(discovery)],
    [available, isOnline ? 'online' : 'offline'],
    [connected, isOnline ? 'ON' : 'OFF'],
    ...(rssi_dbm === null ? [] : ([[rssi, String(rssi_dbm)]] as const)),
  ]);
}

function shown(sn: string, kind: string, model: string, version: string, { portal }: Reader): Shown {
  return {
    identifiers: [idOf(sn)],
    name: `${kind} ${sn}`,
    serial_number: sn,
    ...(model !== '' && { model }),
    ...(version !== '' && { sw_version: version }),
    ...(portal !== undefined && { configuration_url: portal }),
  };
}
