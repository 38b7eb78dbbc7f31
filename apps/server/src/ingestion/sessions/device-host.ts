import { JsonMessageError } from '@sonnenwarte/device-protocol/json/json-onramp';
import { type DeviceKind, isDeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { bdSeqOf, deathMatchesBirth } from '@sonnenwarte/device-protocol/sparkplug/births';
import {
  decodePayload,
  SparkplugDecodeError,
  type SparkplugPayload,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { type EdgeTopic, isDeviceSn, parseSparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Logger } from 'pino';
import type { Acknowledge, IncomingMessage, MessageSink, MessageSource } from '../../broker/message-source.ts';
import type { LatestWriter } from '../latest/latest.ts';
import type { IngestionMetrics } from '../metrics.ts';
import { type DeviceEntry, type LoggerEntry, MOST_DEVICES } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';
import { Inbox, type InboxLimits } from '../samples/inbox.ts';
import type { Sample } from '../samples/sample.ts';
import { readSamples } from '../samples/sample-reader.ts';
import type { SampleWriter } from '../samples/writer.ts';
import type { AlarmBook } from './alarm-book.ts';
import { kindOfMetrics, MetricBindings } from './bindings.ts';
import { JsonHost } from './json-host.ts';
import { LoggerCommands } from './logger-commands.ts';
import { readDeviceProperties, readLoggerProperties, readReportInterval, textOf } from './properties.ts';
import { reasonOfFailure } from './reasons.ts';
import { Refusals, Tally } from './refusals.ts';
import { SequenceWatch } from './sequence-watch.ts';
import { UnknownLoggers } from './unknown-loggers.ts';

export interface DeviceHostOptions {
  registry: Registry;
  writer: SampleWriter;
  latest: LatestWriter;
  alarms: AlarmBook;
  metrics: IngestionMetrics;
  logger: Logger;
  /** How long a hole in the sequence may wait for messages that were overtaken. */
  reorderMs?: number;
  limits?: Partial<InboxLimits>;
}

const MOST_SKEW_MS = 30_000;
const SILENT_AT_LEAST_MS = 5 * 60_000;
const SILENT_PERIODS = 3;
/** What a sample costs at least, wherever it takes few bytes of a message: about that of a full row. */
const SAMPLE_BYTES = 512;
/** What an alarm and a birth cost beside their bytes: each writes rows of PostgreSQL. */
const ALARM_BYTES = 8 * 1024;
const BIRTH_BYTES = 16 * 1024;
const BIRTH = /\/[ND]BIRTH\//;

/** The Sparkplug host: keeps each logger's session and turns messages into samples. What comes in JSON goes to the on-ramp. */
export class DeviceHost implements MessageSink {
  readonly #options: DeviceHostOptions;
  readonly #commands: LoggerCommands;
  readonly #sequences: SequenceWatch;
  readonly #refusals: Refusals;
  #source: MessageSource | undefined;
  #isStopped = false;
  readonly #unknown: UnknownLoggers;
  readonly #json: JsonHost;
  readonly #inbox: Inbox;
  /** Of the message in hand: its size after inflating, its samples, and what it costs beside. */
  #inflated = 0;
  #samples = 0;
  #cost = 0;

  constructor(options: DeviceHostOptions) {
    this.#options = options;
    this.#commands = new LoggerCommands(options, () => this.#source);
    this.#unknown = new UnknownLoggers(options.registry);
    this.#refusals = new Refusals(options.metrics, options.logger);
    this.#inbox = new Inbox(options.metrics, options.limits, (sn, isHeld) => this.#source?.hold(sn, isHeld));
    this.#json = new JsonHost({
      ...options,
      refusals: this.#refusals,
      connectionOf: (sn) => this.#source?.connectionOf(sn),
      goOffline: (logger) => this.#goOffline(logger),
      store: (samples, done) => this.#store(samples, done),
    });
    this.#sequences = new SequenceWatch(options.reorderMs ?? 2_000, (logger) => {
      this.#refusals.note(logger, 'sequence-gap', '');
      this.#commands.requestRebirth(logger);
    });
  }

  attach(source: MessageSource): void {
    this.#source = source;
  }

  stop(): void {
    this.#isStopped = true;
    this.#inbox.stop();
    this.#commands.stop();
  }

  accepts(): boolean {
    return !this.#isStopped && !this.#options.writer.isFull;
  }

  isBehind(): boolean {
    return this.#options.writer.isBehind;
  }

  message(message: IncomingMessage, done: Acknowledge, read: () => void = () => undefined): void {
    const isBirth = BIRTH.test(message.topic);
    this.#inbox.put(message.sn, {
      bytes: message.payload.length,
      isBirth,
      open: () => {
        this.#cost = isBirth ? BIRTH_BYTES : 0;
        this.#inflated = 0;
        this.#samples = 0;
        try {
          this.#handle(message, done);
          read();
        } catch (error) {
          this.#options.logger.error({ err: error, sn: message.sn }, 'a message could not be handled');
        }
        return Math.max(message.payload.length, this.#inflated, SAMPLE_BYTES * this.#samples) + this.#cost;
      },
      refuse: (error) => {
        this.#options.metrics.rejected.inc({ reason: 'over-budget' });
        done(error);
        read();
      },
    });
  }

  /** Waits until all that has come has been handled. */
  async drain(): Promise<void> {
    await this.#inbox.drain();
    await this.#unknown.settled();
  }

  #handle(message: IncomingMessage, done: Acknowledge): void {
    const logger = this.#options.registry.loggerBySn(message.sn);
    if (logger === undefined || this.#unknown.isAsked(message.sn)) {
      this.#unknown.learn(message.sn, (learned, error) => {
        if (learned !== undefined) this.#handleOf(learned, message, done);
        else if (error === undefined) this.#reject('unknown-logger', done);
        // It may be one of ours: it keeps what it sent.
        else done(error);
      });
      return;
    }
    this.#handleOf(logger, message, done);
  }

  #handleOf(logger: LoggerEntry, message: IncomingMessage, done: Acknowledge): void {
    const { topic } = message;
    try {
      if (topic.startsWith('pv/')) this.#json.message(logger, message, done);
      else {
        const parsed = parseSparkplugTopic(topic);
        if (parsed === null || parsed.type === 'STATE') this.#refusals.message(logger, 'topic', topic, done);
        else this.#sparkplug(logger, parsed, message, done);
      }
    } catch (error) {
      const known = error instanceof SparkplugDecodeError || error instanceof JsonMessageError;
      if (!known) this.#options.logger.error({ err: error, sn: logger.sn }, 'a message could not be handled');
      this.#refusals.message(logger, known ? reasonOfFailure(error.reason) : 'internal', topic, done);
    }
  }

  #reject(reason: string, done: Acknowledge) {
    this.#options.metrics.rejected.inc({ reason });
    done(null);
  }

  disconnected(sn: string, connection: number): void {
    const open = () => {
      this.#disconnected(sn, connection);
      return 0;
    };
    this.#inbox.put(sn, { bytes: 0, isBirth: false, open, refuse: open });
  }

  #disconnected(sn: string, connection: number): void {
    const logger = this.#options.registry.loggerBySn(sn);
    if (logger === undefined || !logger.online || logger.connection > connection) return;
    this.#goOffline(logger);
  }

  /** Ends sessions of loggers from which nothing comes any more. */
  tick(nowMs: number): void {
    this.#inbox.tick(performance.now());
    for (const logger of this.#options.registry.loggers) {
      if (!logger.online) continue;
      const limitMs = Math.max(SILENT_AT_LEAST_MS, SILENT_PERIODS * logger.reportIntervalS * 1_000);
      if (nowMs - logger.lastSeenMs > limitMs) this.#goOffline(logger);
    }
    for (const device of this.#options.alarms.tick(nowMs)) this.#options.latest.touchState(device);
    this.#options.latest.writeSeen();
  }

  sendCommand(sn: string, device: string | undefined, payload: SparkplugPayload): Promise<void> {
    return this.#commands.send(sn, device, payload);
  }

  #sparkplug(logger: LoggerEntry, topic: EdgeTopic, message: IncomingMessage, done: Acknowledge) {
    const { type } = topic;
    this.#options.metrics.messages.inc({ type });
    const nowMs = Date.now();
    if (type === 'NDEATH') {
      this.#nodeDeath(logger, message);
      done(null);
      return;
    }
    logger.group = topic.group;
    logger.lastSeenMs = nowMs;
    this.#options.latest.noteSeen(logger);
    const payload = this.#decode(message.payload);
    if (type === 'NBIRTH') return this.#nodeBirth(logger, payload, message, nowMs, done);
    if (!logger.online || logger.isJson) this.#revive(logger, message, nowMs);
    this.#sequences.note(logger, payload.seq, nowMs);
    if (type === 'NDATA') return this.#nodeData(logger, payload, nowMs, done);
    const sn = topic.device ?? '';
    if (!isDeviceSn(sn)) return this.#refusals.message(logger, 'bad-device', message.topic, done);
    if (type === 'DBIRTH') return this.#deviceBirth(logger, sn, payload, nowMs, done);
    if (type === 'DDATA') return this.#deviceData(logger, sn, payload, nowMs, done);
    if (type === 'DDEATH') {
      const device = logger.devices.get(sn);
      if (device !== undefined) this.#deviceOffline(device);
    } else this.#refusals.note(logger, 'topic', message.topic);
    done(null);
  }

  #decode(bytes: Buffer): SparkplugPayload {
    return decodePayload(bytes, undefined, (inflated) => {
      this.#inflated = inflated;
    });
  }

  #nodeBirth(
    logger: LoggerEntry,
    payload: SparkplugPayload,
    message: IncomingMessage,
    nowMs: number,
    done: Acknowledge,
  ) {
    const { registry, latest } = this.#options;
    if (message.connection !== 0 && message.connection < logger.connection) {
      return this.#refusals.message(logger, 'stale-birth', '', done);
    }
    logger.online = true;
    logger.isJson = false;
    logger.bornMs = nowMs;
    logger.connection = message.connection;
    logger.bdSeq = bdSeqOf(payload);
    this.#sequences.restart(logger, payload.seq);
    const tally = new Tally();
    this.#declare(logger.self, payload, tally);
    logger.properties = { ...logger.properties, ...readLoggerProperties(payload.metrics) };
    logger.reportIntervalS = readReportInterval(payload.metrics) ?? logger.reportIntervalS;
    registry.noteLoggerBirth(logger);
    latest.touchLogger(logger);
    this.#checkClock(logger, payload, nowMs);
    this.#read(logger, logger.self, payload, nowMs, tally, done);
  }

  #nodeData(logger: LoggerEntry, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    const interval = readReportInterval(payload.metrics);
    const properties = readLoggerProperties(payload.metrics);
    if (interval !== undefined || Object.keys(properties).length > 0) {
      logger.reportIntervalS = interval ?? logger.reportIntervalS;
      logger.properties = { ...logger.properties, ...properties };
      this.#options.registry.noteLoggerBirth(logger);
    }
    this.#read(logger, logger.self, payload, nowMs, new Tally(), done);
  }

  #deviceBirth(logger: LoggerEntry, sn: string, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    const { registry, latest } = this.#options;
    if (!logger.devices.has(sn) && logger.devices.size >= MOST_DEVICES) {
      return this.#refusals.message(logger, 'too-many-devices', sn, done);
    }
    const tally = new Tally();
    const told = this.#toldKind(payload, tally);
    const isNew = !logger.devices.has(sn) && registry.deviceBySn(sn) === undefined;
    const device = registry.device(logger, sn, told ?? kindOfMetrics(payload.metrics) ?? 'inverter');
    if (device.refusedFor !== undefined) return this.#refusals.message(logger, device.refusedFor, sn, done);
    if (isNew) device.isKindGuessed = told === undefined;
    device.isOfOtherKind = told !== undefined && !device.accepts(told);
    if (device.isOfOtherKind) return this.#refusals.message(logger, 'kind-changed', `${sn}: ${told}`, done);
    this.#declare(device, payload, tally);
    device.properties = { ...device.properties, ...readDeviceProperties(payload.metrics) };
    if (device.properties.role !== undefined) device.role = device.properties.role;
    device.online = true;
    device.lastSeenMs = nowMs;
    registry.noteDeviceBirth(device);
    this.#read(logger, device, payload, nowMs, tally, done);
    latest.touchState(device);
  }

  #deviceData(logger: LoggerEntry, sn: string, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    let device = logger.devices.get(sn);
    if (device?.isOfOtherKind === true) return this.#refusals.message(logger, 'kind-changed', sn, done);
    if (device?.bindings === undefined || !device.online) {
      this.#commands.requestRebirth(logger);
      const isNamed = payload.metrics.some((metric) => metric.name !== undefined);
      if (!isNamed && device?.bindings === undefined) return this.#refusals.message(logger, 'no-birth', sn, done);
      if (device === undefined) {
        if (logger.devices.size >= MOST_DEVICES) return this.#refusals.message(logger, 'too-many-devices', sn, done);
        // What follows from two names alone would be wrong too often: the birth has been asked for.
        const guess = kindOfMetrics(payload.metrics);
        if (guess === undefined) return this.#refusals.message(logger, 'no-birth', sn, done);
        const isNew = this.#options.registry.deviceBySn(sn) === undefined;
        device = this.#options.registry.device(logger, sn, guess);
        if (isNew) device.isKindGuessed = true;
      }
    }
    if (device.refusedFor !== undefined) return this.#refusals.message(logger, device.refusedFor, sn, done);
    device.lastSeenMs = nowMs;
    const alarmCount = device.alarms.size;
    this.#read(logger, device, payload, nowMs, new Tally(), done);
    if (device.alarms.size !== alarmCount) this.#options.latest.touchState(device);
  }

  #toldKind(payload: SparkplugPayload, tally: Tally): DeviceKind | undefined {
    const told = textOf(payload.metrics, 'Properties/Kind');
    if (told === undefined) return undefined;
    if (isDeviceKind(told) && told !== 'logger') return told;
    tally.note('bad-kind', told);
    return undefined;
  }

  #declare(device: DeviceEntry, payload: SparkplugPayload, tally: Tally) {
    device.bindings?.release();
    device.bindings = new MetricBindings(device.layout, payload.metrics, device.logger.held);
    if (!device.bindings.hasRoom) tally.note('too-many-names', device.sn);
  }

  #read(
    logger: LoggerEntry,
    device: DeviceEntry,
    payload: SparkplugPayload,
    nowMs: number,
    tally: Tally,
    done: Acknowledge,
  ) {
    device.bindings ??= new MetricBindings(device.layout, [], logger.held);
    const read = readSamples(payload, device, device.bindings, nowMs, this.#options.alarms, tally);
    if (read.hasUnknownAlias) {
      this.#refusals.note(logger, 'unknown-alias', device.sn);
      this.#commands.requestRebirth(logger);
    }
    this.#refusals.parts(logger, tally);
    this.#store(read.samples, done);
  }

  #nodeDeath(logger: LoggerEntry, message: IncomingMessage) {
    if (!logger.online || logger.isJson) return;
    if (message.connection !== 0) {
      // A will that a take-over of the client id has set free belongs to the connection before.
      if (message.isWill && this.#source?.connectionOf(logger.sn) !== message.connection) return;
      if (message.connection < logger.connection) return;
    }
    if (!message.isWill) {
      const death = bdSeqOf(decodePayload(message.payload));
      if (!deathMatchesBirth(death, logger.bdSeq)) return;
    }
    this.#goOffline(logger);
  }

  #goOffline(logger: LoggerEntry) {
    logger.online = false;
    logger.offlineMs = Date.now();
    this.#sequences.forget(logger);
    this.#commands.forget(logger);
    this.#options.latest.touchLogger(logger);
    for (const device of logger.devices.values()) this.#deviceOffline(device);
  }

  #deviceOffline(device: DeviceEntry) {
    device.online = false;
    this.#options.latest.touchState(device);
  }

  /** Data of a connection that has not sent its births here. */
  #revive(logger: LoggerEntry, message: IncomingMessage, nowMs: number) {
    logger.online = true;
    logger.isJson = false;
    logger.connection = message.connection;
    logger.lastSeenMs = nowMs;
    this.#options.latest.touchLogger(logger);
    this.#commands.requestRebirth(logger);
  }

  #checkClock(logger: LoggerEntry, payload: SparkplugPayload, nowMs: number) {
    if (payload.timestampMs === undefined || Math.abs(payload.timestampMs - nowMs) <= MOST_SKEW_MS) return;
    this.#refusals.note(logger, 'clock-skew', String(payload.timestampMs));
    this.#commands.setClock(logger, nowMs);
  }

  #store(samples: readonly Sample[], done: Acknowledge) {
    this.#samples = samples.length;
    this.#cost += ALARM_BYTES * this.#options.alarms.takeAdded();
    for (const { device, values } of samples) {
      if (!device.isKindGuessed || values.every(Number.isNaN)) continue;
      device.isKindGuessed = false;
      this.#options.registry.noteDeviceBirth(device);
    }
    if (samples.length === 0) done(null);
    else this.#options.writer.add(samples, done);
  }
}
