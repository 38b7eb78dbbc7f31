import type { RecordFrame } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import { JsonMessageError } from '@sonnenwarte/device-protocol/json/json-onramp';
import { bdSeqOf, deathMatchesBirth } from '@sonnenwarte/device-protocol/points/births';
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
import { type DataloggerEntry, type DeviceEntry, MOST_DEVICES } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';
import { Inbox, type InboxLimits } from '../samples/inbox.ts';
import type { Sample } from '../samples/sample.ts';
import { readSamples } from '../samples/sample-reader.ts';
import type { SampleWriter } from '../samples/writer.ts';
import type { AlarmBook } from './alarm-book.ts';
import { kindOfMetrics, MetricBindings } from './bindings.ts';
import { beginDevice, beginSession, declare, toldKind, toldOfMs } from './births.ts';
import { type CommandHooks, readFrame, settingsOf, tellHooks } from './command-hooks.ts';
import { DataloggerCommands } from './datalogger-commands.ts';
import { JsonHost } from './json-host.ts';
import { readDataloggerProperties, readReportInterval } from './properties.ts';
import { reasonOfFailure } from './reasons.ts';
import { recordFrameOf } from './record-frames.ts';
import { Refusals, Tally } from './refusals.ts';
import { SequenceWatch } from './sequence-watch.ts';
import { UnknownDataloggers } from './unknown-dataloggers.ts';

export interface DeviceHostOptions {
  registry: Registry;
  writer: SampleWriter;
  latest: LatestWriter;
  alarms: AlarmBook;
  hooks: CommandHooks;
  /** Hears what devices tell of their fault records. */
  records?: ((device: DeviceEntry, frame: RecordFrame) => void) | undefined;
  metrics: IngestionMetrics;
  logger: Logger;
  /** How long a hole in the sequence may wait for messages that were overtaken. */
  reorderMs?: number;
  limits?: Partial<InboxLimits>;
  /** Told of a message of which something was not taken. */
  refused?(message: IncomingMessage, reason: string): void;
}

const MOST_SKEW_MS = 30_000;
/** Beyond it a clock is wrong. */
const WRONG_SKEW_MS = 5 * 60_000;
const SILENT_AT_LEAST_MS = 5 * 60_000;
const SILENT_PERIODS = 3;
/** What a sample costs at least, wherever it takes few bytes of a message: about that of a full row. */
const SAMPLE_BYTES = 512;
/** What an alarm, a birth and a setting outside of one cost beside their bytes: each writes rows of PostgreSQL. */
const ALARM_BYTES = 8 * 1024;
const SETTING_BYTES = 1024;
const BIRTH_BYTES = 16 * 1024;
const BIRTH = /\/[ND]BIRTH\//;

/** The Sparkplug host: keeps each logger's session and turns messages into samples. What comes in JSON goes to the on-ramp. */
export class DeviceHost implements MessageSink {
  readonly #options: DeviceHostOptions;
  readonly #commands: DataloggerCommands;
  readonly #sequences: SequenceWatch;
  readonly #refusals: Refusals;
  #source: MessageSource | undefined;
  #isStopped = false;
  readonly #unknown: UnknownDataloggers;
  readonly #json: JsonHost;
  readonly #inbox: Inbox;
  /** Of the message in hand: its size after inflating, its samples, and what it costs beside. */
  #inflated = 0;
  #samples = 0;
  #cost = 0;
  #inHand: IncomingMessage | undefined;

  constructor(options: DeviceHostOptions) {
    this.#options = options;
    this.#commands = new DataloggerCommands(options, () => this.#source);
    this.#unknown = new UnknownDataloggers(options.registry);
    this.#refusals = new Refusals(options.metrics, options.logger, (reason) => {
      if (this.#inHand !== undefined) options.refused?.(this.#inHand, reason);
    });
    this.#inbox = new Inbox(options.metrics, options.limits, (sn, isHeld) => this.#source?.hold(sn, isHeld));
    this.#json = new JsonHost({
      ...options,
      refusals: this.#refusals,
      connectionOf: (sn) => this.#source?.connectionOf(sn),
      goOffline: (datalogger) => this.#goOffline(datalogger),
      store: (samples, done) => this.#store(samples, done),
    });
    this.#sequences = new SequenceWatch(options.reorderMs ?? 2_000, (datalogger) => {
      this.#refusals.note(datalogger, 'sequence-gap', '');
      this.#commands.requestRebirth(datalogger);
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
    const datalogger = this.#options.registry.dataloggerBySn(message.sn);
    if (datalogger === undefined || this.#unknown.isAsked(message.sn)) {
      this.#unknown.learn(message.sn, (learned, error) => {
        if (learned !== undefined) this.#handleOf(learned, message, done);
        else if (error === undefined) this.#reject('unknown-logger', done);
        // It may be one of ours: it keeps what it sent.
        else done(error);
      });
      return;
    }
    this.#handleOf(datalogger, message, done);
  }

  #handleOf(datalogger: DataloggerEntry, message: IncomingMessage, done: Acknowledge): void {
    const { topic } = message;
    this.#inHand = message;
    try {
      if (topic.startsWith('pv/')) this.#json.message(datalogger, message, done);
      else {
        const parsed = parseSparkplugTopic(topic);
        if (parsed === null || parsed.type === 'STATE') this.#refusals.message(datalogger, 'topic', topic, done);
        else this.#sparkplug(datalogger, parsed, message, done);
      }
    } catch (error) {
      const known = error instanceof SparkplugDecodeError || error instanceof JsonMessageError;
      if (!known) this.#options.logger.error({ err: error, sn: datalogger.sn }, 'a message could not be handled');
      this.#refusals.message(datalogger, known ? reasonOfFailure(error.reason) : 'internal', topic, done);
    } finally {
      this.#inHand = undefined;
    }
  }

  #reject(reason: string, done: Acknowledge) {
    this.#options.metrics.rejected.inc({ reason });
    done(null);
  }

  listens(sn: string): void {
    const datalogger = this.#options.registry.dataloggerBySn(sn);
    if (datalogger !== undefined) this.#options.hooks.listens(datalogger);
  }

  disconnected(sn: string, connection: number): void {
    const open = () => {
      this.#disconnected(sn, connection);
      return 0;
    };
    this.#inbox.put(sn, { bytes: 0, isBirth: false, open, refuse: open });
  }

  #disconnected(sn: string, connection: number): void {
    const datalogger = this.#options.registry.dataloggerBySn(sn);
    if (datalogger === undefined || !datalogger.online || datalogger.connection > connection) return;
    this.#goOffline(datalogger);
  }

  /** Ends sessions of loggers from which nothing comes any more. */
  tick(nowMs: number): void {
    this.#inbox.tick(performance.now());
    for (const datalogger of this.#options.registry.dataloggers) {
      if (!datalogger.online) continue;
      const limitMs = Math.max(SILENT_AT_LEAST_MS, SILENT_PERIODS * datalogger.reportIntervalS * 1_000);
      if (nowMs - datalogger.lastSeenMs > limitMs) this.#goOffline(datalogger);
    }
    for (const device of this.#options.alarms.tick(nowMs)) this.#options.latest.touchState(device);
    this.#options.latest.writeSeen();
  }

  sendCommand(sn: string, device: string | undefined, payload: SparkplugPayload): Promise<void> {
    return this.#commands.send(sn, device, payload);
  }

  #sparkplug(datalogger: DataloggerEntry, topic: EdgeTopic, message: IncomingMessage, done: Acknowledge) {
    const { type } = topic;
    this.#options.metrics.messages.inc({ type });
    const nowMs = Date.now();
    if (type === 'NDEATH') {
      this.#nodeDeath(datalogger, message);
      done(null);
      return;
    }
    datalogger.group = topic.group;
    datalogger.lastSeenMs = nowMs;
    this.#options.latest.noteSeen(datalogger);
    const payload = this.#decode(message.payload);
    if (type === 'NBIRTH') return this.#nodeBirth(datalogger, payload, message, nowMs, done);
    if (!datalogger.online || datalogger.isJson) this.#revive(datalogger, message, nowMs);
    this.#sequences.note(datalogger, payload.seq, nowMs);
    this.#watchClock(datalogger, payload, nowMs, false);
    if (type === 'NDATA') return this.#nodeData(datalogger, payload, nowMs, done);
    const sn = topic.device ?? '';
    if (!isDeviceSn(sn)) return this.#refusals.message(datalogger, 'bad-device', message.topic, done);
    if (type === 'DBIRTH') return this.#deviceBirth(datalogger, sn, payload, nowMs, done);
    if (type === 'DDATA') return this.#deviceData(datalogger, sn, payload, nowMs, done);
    if (type === 'DDEATH') {
      const device = datalogger.devices.get(sn);
      if (device !== undefined) this.#deviceOffline(device);
    } else this.#refusals.note(datalogger, 'topic', message.topic);
    done(null);
  }

  #decode(bytes: Buffer): SparkplugPayload {
    return decodePayload(bytes, undefined, (inflated) => {
      this.#inflated = inflated;
    });
  }

  #nodeBirth(
    datalogger: DataloggerEntry,
    payload: SparkplugPayload,
    message: IncomingMessage,
    nowMs: number,
    done: Acknowledge,
  ) {
    const { registry, latest } = this.#options;
    if (message.connection !== 0 && message.connection < datalogger.connection) {
      return this.#refusals.message(datalogger, 'stale-birth', '', done);
    }
    const isBack = beginSession(datalogger, payload, message.connection, nowMs);
    this.#sequences.restart(datalogger, payload.seq);
    const tally = new Tally();
    declare(datalogger.self, payload, tally);
    if (message.uplink) datalogger.properties = { ...datalogger.properties, uplink: message.uplink };
    registry.noteDataloggerBirth(datalogger);
    latest.touchDatalogger(datalogger);
    this.#checkClock(datalogger, payload, nowMs);
    this.#watchClock(datalogger, payload, nowMs, true);
    this.#read(datalogger, datalogger.self, payload, nowMs, tally, done, true);
    this.#options.hooks.born(datalogger.self, isBack);
  }

  #nodeData(datalogger: DataloggerEntry, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    const interval = readReportInterval(payload.metrics);
    const properties = readDataloggerProperties(payload.metrics);
    if (interval !== undefined || Object.keys(properties).length > 0) {
      datalogger.reportIntervalS = interval ?? datalogger.reportIntervalS;
      datalogger.properties = { ...datalogger.properties, ...properties };
      this.#options.registry.noteDataloggerBirth(datalogger);
    }
    this.#read(datalogger, datalogger.self, payload, nowMs, new Tally(), done);
  }

  #deviceBirth(datalogger: DataloggerEntry, sn: string, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    const { registry, latest } = this.#options;
    if (!datalogger.devices.has(sn) && datalogger.devices.size >= MOST_DEVICES) {
      return this.#refusals.message(datalogger, 'too-many-devices', sn, done);
    }
    const tally = new Tally();
    const told = toldKind(payload, tally);
    const isNew = !datalogger.devices.has(sn) && registry.deviceBySn(sn) === undefined;
    const device = registry.device(datalogger, sn, told ?? kindOfMetrics(payload.metrics) ?? 'inverter');
    if (device.refusedFor !== undefined) return this.#refusals.message(datalogger, device.refusedFor, sn, done);
    if (isNew) device.isKindGuessed = told === undefined;
    device.isOfOtherKind = told !== undefined && !device.accepts(told);
    if (device.isOfOtherKind) return this.#refusals.message(datalogger, 'kind-changed', `${sn}: ${told}`, done);
    declare(device, payload, tally);
    const isBack = beginDevice(device, payload);
    registry.noteDeviceBirth(device);
    this.#read(datalogger, device, payload, nowMs, tally, done, true);
    latest.touchState(device);
    this.#options.hooks.born(device, isBack);
  }

  #deviceData(datalogger: DataloggerEntry, sn: string, payload: SparkplugPayload, nowMs: number, done: Acknowledge) {
    let device = datalogger.devices.get(sn);
    if (device?.isOfOtherKind === true) return this.#refusals.message(datalogger, 'kind-changed', sn, done);
    if (device?.bindings === undefined || !device.online) {
      this.#commands.requestRebirth(datalogger);
      const isNamed = payload.metrics.some((metric) => metric.name !== undefined);
      if (!isNamed && device?.bindings === undefined) return this.#refusals.message(datalogger, 'no-birth', sn, done);
      if (device === undefined) {
        if (datalogger.devices.size >= MOST_DEVICES)
          return this.#refusals.message(datalogger, 'too-many-devices', sn, done);
        // What follows from two names alone would be wrong too often: the birth has been asked for.
        const guess = kindOfMetrics(payload.metrics);
        if (guess === undefined) return this.#refusals.message(datalogger, 'no-birth', sn, done);
        const isNew = this.#options.registry.deviceBySn(sn) === undefined;
        device = this.#options.registry.device(datalogger, sn, guess);
        if (isNew) device.isKindGuessed = true;
      }
    }
    if (device.refusedFor !== undefined) return this.#refusals.message(datalogger, device.refusedFor, sn, done);
    const alarmCount = device.alarms.size;
    this.#read(datalogger, device, payload, nowMs, new Tally(), done);
    if (device.alarms.size !== alarmCount) this.#options.latest.touchState(device);
  }

  #read(
    datalogger: DataloggerEntry,
    device: DeviceEntry,
    payload: SparkplugPayload,
    nowMs: number,
    tally: Tally,
    done: Acknowledge,
    isBirth = false,
  ) {
    device.bindings ??= new MetricBindings(device.layout, [], datalogger.held);
    const read = readSamples(payload, device, device.bindings, nowMs, this.#options.alarms, tally);
    device.lastSeenMs = Math.max(device.lastSeenMs, toldOfMs(payload, read.samples, nowMs, isBirth));
    const { hooks } = this.#options;
    const isAwaited = hooks.isAwaited(device);
    if (read.hasFrame || isAwaited) {
      const frame = readFrame(payload.metrics, device.bindings, isAwaited);
      tellHooks(hooks, device, frame, isBirth);
      if (!isBirth) this.#cost += SETTING_BYTES * Object.keys(settingsOf(frame.values)).length;
    }
    if (read.hasFrame) this.#takeRecords(device, payload, tally);
    if (read.hasUnknownAlias) {
      this.#refusals.note(datalogger, 'unknown-alias', device.sn);
      this.#commands.requestRebirth(datalogger);
    }
    this.#refusals.parts(datalogger, tally);
    this.#store(read.samples, done);
  }

  #takeRecords(device: DeviceEntry, { metrics }: SparkplugPayload, tally: Tally): void {
    if (device.isDatalogger || device.bindings === undefined) return;
    const frame = recordFrameOf(metrics, device.bindings);
    if (frame === undefined) return;
    if (frame.refused) tally.note('bad-value', 'FaultRecord');
    this.#cost += SETTING_BYTES * ((frame.list?.length ?? 0) + (frame.part === undefined ? 0 : 1));
    this.#options.records?.(device, frame);
  }

  #nodeDeath(datalogger: DataloggerEntry, message: IncomingMessage) {
    if (!datalogger.online || datalogger.isJson) return;
    if (message.connection !== 0) {
      // A will that a take-over of the client id has set free belongs to the connection before.
      if (message.isWill && this.#source?.connectionOf(datalogger.sn) !== message.connection) return;
      if (message.connection < datalogger.connection) return;
    }
    if (!message.isWill) {
      const death = bdSeqOf(decodePayload(message.payload));
      if (!deathMatchesBirth(death, datalogger.bdSeq)) return;
    }
    this.#goOffline(datalogger);
  }

  #goOffline(datalogger: DataloggerEntry) {
    datalogger.online = false;
    datalogger.offlineMs = Date.now();
    this.#sequences.forget(datalogger);
    this.#commands.forget(datalogger);
    this.#options.latest.touchDatalogger(datalogger);
    for (const device of datalogger.devices.values()) this.#deviceOffline(device);
  }

  #deviceOffline(device: DeviceEntry) {
    device.online = false;
    this.#options.latest.touchState(device);
  }

  /** Data of a connection that has not sent its births here. */
  #revive(datalogger: DataloggerEntry, message: IncomingMessage, nowMs: number) {
    datalogger.online = true;
    datalogger.isJson = false;
    datalogger.connection = message.connection;
    datalogger.lastSeenMs = nowMs;
    this.#options.latest.touchDatalogger(datalogger);
    this.#commands.requestRebirth(datalogger);
  }

  #checkClock(datalogger: DataloggerEntry, payload: SparkplugPayload, nowMs: number) {
    if (payload.timestampMs === undefined || Math.abs(payload.timestampMs - nowMs) <= MOST_SKEW_MS) return;
    this.#refusals.note(datalogger, 'clock-skew', String(payload.timestampMs));
    this.#commands.setClock(datalogger, nowMs);
  }

  /** What was under way for long tells an old time by a right clock: only births tell that one is behind. */
  #watchClock(datalogger: DataloggerEntry, payload: SparkplugPayload, nowMs: number, isBirth: boolean) {
    if (payload.timestampMs === undefined) return;
    const aheadMs = payload.timestampMs - nowMs;
    if (!isBirth && aheadMs < -WRONG_SKEW_MS) return;
    const isWrong = Math.abs(aheadMs) > WRONG_SKEW_MS;
    const was = datalogger.clockWrongSinceMs;
    if (isWrong ? typeof was === 'number' : was === null || (was === undefined && !isBirth)) return;
    datalogger.clockWrongSinceMs = isWrong ? nowMs : null;
    this.#options.registry.noteDataloggerBirth(datalogger);
    if (isWrong) this.#commands.setClock(datalogger, nowMs);
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
