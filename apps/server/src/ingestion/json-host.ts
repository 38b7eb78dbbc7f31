import { type JsonSample, parseUp } from '@sonnenwarte/device-protocol/json-onramp';
import { parseJsonTopic } from '@sonnenwarte/device-protocol/topics';
import type { Acknowledge, IncomingMessage } from '../broker/message-source.ts';
import type { AlarmBook } from './alarm-book.ts';
import { MetricBindings } from './bindings.ts';
import type { LatestWriter } from './latest.ts';
import type { IngestionMetrics } from './metrics.ts';
import { type LoggerEntry, MOST_DEVICES } from './plant-model.ts';
import type { Refusals } from './refusals.ts';
import type { Registry } from './registry.ts';
import type { Sample } from './sample.ts';
import { sampleAt, setValue } from './sample-reader.ts';

export interface JsonHostOptions {
  registry: Registry;
  latest: LatestWriter;
  alarms: AlarmBook;
  metrics: IngestionMetrics;
  refusals: Refusals;
  /** The broker's connection of a logger that is connected here. */
  connectionOf(sn: string): number | undefined;
  goOffline(logger: LoggerEntry): void;
  store(samples: readonly Sample[], done: Acknowledge): void;
}

/** The JSON on-ramp: loggers that tell states and values in plain JSON. */
export class JsonHost {
  readonly #options: JsonHostOptions;

  constructor(options: JsonHostOptions) {
    this.#options = options;
  }

  /** Takes a message on a topic below `pv/`. Throws JsonMessageError where it cannot be read. */
  message(logger: LoggerEntry, message: IncomingMessage, done: Acknowledge) {
    const topic = parseJsonTopic(message.topic);
    if (topic === null || topic.channel === 'cmd')
      return this.#options.refusals.message(logger, 'topic', message.topic, done);
    this.#options.metrics.messages.inc({ type: `json-${topic.channel}` });
    const nowMs = Date.now();
    if (topic.channel === 'status') {
      this.#status(logger, message, nowMs);
      return done(null);
    }
    logger.lastSeenMs = nowMs;
    this.#online(logger, message, nowMs);
    if (topic.channel === 'ack') return done(null);
    const { samples } = parseUp(message.payload, nowMs);
    this.#options.store(
      samples.flatMap((reading) => this.#sample(logger, reading, nowMs) ?? []),
      done,
    );
  }

  #status(logger: LoggerEntry, message: IncomingMessage, nowMs: number) {
    const text = message.payload.toString('utf8', 0, 16);
    if (text === 'online') {
      logger.lastSeenMs = nowMs;
      this.#online(logger, message, nowMs);
    } else if (text === 'offline') {
      const isOfOldConnection = message.isWill && this.#options.connectionOf(logger.sn) !== message.connection;
      if (logger.online && !(message.connection !== 0 && isOfOldConnection)) this.#options.goOffline(logger);
    } else this.#options.metrics.rejected.inc({ reason: 'bad-shape' });
  }

  #online(logger: LoggerEntry, message: IncomingMessage, nowMs: number) {
    const { registry, latest } = this.#options;
    logger.connection = message.connection;
    if (logger.online) return latest.noteSeen(logger);
    logger.online = true;
    logger.isJson = true;
    logger.bornMs = nowMs;
    registry.noteLoggerBirth(logger);
    latest.touchLogger(logger);
  }

  #sample(logger: LoggerEntry, reading: JsonSample, nowMs: number): Sample | undefined {
    const { registry, latest, alarms } = this.#options;
    if (reading.kind === 'logger') return undefined;
    if (!logger.devices.has(reading.deviceSn) && logger.devices.size >= MOST_DEVICES) {
      this.#options.metrics.rejected.inc({ reason: 'too-many-devices' });
      return undefined;
    }
    const device = registry.device(logger, reading.deviceSn, reading.kind);
    if (device.isRefused) return undefined;
    if (device.kind !== reading.kind) latest.changeKind(device, reading.kind);
    device.bindings ??= new MetricBindings(device.layout, []);
    device.lastSeenMs = nowMs;
    const sample = sampleAt(device, reading.tsMs, nowMs, reading.historical);
    for (const [name, value] of reading.values) setValue(sample, device.bindings.byName(name), value);
    if (reading.historical) return sample;
    if (reading.alarms !== undefined) alarms.setActive(device, reading.alarms, nowMs);
    if (!device.online || reading.alarms !== undefined) {
      device.online = true;
      latest.touchState(device);
    }
    return sample;
  }
}
