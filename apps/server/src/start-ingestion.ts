import type { SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { stateTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry as MetricsRegistry } from 'prom-client';
import { Accounting } from './accounting/accounting.ts';
import { AccountAccess } from './broker/account-access.ts';
import { Credentials } from './broker/credentials.ts';
import { type BrokerSettings, type BrokerTiming, startEmbeddedBroker } from './broker/embedded-broker.ts';
import { connectExternalBroker } from './broker/external-broker.ts';
import type { MessageSource } from './broker/message-source.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import type { LiveBus } from './changes/live-bus.ts';
import { Channel } from './commands/channel.ts';
import type { CommandTimes } from './commands/commands.states.ts';
import { Dispatcher } from './commands/dispatcher.ts';
import { hooksOf } from './commands/hooks.ts';
import type { CommandChannel } from './commands/orders.ts';
import { endTaken } from './commands/taken-command.ts';
import { Wire } from './commands/wire.ts';
import { offeredPassword } from './datalogger-keys/offered-passwords.store.ts';
import { giveUpBurntIn } from './device-claims/burnt-in.ts';
import { tellOfClaim } from './device-claims/tell-sides.ts';
import { SettingsBook } from './device-settings/settings-book.ts';
import { RecordReceiver } from './fault-records/receiver.ts';
import { HomeAssistant } from './home-assistant/home-assistant.ts';
import { partsOf } from './in-slices.ts';
import { LatestWriter } from './ingestion/latest/latest.ts';
import { IngestionMetrics } from './ingestion/metrics.ts';
import { Registry } from './ingestion/registry/registry.ts';
import { RestingPlants } from './ingestion/registry/resting-plants.ts';
import type { InboxLimits } from './ingestion/samples/inbox.ts';
import { SampleWriter } from './ingestion/samples/writer.ts';
import { AlarmBook } from './ingestion/sessions/alarm-book.ts';
import { settingsOf } from './ingestion/sessions/command-hooks.ts';
import { DeviceHost } from './ingestion/sessions/device-host.ts';
import { noteWrittenDays } from './insight/due.store.ts';
import type { ReadingSink } from './services.ts';
import type { DamagedParts } from './stores/damaged-parts.ts';
import type { Database } from './stores/schema.ts';
import type { TelemetryHandle } from './stores/telemetry-engine.ts';
import { Recorder } from './test-log/recorder.ts';
import { Turns } from './turns.ts';

export interface IngestionOptions {
  config: BrokerSettings & { mqttUrl: string | undefined };
  db: Kysely<Database>;
  telemetry: TelemetryHandle;
  /** Finds out whether an error comes from a damaged part of a table, and then sets that aside. */
  damage?: Pick<DamagedParts, 'isCauseOf'>;
  bus: Pick<LiveBus, 'publish' | 'subscribe'>;
  logger: Logger;
  metrics: MetricsRegistry;
  /** For tests: shorter waits than those of the protocol. */
  timing?: {
    reorderMs?: number;
    clearAlarmMs?: number;
    silentMs?: number;
    heldMs?: number;
    commands?: CommandTimes;
    partMs?: number;
  };
  failuresPerMinute?: number;
  brokerTiming?: Partial<BrokerTiming>;
  /** Bytes of samples that may wait for storage. */
  mostQueuedBytes?: number;
  /** What one logger may send. */
  limits?: Partial<InboxLimits>;
}

export interface IngestionState {
  broker: 'up' | 'down';
  /** Age of the oldest sample that waits for storage. */
  lagMs: number;
  queuedSamples: number;
  connectedDataloggers: number;
  /** Device days that wait to be accounted anew. */
  dirtyDays: number;
  /** Plants and devices whose figures could not be written. */
  setAside: number;
  /** `holding`: samples wait because the store does not take them; `refusing`: no more can wait, loggers keep their data. */
  storage: 'up' | 'holding' | 'refusing';
  queuedBytes: number;
  /** Why nothing is stored now; empty while all is well. */
  storeError: string;
}

export interface IngestionHandle {
  /** TCP port of the embedded broker without TLS, undefined with an external one. */
  readonly port: number | undefined;
  readonly tls: MessageSource['tls'];
  state(): IngestionState;
  /** Takes a message of a device that speaks to the portal itself. */
  take: ReadingSink['take'];
  readonly commands: CommandChannel;
  /** Sends a command to a logger, or to one of its devices. */
  sendCommand(sn: string, device: string | undefined, payload: SparkplugPayload): Promise<void>;
  /** Waits until all that has been received is stored, accounted and published. */
  drain(): Promise<void>;
  /** Takes no more, writes what it holds and closes the broker. */
  stop(): Promise<void>;
}

const HOST_ID = 'sonnenwarte';
const TICK_MS = 1_000;
/** Samples that are taken before somebody looks whether the event loop is to be given back. */
const TAKEN_AT_ONCE = 100;
const STATE_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/** Starts the broker, or joins an external one, and everything behind it. Rejects with a clear error if the port is taken. */
export async function startIngestion(options: IngestionOptions): Promise<IngestionHandle> {
  const { config, db, telemetry, damage, logger } = options;
  const metrics = new IngestionMetrics(options.metrics);
  let accounting: Accounting | undefined;
  const feed = new ChangeFeed(db, logger);
  await feed.begin();
  const registry = new Registry(db, feed, {
    moved: (device, from) => {
      for (const site of [from, device.site]) if (site !== undefined) latest.touchSite(site);
    },
    refused: (reason, device, detail) => {
      metrics.rejected.inc({ reason });
      logger.warn({ sn: device.sn, device: detail }, 'the row of a device is refused');
    },
    standing: (device, standing) => alarms.adopt(device, standing),
    giveUp: (claimantIds) => giveUpBurntIn(db, claimantIds),
    claimed: (device) => {
      metrics.claims.inc();
      tellOfClaim(db, device.id).catch((error: unknown) => logger.warn({ err: error }, 'nobody is told of a claim'));
      logger.warn({ sn: device.datalogger.sn, device: device.calledSn }, 'two dataloggers claim a serial number');
    },
  });
  registry.start();
  const alarms = new AlarmBook(db, options.timing?.clearAlarmMs);
  const latest = new LatestWriter({ db, bus: options.bus, registry, alarms, metrics, logger });
  await latest.start(config.mqttUrl === undefined);
  const writer: SampleWriter = new SampleWriter({
    telemetry,
    registry,
    metrics,
    logger,
    ...(options.mostQueuedBytes !== undefined && { mostQueuedBytes: options.mostQueuedBytes }),
    ...(options.timing?.silentMs !== undefined && { silentMs: options.timing.silentMs }),
    async stored(samples) {
      const turns = new Turns(1);
      for (const part of partsOf(samples, TAKEN_AT_ONCE)) {
        latest.take(part);
        accounting?.take(part);
        if (turns.isOver) await turns.giveBack();
      }
    },
  });
  accounting = new Accounting({
    db,
    telemetry,
    registry,
    metrics,
    logger,
    oldestUnstoredMs: () => writer.oldestMs,
    failed: (error) => void damage?.isCauseOf(error),
    daysWritten: (days) => noteWrittenDays(db, days, Date.now()),
    changed(sites, devices) {
      latest.noteFigures(sites, devices);
    },
  });
  await accounting.start().catch(async (error: unknown) => {
    if ((await damage?.isCauseOf(error)) !== true) throw error;
    await accounting?.start();
  });
  const channel = new Channel(Date.now, logger);
  const wire = new Wire(
    registry,
    () => overheard,
    (command) => offeredPassword(db, command),
  );
  const dispatcher: Dispatcher = new Dispatcher({
    db,
    bus: options.bus,
    wire,
    channel,
    logger,
    metrics: options.metrics,
    times: options.timing?.commands,
    settingsWritten: (subjects) => book.forget(subjects),
    toldUnasked: (entry, values, atMs) => book.note(entry, settingsOf(values), false, { atMs }),
  });
  const book = new SettingsBook({ db, logger, changed: (changes) => dispatcher.changed(changes) });
  const records = new RecordReceiver({
    db,
    commands: channel,
    logger,
    ...(options.timing?.partMs !== undefined && { partWaitMs: options.timing.partMs }),
  });
  const host = new DeviceHost({
    hooks: hooksOf(dispatcher, book),
    records: (device, frame) => records.heard(device, frame),
    registry,
    writer,
    latest,
    alarms,
    metrics,
    logger,
    ...(options.timing?.reorderMs !== undefined && { reorderMs: options.timing.reorderMs }),
    ...(options.limits !== undefined && { limits: options.limits }),
    refused: (message, reason) => recorder.refused(message, reason),
  });
  const recorder = new Recorder(db, logger);
  const sink = recorder.around(host);
  let source: MessageSource | undefined;
  let overheard: MessageSource | undefined;
  const credentials = new Credentials(db, feed, {
    revoked: (sn) => source?.disconnect(sn),
    admitted: (sn) => registry.learn(sn),
    isConnected: (sn) => (source?.connectionOf(sn) ?? 0) !== 0,
    passwordTaken: endTaken,
  });
  const accounts = new AccountAccess(db);
  const { subscribe } = options.bus;
  const homeAssistant =
    subscribe === undefined
      ? undefined
      : new HomeAssistant({
          db,
          bus: { subscribe },
          logger,
          portal: config.publicUrl,
          tenancyChanged: () => accounts.check(),
        });
  const refused = (reason: string) => metrics.rejected.inc({ reason });
  try {
    if (config.mqttUrl === undefined) {
      await credentials.start();
      accounts.told = homeAssistant;
      homeAssistant?.start();
      accounts.start((error) => logger.debug({ err: error }, 'cannot read the access of accounts'));
      source = await startEmbeddedBroker({
        settings: config,
        credentials,
        accounts,
        sink,
        logger,
        refused,
        ...(options.failuresPerMinute !== undefined && { failuresPerMinute: options.failuresPerMinute }),
        ...(options.brokerTiming !== undefined && { timing: options.brokerTiming }),
      });
    } else {
      const { mqttUrl: url, dataDir } = config;
      source = await connectExternalBroker({ url, sink, logger, hostId: HOST_ID, dataDir });
    }
  } catch (error) {
    await Promise.all([
      homeAssistant?.stop(),
      accounts.stop(),
      accounting.stop(),
      registry.stop(),
      latest.stop(),
      writer.stop(0),
    ]);
    throw error;
  }
  const broker = recorder.overheard(source);
  overheard = broker;
  await recorder.start(source);
  host.attach(broker);
  dispatcher.start();
  records.start();
  // After the registry, so that it knows by then what has changed; not awaited, since it reads what has changed in turn.
  const changed = async () => accounting.lookForRecalculations();
  feed.listen({ changed, missed: changed });
  feed.start();
  const say = (online: boolean) =>
    broker.publish(stateTopic(HOST_ID), Buffer.from(JSON.stringify({ online, timestamp: Date.now() })), {
      qos: 1,
      retain: true,
    });
  await say(true);
  const storage = (): IngestionState['storage'] => (writer.isFull ? 'refusing' : writer.isHolding ? 'holding' : 'up');
  const lagMs = () => Math.max(0, Date.now() - (writer.oldestMs ?? Date.now()));
  metrics.watch(options.metrics, {
    connectedDataloggers: () => broker.connected(),
    connections: () => broker.connections(),
    queuedSamples: () => writer.queuedSamples,
    queuedBytes: () => writer.queuedBytes,
    isStoring: () => storage() === 'up',
    lagMs,
    dirtyDays: () => accounting.dirtyDays,
    setAside: () => accounting.setAside,
    heldDataloggers: () => registry.size,
  });
  const tick = setInterval(() => host.tick(Date.now()), TICK_MS);
  const saying = setInterval(() => void say(true).catch(() => undefined), STATE_MS);
  const rest = new RestingPlants({ registry, broker, writer, latest, alarms, accounting }, options.timing?.heldMs);
  tick.unref();
  saying.unref();

  const stop = async () => {
    clearInterval(tick);
    clearInterval(saying);
    rest.stop();
    await say(false).catch(() => undefined);
    host.stop();
    await dispatcher.stop();
    await records.stop();
    await book.stop();
    await writer.stop(STOP_TIMEOUT_MS);
    await broker.stop();
    await feed.stop();
    await recorder.stop();
    await homeAssistant?.stop();
    await accounts.stop();
    await accounting.stop();
    await latest.stop();
    await registry.stop();
  };
  let stopping: Promise<void> | undefined;

  return {
    port: broker.port,
    tls: broker.tls,
    state: () => ({
      broker: broker.state(),
      lagMs: lagMs(),
      queuedSamples: writer.queuedSamples,
      connectedDataloggers: broker.connected(),
      dirtyDays: accounting.dirtyDays,
      setAside: accounting.setAside,
      storage: storage(),
      queuedBytes: writer.queuedBytes,
      storeError: writer.lastError,
    }),
    take: (sn, channel, body) =>
      new Promise((resolve, reject) => {
        if (!host.accepts()) return reject(new Error('nothing can be taken now'));
        const topic = `pv/v1/${sn}/${channel}`;
        const message = { topic, payload: Buffer.from(body), sn, connection: 0, isWill: false };
        sink.message(message, (error) => (error ? reject(error) : resolve()));
      }),
    commands: channel,
    sendCommand: (sn, device, payload) => host.sendCommand(sn, device, payload),
    async drain() {
      await host.drain();
      await writer.drain();
      await accounting.drain();
      await latest.drain();
      await book.drain();
      await dispatcher.drain();
      await records.drain();
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
