import { readFileSync } from 'node:fs';
import { isDataloggerSn, jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt, { type MqttClient } from 'mqtt';
import { behaviours, type RackUnit, rackValues } from './rack-inverter.ts';

const LIMIT = 'Setting/ActivePowerLimit';
const RECONNECT_MS = 3_000;
const FULL = 100;
const DONE = 0;
const UNKNOWN = 1;

export interface RackDescription {
  /** Of its datalogger. */
  readonly sn: string;
  readonly inverters: readonly RackUnit[];
}

/** Reads a rack of the factory. Throws an error that says what is wrong. */
export function readRack(path: string): RackDescription {
  const { sn, inverters } = JSON.parse(readFileSync(path, 'utf8')) as RackDescription;
  const isSound =
    typeof sn === 'string' &&
    isDataloggerSn(sn) &&
    Array.isArray(inverters) &&
    inverters.every((each) => each.ratedW > 0 && behaviours.includes(each.behaviour));
  if (!isSound) throw new Error(`${path} describes no rack`);
  return { sn, inverters };
}

interface Command {
  readonly id?: unknown;
  readonly op?: unknown;
  readonly dev?: unknown;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A rack of the factory: inverters behind one datalogger that speaks JSON, in no plant, and take a limit of their power. */
export class Rack {
  readonly #rack: RackDescription;
  readonly #client: MqttClient;
  readonly #limits = new Map<string, number>();
  readonly #startMs = Date.now();
  readonly #timer: NodeJS.Timeout;

  constructor(rack: RackDescription, url: string, password: string | undefined, intervalS: number) {
    this.#rack = rack;
    this.#client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: rack.sn,
      username: rack.sn,
      ...(password !== undefined && { password }),
      reconnectPeriod: RECONNECT_MS,
    });
    this.#client.on('error', () => undefined);
    this.#client.on('connect', () => this.#client.subscribe(jsonTopic(rack.sn, 'cmd'), { qos: 1 }));
    this.#client.on('message', (_, payload) => this.#answer(payload));
    this.#timer = setInterval(() => this.#tell(), intervalS * 1_000);
  }

  #tell(): void {
    if (!this.#client.connected) return;
    const ts = Date.now();
    const minutes = (ts - this.#startMs) / 60_000;
    const told = this.#rack.inverters.flatMap((unit, place) => {
      const v = rackValues(unit, place, minutes, this.#limits.get(unit.sn) ?? FULL);
      return v === undefined ? [] : [{ ts, dev: unit.sn, kind: 'inverter', v }];
    });
    this.#publish('up', told);
  }

  #answer(payload: Buffer): void {
    const { id, op, dev, args = {} } = commandOf(payload);
    if (typeof id !== 'string') return;
    const percent = args[LIMIT];
    const isTaken = op === 'set' && typeof dev === 'string' && typeof percent === 'number';
    if (isTaken) this.#limits.set(dev, percent);
    this.#publish('ack', {
      id,
      code: isTaken ? DONE : UNKNOWN,
      ...(typeof dev === 'string' && { dev }),
      ...(isTaken && { v: { [LIMIT]: percent } }),
    });
  }

  #publish(channel: 'up' | 'ack', message: unknown): void {
    this.#client.publish(jsonTopic(this.#rack.sn, channel), JSON.stringify(message), { qos: 1 }, () => undefined);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#client.endAsync(true).catch(() => undefined);
  }
}

function commandOf(payload: Buffer): Command {
  try {
    const message: unknown = JSON.parse(payload.toString());
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}
