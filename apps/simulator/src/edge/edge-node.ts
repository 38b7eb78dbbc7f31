import type { ActiveAlarm } from '@sonnenwarte/device-protocol/points/alarms';
import { deathPayload } from '@sonnenwarte/device-protocol/points/births';
import { parseCommand, ResultCode, type ResultCodeNumber } from '@sonnenwarte/device-protocol/sparkplug/commands';
import {
  decodePayload,
  encodePayload,
  type SparkplugMetric,
  type SparkplugPayload,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import {
  type DeviceMessageType,
  type NodeMessageType,
  parseSparkplugTopic,
  sparkplugTopic,
} from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { FleetDatalogger } from '../fleet.ts';
import type { Plant } from '../plant/plant.ts';
import { activeAlarms } from './alarm-list.ts';
import { CommandAnswers } from './command-answers.ts';
import { CommandLine, drift } from './command-line.ts';
import { dataloggerSettings } from './device-settings.ts';
import { DeviceSlot } from './device-slot.ts';
import { batchesOf } from './history-batches.ts';
import { AliasCounter, addHistorical, dataloggerFacts, PointLayout } from './layout.ts';
import { Outbox } from './outbox.ts';
import { pause, type Schedule } from './pause.ts';
import { isLost, readDatalogger } from './readings.ts';
import { SampleStore, SLOT_MS, type StoredSample } from './sample-store.ts';
import type { SettingsBank } from './settings-bank.ts';
import type { OpenTransport, Transport } from './transport.ts';

export interface EdgeOptions {
  plant: Plant;
  datalogger: FleetDatalogger;
  group: string;
  open: OpenTransport;
  intervalS: number;
  /** Random wait before a reconnection, ms. */
  backoffMs: { low: number; high: number };
  schedule: Schedule;
  onNote(note: string): void;
  /** Keeps the password with which a datalogger connects from now on. */
  keepPassword?: (sn: string, password: string) => void;
}

const SKEW_MS = 110_000;
const WRONG_CLOCK_MS = 40 * 86_400_000;
const DRAIN_PACE_MS = 200;
const DRAIN_SLOTS = 24;
const RESEND_BEFORE_LOSS_MS = 5 * 60_000;
const REBOOT_MS = 4_000;
const ANSWERED_MS = 200;

/** One datalogger as a Sparkplug edge node: births, data, deaths, commands, store and forward. */
export class EdgeNode {
  readonly sn: string;
  readonly plant: Plant;
  readonly devices: readonly DeviceSlot[];
  intervalS: number;
  readonly #options: EdgeOptions;
  readonly #aliases = new AliasCounter();
  readonly #layout: PointLayout;
  readonly #settings: SettingsBank;
  readonly #commands: CommandAnswers;
  readonly #line: CommandLine;
  readonly #store = new SampleStore();
  readonly #startedMs: number;
  readonly #stopped = new AbortController();
  #outbox: Outbox | undefined;
  #connections = 0;
  #isToRestart = false;
  #clockOffsetMs = 0;
  #waiting: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #lostMs: number | undefined;

  constructor(options: EdgeOptions) {
    const { plant, datalogger, schedule } = options;
    this.#options = options;
    this.plant = plant;
    this.sn = datalogger.sn;
    this.intervalS = options.intervalS;
    this.#startedMs = schedule.now();
    this.devices = datalogger.devices.map(
      (device) => new DeviceSlot(plant, device, this.#aliases, () => schedule.now()),
    );
    this.#layout = new PointLayout('logger', this.#readSelf(), this.#aliases);
    this.#settings = dataloggerSettings(plant, options.intervalS, (seconds) => {
      this.intervalS = seconds;
    });
    this.#commands = new CommandAnswers(
      this.#settings,
      (name) => this.#layout.points.some((point) => point.name === name),
      (action) => this.#act(action),
    );
    this.#commands.takeCredential = (credential) => this.#takeCredential(credential);
    this.#line = new CommandLine({
      schedule,
      signal: this.#stopped.signal,
      has: (sn, fault) => plant.faults.has(sn, fault, schedule.now()),
      answer: (slot, metrics, nowMs) =>
        this.#outbox && slot.isBorn && this.#emit(this.#outbox, 'DDATA', metrics, nowMs, slot.sn),
      reboot: (slot) => this.#outbox && this.#reboot(this.#outbox, slot),
    });
  }

  get isConnected(): boolean {
    return this.#outbox !== undefined;
  }

  /** Number of samples that wait to be sent. */
  get pending(): number {
    return this.#store.pending;
  }

  /** Connects, and again after each loss, until stopped. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    const outbox = this.#outbox;
    if (outbox !== undefined) {
      await outbox
        .sendRaw('NDEATH', encodePayload(deathPayload(this.#connections - 1, this.#now())))
        .catch(() => undefined);
      await outbox.close(true);
    }
    await this.#running;
  }

  /** Drops the connection as a power cut would: the broker sends the will. */
  async cut(): Promise<void> {
    this.#stopped.abort();
    await this.#outbox?.close(false);
    await this.#running;
  }

  /** Sends the values of now, or keeps them while there is no connection. The plant was computed forward before. */
  report(tsMs: number): void {
    if (this.#has('silent-logger')) return;
    if (this.#has('comms-drop')) this.#outbox?.close(false).catch(() => undefined);
    const outbox = this.#outbox;
    if (!this.#store.has(tsMs)) this.#store.add(tsMs, this.#sampleAll(tsMs), outbox !== undefined);
    if (outbox === undefined) return;
    drift(this.plant.faults, this.devices, this.#options.schedule.now());
    if (this.#has('rebirth-storm') || this.#has('plain-sparkplug') !== this.#commands.isPlain) this.#birth(outbox);
    const times = this.#has('flood') ? Math.max(1, 20 * this.intervalS) : 1;
    for (let time = 0; time < times; time += 1) this.#reportOnce(outbox, tsMs + time);
  }

  /** Resolves while a connection with its births is there. */
  connected(): Promise<void> {
    if (this.#outbox !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends stored samples of one device as historical data; tries again after a loss of the connection. */
  async sendHistory(device: string, samples: readonly StoredSample[]): Promise<void> {
    const slot = this.devices.find((each) => each.device.sn === device);
    if (slot === undefined) throw new Error(`logger ${this.sn} has no device ${device}`);
    while (!this.#stopped.signal.aborted) {
      await this.connected();
      const outbox = this.#outbox;
      if (outbox === undefined) continue;
      const metrics: SparkplugMetric[] = [];
      for (const sample of samples) addHistorical(sample, metrics);
      try {
        await this.#send(outbox, 'DDATA', metrics, this.#now(), slot.sn, 1);
        return;
      } catch {
        // The loss is handled where the connection is watched; what was not acknowledged goes out again.
        await pause(this.#options.schedule, 50, this.#stopped.signal);
      }
    }
  }

  async #run(): Promise<void> {
    const { schedule, backoffMs } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      if (!this.#has('comms-drop')) await this.#session().catch((error: unknown) => this.#note(error));
      this.#lostMs = this.#now();
      await pause(schedule, backoffMs.low + Math.random() * (backoffMs.high - backoffMs.low), signal);
    }
    for (const waiting of this.#waiting.splice(0)) waiting();
  }

  async #session(): Promise<void> {
    const { group, open } = this.#options;
    const bdSeq = this.#connections;
    const will = sparkplugTopic(group, 'NDEATH', this.sn);
    const lost = Promise.withResolvers<void>();
    const transport: Transport = await open({
      sn: this.sn,
      will: { topic: will, payload: encodePayload(deathPayload(bdSeq)) },
      subscriptions: [sparkplugTopic(group, 'NCMD', this.sn), sparkplugTopic(group, 'DCMD', this.sn, '#')],
      onMessage: (topic, payload) => this.#receive(topic, payload),
      onClose: () => lost.resolve(),
    });
    this.#connections += 1;
    if (this.#stopped.signal.aborted) {
      await transport.close(true);
      return;
    }
    const outbox = new Outbox(transport, group, this.sn, (name) => this.#has(name));
    try {
      this.#birth(outbox);
      this.#outbox = outbox;
      for (const waiting of this.#waiting.splice(0)) waiting();
      if (this.#lostMs !== undefined) this.#store.markUnsent(this.#lostMs - RESEND_BEFORE_LOSS_MS, this.#lostMs);
      // What it holds when the connection is lost goes out over the next one, so it is not waited for here.
      this.#drain(outbox).catch((error: unknown) => this.#note(error));
      await lost.promise;
    } finally {
      this.#outbox = undefined;
    }
  }

  /** Sends what was kept, oldest first, slowly, while live data go on. */
  async #drain(outbox: Outbox): Promise<void> {
    const { schedule } = this.#options;
    while (this.#outbox === outbox && !this.#stopped.signal.aborted) {
      const samples: StoredSample[] = [];
      for (let slot = 0; slot < DRAIN_SLOTS; slot += 1) {
        const next = this.#store.takeOldest();
        if (next === undefined) break;
        samples.push(...next);
      }
      if (samples.length === 0) return;
      for (const batch of batchesOf(samples)) {
        await this.sendHistory(batch.device, batch.samples);
        await pause(schedule, DRAIN_PACE_MS, this.#stopped.signal);
      }
    }
  }

  #birth(outbox: Outbox): void {
    const { datalogger, plant } = this.#options;
    const tsMs = this.#now();
    const isPlain = this.#has('plain-sparkplug');
    for (const { commands } of [{ commands: this.#commands }, ...this.devices]) commands.isPlain = isPlain;
    const facts = dataloggerFacts(datalogger, plant.plant, this.#settings, this.#connections - 1, tsMs);
    const self = [
      ...(isPlain ? facts.filter(({ name }) => name !== 'Properties/Profile') : facts),
      ...this.#layout.birthMetrics(this.#readSelf(), tsMs),
    ];
    outbox.restartSequence();
    this.#emit(outbox, 'NBIRTH', self, tsMs);
    for (const slot of this.devices) {
      slot.isBorn = false;
      if (isLost(plant, slot.device, plant.tsMs) || slot.isRebooting) continue;
      this.#birthDevice(outbox, slot, tsMs);
    }
  }

  #birthDevice(outbox: Outbox, slot: DeviceSlot, tsMs: number): void {
    slot.updateSn();
    // A plant that stopped long ago still shows its last values under their own time.
    const valuesMs = Math.abs(tsMs - this.plant.tsMs) > SLOT_MS && this.#clockOffsetMs === 0 ? this.plant.tsMs : tsMs;
    this.#emit(outbox, 'DBIRTH', slot.birthMetrics(this.#alarmsOf(slot), valuesMs), tsMs, slot.sn);
    slot.isBorn = true;
  }

  #reportOnce(outbox: Outbox, atMs: number): void {
    const tsMs = atMs + this.#skewMs();
    this.#emit(outbox, 'NDATA', this.#layout.dataMetrics(this.#readSelf(), tsMs), tsMs);
    for (const slot of this.devices) {
      const isAway = isLost(this.plant, slot.device, this.plant.tsMs) || slot.isRebooting || slot.isReplaced;
      if (isAway && slot.isBorn) {
        this.#emit(outbox, 'DDEATH', [], tsMs, slot.sn);
        slot.isBorn = false;
      }
      if (isLost(this.plant, slot.device, this.plant.tsMs) || slot.isRebooting) continue;
      if (!slot.isBorn) {
        this.#birthDevice(outbox, slot, tsMs);
        continue;
      }
      this.#emit(outbox, 'DDATA', slot.dataMetrics(this.#alarmsOf(slot), tsMs), tsMs, slot.sn);
    }
  }

  #sampleAll(tsMs: number): StoredSample[] {
    const answering = this.devices.filter((slot) => !isLost(this.plant, slot.device, this.plant.tsMs));
    return answering.map((slot) => slot.sample(tsMs));
  }

  #alarmsOf(slot: DeviceSlot): ActiveAlarm[] {
    return activeAlarms(this.plant, slot.device);
  }

  #receive(topic: string, bytes: Uint8Array): void {
    const outbox = this.#outbox;
    const parsed = parseSparkplugTopic(topic);
    if (outbox === undefined || parsed === null || parsed.type === 'STATE') return;
    let payload: SparkplugPayload;
    try {
      payload = decodePayload(bytes);
    } catch (error) {
      this.#note(error);
      return;
    }
    const nowMs = this.#now();
    if (parsed.type === 'NCMD') {
      const command = parseCommand(payload);
      if (command.clockUtcMs !== undefined) this.#setClock(command.clockUtcMs);
      if (command.rebirth) this.#birth(outbox);
      if (command.history !== undefined) {
        this.#store.markUnsent(command.history.fromMs, command.history.toMs);
        this.#drain(outbox).catch((error: unknown) => this.#note(error));
      }
      const answer = this.#commands.answer(payload, nowMs);
      if (answer !== undefined && !this.#has('credential-unanswered')) this.#emit(outbox, 'NDATA', answer, nowMs);
      if (this.#isToRestart) this.#restart(outbox);
      return;
    }
    const slot = this.devices.find((each) => each.sn === parsed.device);
    if (slot === undefined || !slot.isBorn) return;
    this.#line.hear(slot, payload, nowMs);
  }

  #reboot(outbox: Outbox, slot: DeviceSlot): void {
    this.#emit(outbox, 'DDEATH', [], this.#now(), slot.sn);
    slot.isBorn = false;
    slot.isRebooting = true;
    pause(this.#options.schedule, REBOOT_MS, this.#stopped.signal).then(() => {
      slot.isRebooting = false;
      if (this.#outbox === outbox && !slot.isBorn) this.#birthDevice(outbox, slot, this.#now());
    });
  }

  #act(action: string): ResultCodeNumber {
    if (action === 'ClearHistory') {
      this.#store.clear();
      return ResultCode.ok;
    }
    if (action === 'Reboot') {
      this.#isToRestart = true;
      return ResultCode.ok;
    }
    return ResultCode.unknownMetric;
  }

  #takeCredential(credential: string): ResultCodeNumber {
    if (this.#has('credential-refused')) return ResultCode.refused;
    if (!this.#has('credential-forgotten')) this.#options.keepPassword?.(this.sn, credential);
    this.#isToRestart = true;
    return ResultCode.ok;
  }

  /** Goes down once its answer is out. */
  #restart(outbox: Outbox): void {
    this.#isToRestart = false;
    pause(this.#options.schedule, ANSWERED_MS, this.#stopped.signal)
      .then(() => outbox.close(false))
      .catch(() => undefined);
  }

  #emit(
    outbox: Outbox,
    type: NodeMessageType | DeviceMessageType,
    metrics: SparkplugMetric[],
    tsMs: number,
    device?: string,
  ): void {
    this.#send(outbox, type, metrics, tsMs, device, 0).catch((error: unknown) => this.#note(error));
  }

  #send(
    outbox: Outbox,
    type: NodeMessageType | DeviceMessageType,
    metrics: SparkplugMetric[],
    tsMs: number,
    device: string | undefined,
    qos: 0 | 1,
  ): Promise<void> {
    // Answers to commands hold metrics by name, whose datatype the host may not know.
    const omitDatatypes = (type === 'NDATA' || type === 'DDATA') && metrics.every((each) => each.name === undefined);
    return outbox.send(type, { timestampMs: tsMs, metrics }, omitDatatypes, qos, device);
  }

  #readSelf(): Record<string, number | boolean | string> {
    const { plant, datalogger, schedule } = this.#options;
    return readDatalogger(plant, datalogger, schedule.now(), {
      startedMs: this.#startedMs,
      reconnects: Math.max(0, this.#connections - 1),
      pending: this.#store.pending,
    });
  }

  #has(name: Parameters<Plant['faults']['has']>[1]): boolean {
    return this.plant.faults.has(this.sn, name, this.#options.schedule.now());
  }

  #skewMs(): number {
    if (this.#has('clock-wrong')) return WRONG_CLOCK_MS;
    return this.#has('clock-skew') ? SKEW_MS + this.#clockOffsetMs : this.#clockOffsetMs;
  }

  #now(): number {
    return this.#options.schedule.now() + this.#skewMs();
  }

  /** A host sets the clock: a skewed one is right again, a broken one stays wrong. */
  #setClock(utcMs: number): void {
    if (!this.#has('clock-skew')) return;
    this.#clockOffsetMs = utcMs - this.#options.schedule.now() - SKEW_MS;
  }

  #note(error: unknown): void {
    if (this.#stopped.signal.aborted) return;
    this.#options.onNote(`logger ${this.sn}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
