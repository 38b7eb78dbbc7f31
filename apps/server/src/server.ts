import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { sessionActors } from './accounts/session-actors.ts';
import { newSetUpCode, setUpState } from './accounts/set-up.ts';
import { keyActors } from './api-keys/key-actors.ts';
import { HeadKeeper, headFiles } from './audit/heads.ts';
import { noteSealing, recordPlatform } from './audit/platform.ts';
import { completeRestore } from './backup/after-restore.ts';
import { requireNoHalfRestore } from './backup/restore-backup.ts';
import { clearKilledBackups } from './backup/under-way.ts';
import { createLiveBus } from './changes/live-bus.ts';
import { systemClock } from './changes/live-clock.ts';
import type { Config } from './config.ts';
import { removeDemo } from './demo/remove.ts';
import { seedDemoPlants, startDemo, type ToldHistory } from './demo/start-demo.ts';
import { bindFeatures } from './features.ts';
import { createApp } from './http/app.ts';
import type { Dependencies, HealthParts } from './http/health.ts';
import { openOperatorPort } from './http/operator-port.ts';
import type { OperatorRule } from './http/operators.ts';
import { Jobs, startJobs } from './jobs/jobs.ts';
import { isLoopback } from './loopback.ts';
import type { BrokerPorts } from './services.ts';
import { listenError } from './start-errors.ts';
import { type IngestionHandle, startIngestion } from './start-ingestion.ts';
import { allWithin, type Patience } from './stores/patience.ts';
import { type Stores, startStores } from './stores/stores.ts';
import type { WatchTimes } from './supervision/child.ts';

/** Connections that wait to be taken: everybody comes back at once after a restart. */
const LISTEN_BACKLOG = 4_096;
/** At night, one seventh of all parts, so that each is read through once a week. */
const CHECK_TELEMETRY_AT = '50 2 * * *';
const STOP_NOTE_MS = 5_000;
/** Samples that wait longer for storage are a fault, whatever its reason. */
const MOST_LAG_MS = 60_000;
const builtWeb = path.resolve(import.meta.dirname, '../../web/dist');

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Called with 0 to 1 while the demonstration's history is generated. */
  readonly onDemoHistory?: ToldHistory;
  /** Why the server before this one ended, where that was not in order. */
  readonly restartCause?: string;
  /** For tests: shorter waits than usual. */
  readonly patience?: Patience;
  readonly watch?: WatchTimes;
  /** Without the web app, for tests of the API. */
  readonly apiOnly?: boolean;
  /** Without the simulator's process, for tests that speak for the loggers themselves. */
  readonly withoutSimulator?: boolean;
}

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly mqttPort: number | undefined;
  readonly mqttTls: IngestionHandle['tls'];
  /** Of health and metrics alone, where one was asked for. */
  readonly metricsPort: number | undefined;
  readonly stores: Stores;
  readonly ingestion: IngestionHandle;
  /** What the person who starts it should know, in a few words each. */
  readonly notes: readonly string[];
  /** Code of the one-time link for the first account, where there is none yet. */
  readonly setUpCode: string | undefined;
  stop(): Promise<void>;
}

/** What was started, to be stopped in reverse order; also after a start that failed half-way. */
class Undo {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(async () => {
      await step();
    });
  }

  async run(logger: Logger): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      await step().catch((error: unknown) => logger.error({ err: error }, 'does not stop cleanly'));
    }
  }
}

/** Starts the whole server: stores, broker and ingestion, API and web app, and the demonstration if it is on. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const undo = new Undo();
  try {
    return await start(options, undo);
  } catch (error) {
    await undo.run(options.logger);
    throw error;
  }
}

async function start(options: ServerOptions, undo: Undo): Promise<Server> {
  const { config, logger } = options;
  if (config.demo && config.forOthers) logger.warn('DEMO=on shows the demo, whose passwords are public, to others');
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  requireNoHalfRestore(config.dataDir);
  await clearKilledBackups(config.dataDir);
  const stores = await startStores(config, logger, options.watch);
  undo.add(() => stores.stop());
  const heads = new HeadKeeper(stores.db, headFiles(config), logger);
  undo.add(() => heads.stop());
  await completeRestore(stores.db, config.dataDir);
  await noteSealing(stores.db);
  stores.damage.watch(metrics);
  if (stores.migrated.length > 0)
    await recordPlatform(stores.db, 'platform.migrateDatabase', { migrations: stores.migrated });
  if (options.restartCause === undefined) await recordPlatform(stores.db, 'platform.start');
  else await recordPlatform(stores.db, 'platform.restart', { cause: options.restartCause });
  await heads.write();
  heads.start();
  // A database that does not answer keeps nobody from stopping.
  undo.add(() => allWithin(STOP_NOTE_MS, () => recordPlatform(stores.db, 'platform.stop')));
  if (!config.demo) await removeDemo(stores.db, stores.telemetry.client, logger);
  const bus = await createLiveBus(stores.databaseConnection, stores.db, logger);
  undo.add(() => bus.close());
  const { db, telemetry, damage } = stores;
  const ingestion = await startIngestion({ config, db, telemetry, damage, bus, logger, metrics });
  undo.add(() => ingestion.stop());
  const health = { metrics, dependencies: dependenciesOf(stores, ingestion), operators: operatorsOf(config) };
  const app = await createApp({
    logger,
    ...health,
    trustedProxies: config.trustedProxies,
    ...(!options.apiOnly && { webFolder: config.webDist ?? builtWeb }),
    ...(config.mapTiles && { images: [new URL(config.mapTiles.url).origin] }),
  });
  const jobs = new Jobs();
  const nowMs = Date.now;
  const api = {
    fastify: app,
    findActor: sessionActors(db),
    findKeyActor: keyActors(db, nowMs),
    nowMs,
    ...(options.patience && { patience: options.patience }),
  };
  await bindFeatures(api, {
    config,
    db,
    telemetry: telemetry.client,
    nowMs,
    jobs,
    bus,
    liveClock: systemClock(nowMs),
    metrics,
    logger,
    publicUrl: () => config.publicUrl ?? `http://localhost:${(app.server.address() as AddressInfo).port}`,
    broker: portsFor(config, ingestion),
    readings: ingestion,
    commands: ingestion.commands,
  });
  undo.add(() => app.close());
  await listen(app, config);
  const operatorPort = await openForOperators(config, logger, health);
  if (operatorPort) undo.add(() => operatorPort.close());
  jobs.every('telemetry.check', CHECK_TELEMETRY_AT, () => stores.damage.checkShare(new Date().getUTCDay(), 7));
  const runningJobs = await startJobs(jobs, stores.databaseConnection, logger);
  undo.add(() => runningJobs.stop());
  const port = (app.server.address() as AddressInfo).port;
  if (config.demo) await runDemo(options, stores, ingestion, undo);
  const setUpCode = (await setUpState(stores)).needed ? await newSetUpCode(stores.db) : undefined;
  return {
    url: `http://${config.host === '127.0.0.1' || config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`,
    port,
    mqttPort: ingestion.port,
    mqttTls: ingestion.tls,
    metricsPort: operatorPort?.port,
    stores,
    ingestion,
    setUpCode,
    notes: notesOf(stores, logger),
    stop: () => undo.run(logger),
  };
}

function notesOf({ auditPowers }: Stores, logger: Logger): string[] {
  if (auditPowers.length === 0) return [];
  const powers = auditPowers.join(', ');
  logger.warn({ powers: auditPowers }, 'the role of DATABASE_URL could change the audit log');
  return [
    `The role of DATABASE_URL could change the audit log (${powers}). docs/operating.md, "Audit", says what to grant.`,
  ];
}

/** Who is not on this machine reaches the broker with TLS, unless the plain port is open to all. */
function portsFor({ host, mqttPlain }: Config, { port, tls }: IngestionHandle): BrokerPorts {
  const isPlain = mqttPlain || isLoopback(host) || tls === undefined;
  return isPlain ? { port, isSecure: false } : { port: tls.port, isSecure: true };
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG });
  } catch (error) {
    throw listenError(error, 'PORT', config.port, config.host);
  }
}

/** Behind a proxy that is not known everybody seems to call from this machine. */
const operatorsOf = ({ metricsToken, publicUrl, trustedProxies }: Config): OperatorRule => ({
  token: metricsToken,
  fromHere: publicUrl === undefined || isLoopback(new URL(publicUrl).hostname) || trustedProxies.length > 0,
});

async function openForOperators({ metricsPort, metricsToken, host }: Config, logger: Logger, parts: HealthParts) {
  if (metricsPort === undefined) return undefined;
  const operators = { token: metricsToken, everybody: metricsToken === undefined, fromHere: true };
  try {
    return await openOperatorPort({ host, port: metricsPort, logger }, { ...parts, operators });
  } catch (error) {
    throw listenError(error, 'METRICS_PORT', metricsPort, host);
  }
}

async function runDemo(options: ServerOptions, stores: Stores, ingestion: IngestionHandle, undo: Undo): Promise<void> {
  const { config, logger } = options;
  if (options.withoutSimulator || ingestion.port === undefined) {
    await seedDemoPlants(stores.db, config.dataDir);
    return;
  }
  const simulator = await startDemo({
    db: stores.db,
    telemetry: stores.telemetry.client,
    dataDir: config.dataDir,
    mqttPort: ingestion.port,
    logger,
    months: config.demoMonths,
    onHistory: options.onDemoHistory ?? (() => undefined),
  });
  undo.add(() => simulator.stop());
}

const dependenciesOf =
  (stores: Stores, ingestion: IngestionHandle): Dependencies =>
  async () => {
    const { database, telemetry } = await stores.states();
    const { broker, storage, ...detail } = ingestion.state();
    const { parts, lost } = stores.damage.state;
    return {
      database: { state: database },
      telemetry: { state: telemetry, detail: { damagedParts: parts, lostSamples: lost.join(', ') } },
      broker: { state: broker },
      ingestion: {
        state: storage === 'up' && detail.lagMs <= MOST_LAG_MS ? 'up' : 'down',
        detail: { storage, ...detail },
      },
    };
  };
