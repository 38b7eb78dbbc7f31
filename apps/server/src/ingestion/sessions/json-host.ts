import { type JsonSample, parseAck, parseUp } from '@sonnenwarte/device-protocol/json/json-onramp';
import { plainSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { parseJsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Acknowledge, IncomingMessage } from '../../broker/message-source.ts';
import type { LatestWriter } from '../latest/latest.ts';
import type { IngestionMetrics } from '../metrics.ts';
import { type DataloggerEntry, MOST_DEVICES } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sample } from '../samples/sample.ts';
import { finished, sampleAt, setValue } from '../samples/sample-reader.ts';
import type { AlarmBook } from './alarm-book.ts';
import { MetricBindings } from './bindings.ts';
import { type CommandHooks, isSettingName, readAck, type Told } from './command-hooks.ts';
import { type Refusals, Tally } from './refusals.ts';

export interface JsonHostOptions {
  registry: Registry;
  latest: LatestWriter;
  alarms: AlarmBook;
  hooks: CommandHooks;
  metrics: IngestionMetrics;
  refusals: Refusals;
  /** The broker's connection of a logger that is connected here. */
  connectionOf(sn: string): number | undefined;
  goOffline(datalogger: DataloggerEntry): void;
  store(samples: readonly Sample[], done: Acknowledge): void;
}

/** The JSON on-ramp: loggers that tell states and values in plain JSON. */
export class JsonHost {
  readonly #options: JsonHostOptions;

  constructor(options: JsonHostOptions) {
    this.#options = options;
  }

  /** Takes a message on a topic below `pv/`. Throws JsonMessageError where it cannot be read. */
  message(datalogger: DataloggerEntry, message: IncomingMessage, done: Acknowledge) {
    const { refusals, metrics, store } = this.#options;
    const topic = parseJsonTopic(message.topic);
    if (topic === null || topic.channel === 'cmd') return refusals.message(datalogger, 'topic', message.topic, done);
    metrics.messages.inc({ type: `json-${topic.channel}` });
    const nowMs = Date.now();
    if (topic.channel === 'status') {
      this.#status(datalogger, message, nowMs);
      return done(null);
    }
    datalogger.lastSeenMs = nowMs;
    this.#online(datalogger, message, nowMs);
    if (topic.channel === 'ack') {
      this.#acknowledge(datalogger, message);
      return done(null);
    }
    const { samples: readings, refused } = parseUp(message.payload, nowMs);
    const tally = new Tally();
    for (const { reason, name } of refused) tally.note(reason, name);
    const samples: Sample[] = [];
    for (const reading of readings) {
      const sample = this.#sample(datalogger, reading, nowMs, tally);
      if (sample !== undefined) samples.push(sample);
    }
    const kept = finished(samples, tally);
    refusals.parts(datalogger, tally);
    store(kept, done);
  }

  /** Throws JsonMessageError where it cannot be read. */
  #acknowledge(datalogger: DataloggerEntry, { payload }: IncomingMessage) {
    const ack = parseAck(payload);
    const entry = ack.deviceSn === undefined ? undefined : datalogger.devices.get(ack.deviceSn);
    if (ack.deviceSn !== undefined && entry === undefined) {
      return this.#options.refusals.note(datalogger, 'bad-device', ack.deviceSn);
    }
    const { result, values } = readAck(ack);
    if (result !== undefined) this.#options.hooks.answered(entry ?? datalogger.self, result, values);
  }

  #status(datalogger: DataloggerEntry, message: IncomingMessage, nowMs: number) {
    const text = message.payload.toString('utf8', 0, 16);
    if (text === 'online') {
      datalogger.lastSeenMs = nowMs;
      this.#online(datalogger, message, nowMs);
    } else if (text === 'offline') {
      const isOfOldConnection = message.isWill && this.#options.connectionOf(datalogger.sn) !== message.connection;
      if (datalogger.online && !(message.connection !== 0 && isOfOldConnection)) this.#options.goOffline(datalogger);
    } else this.#options.refusals.note(datalogger, 'bad-shape', 'status');
  }

  #online(datalogger: DataloggerEntry, message: IncomingMessage, nowMs: number) {
    const { registry, latest } = this.#options;
    const isBack = !datalogger.online || datalogger.connection !== message.connection;
    datalogger.connection = message.connection;
    if (!isBack) return latest.noteSeen(datalogger);
    datalogger.sessionMs = nowMs;
    datalogger.online = true;
    datalogger.isJson = true;
    datalogger.bornMs = nowMs;
    if (message.uplink) datalogger.properties = { ...datalogger.properties, uplink: message.uplink };
    registry.noteDataloggerBirth(datalogger);
    latest.touchDatalogger(datalogger);
    this.#options.hooks.born(datalogger.self, true);
  }

  /** The sample of a reading; undefined where it is not taken, or tells no more than alarms. */
  #sample(datalogger: DataloggerEntry, reading: JsonSample, nowMs: number, tally: Tally): Sample | undefined {
    const { registry, latest, alarms } = this.#options;
    const { deviceSn, kind, values, historical } = reading;
    if (kind === 'logger') {
      tally.note('bad-kind', deviceSn);
      return undefined;
    }
    if (!datalogger.devices.has(deviceSn) && datalogger.devices.size >= MOST_DEVICES) {
      tally.note('too-many-devices', deviceSn);
      return undefined;
    }
    const device = registry.device(datalogger, deviceSn, kind);
    if (device.refusedFor !== undefined) {
      tally.note(device.refusedFor, deviceSn);
      return undefined;
    }
    if (!device.accepts(kind)) {
      tally.note('kind-changed', deviceSn);
      return undefined;
    }
    device.bindings ??= new MetricBindings(device.layout, [], datalogger.held);
    if (!historical) device.lastSeenMs = nowMs;
    const sample = sampleAt(device, reading.tsMs, nowMs, historical);
    const settings: Record<string, Told[string]> = {};
    for (const [name, value] of values) {
      if (isSettingName(name)) {
        const plain = plainSetting(value, undefined);
        if (!historical && plain !== undefined) settings[name] = plain;
        continue;
      }
      const binding = device.bindings.byName(name);
      const refused = setValue(sample, binding, value);
      if (refused !== undefined) tally.note(refused, binding.name);
    }
    if (historical && reading.alarms !== undefined) tally.note('historical-alarm', deviceSn);
    if (!historical) {
      if (reading.alarms !== undefined) alarms.setActive(device, reading.alarms, nowMs, tally);
      const isBack = !device.online;
      if (isBack || reading.alarms !== undefined) {
        device.online = true;
        latest.touchState(device);
      }
      if (Object.keys(settings).length > 0) this.#options.hooks.told(device, settings, false, {});
      if (isBack) this.#options.hooks.born(device, true);
    }
    return values.length === 0 && reading.alarms !== undefined ? undefined : sample;
  }
}
