import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { hashToken } from '../broker/credentials.ts';
import type { BrokerSettings } from '../broker/embedded-broker.ts';
import { createLiveBus } from '../changes/live-bus.ts';
import { readConfig } from '../config.ts';
import { type IngestionHandle, type IngestionOptions, startIngestion } from '../start-ingestion.ts';
import type { Database } from '../stores/schema.ts';
import { type Stores, startStores } from '../stores/stores.ts';
import { testHome } from './store-house/borrow.ts';

export interface TestStores extends Stores {
  readonly dataDir: string;
  /** Settings with which a command reaches the same stores. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Both real stores, with a folder of their own: those that the worker's tests share, or some for tests that end them. */
export async function startTestStores(options: { ownStores?: boolean } = {}): Promise<TestStores> {
  const { dataDir, settings, leave } = await testHome(options);
  const stores = await startStores(readConfig({ DEMO: 'off', ...settings }), pino({ level: 'silent' }));
  return {
    ...stores,
    dataDir,
    settings,
    async stop() {
      await stores.stop();
      leave();
    },
  };
}

export interface TestIngestion extends IngestionHandle {
  readonly port: number;
  readonly metrics: Registry;
  /** What the live hub was told. */
  readonly told: { sites: number[]; devices: number[] }[];
  /** The sum of a counter over the labels that match. */
  counted(name: string, labels?: Record<string, string>): Promise<number>;
}

export async function startTestIngestion(
  stores: Pick<Stores, 'db' | 'telemetry' | 'databaseConnection'>,
  options: Partial<
    Pick<IngestionOptions, 'timing' | 'brokerTiming' | 'failuresPerMinute' | 'mostQueuedBytes' | 'limits'>
  > & {
    mqttUrl?: string;
    mqttPort?: number;
    /** What differs from a broker without TLS on a free port. */
    config?: Partial<BrokerSettings>;
  } = {},
): Promise<TestIngestion> {
  const metrics = new Registry();
  const told: { sites: number[]; devices: number[] }[] = [];
  const { mqttUrl, mqttPort = 0, config, ...rest } = options;
  const ownDir = config?.dataDir === undefined ? mkdtempSync(path.join(tmpdir(), 'sonnenwarte-broker-')) : undefined;
  const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const bus = await createLiveBus(stores.databaseConnection, stores.db, logger);
  const handle = await startIngestion({
    config: {
      ...readConfig({ MQTT_TLS_PORT: 'off', DEMO: 'off', ...(ownDir && { DATA_DIR: ownDir }) }),
      mqttPort,
      mqttUrl,
      ...config,
    },
    db: stores.db,
    telemetry: stores.telemetry,
    bus: {
      async publish({ sites, devices }) {
        told.push({ sites: [...sites], devices: [...devices] });
      },
      subscribe: (listener) => bus.subscribe(listener),
    },
    logger,
    metrics,
    ...rest,
  });
  return {
    ...handle,
    port: handle.port ?? 0,
    metrics,
    told,
    async stop() {
      await handle.stop();
      await bus.close();
      if (ownDir !== undefined) rmSync(ownDir, { recursive: true, force: true });
    },
    async counted(name, labels = {}) {
      const metric = await metrics.getSingleMetric(name)?.get();
      const values = metric?.values ?? [];
      return values
        .filter((entry) => Object.entries(labels).every(([label, value]) => entry.labels[label] === value))
        .reduce((sum, entry) => sum + entry.value, 0);
    },
  };
}

let lastSn = 100_000_000_000_000;

export function freshSn(): string {
  lastSn += 1;
  return String(lastSn);
}

export const TEST_PASSWORD = 'correct-horse-battery-staple';

export interface TestPlant {
  siteId: string;
  siteKey: number;
  sn: string;
}

/** A site with one logger that may connect with TEST_PASSWORD. */
export async function makePlant(
  db: Kysely<Database>,
  options: { zone?: string; prices?: boolean } = {},
): Promise<TestPlant> {
  const { zone = 'Europe/Berlin', prices = true } = options;
  const organisation = await makeOrganisation(db);
  const site = await db
    .insertInto('sites')
    .values({
      organisation_id: organisation,
      name: 'Test plant',
      country: 'DE',
      time_zone: zone,
      arrays: '[]',
      feed_in_price: prices ? '0.08' : null,
      purchase_price: prices ? '0.30' : null,
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow();
  const sn = await makeDatalogger(db, site.id);
  return { siteId: site.id, siteKey: site.key, sn };
}

export async function makeDatalogger(db: Kysely<Database>, siteId: string | null): Promise<string> {
  const sn = freshSn();
  await db
    .insertInto('loggers')
    .values({ sn, site_id: siteId, token_hash: hashToken(TEST_PASSWORD) })
    .execute();
  return sn;
}

export async function makeOrganisation(db: Kysely<Database>): Promise<string> {
  const id = crypto.randomUUID();
  await db
    .insertInto('organisations')
    .values({ id, kind: 'installer', name: 'Test installer', parent_id: null, path: [id] })
    .execute();
  return id;
}
