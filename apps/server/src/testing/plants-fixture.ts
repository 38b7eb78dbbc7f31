import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import type { Level } from '@sonnenwarte/contract/levels';
import type { LiveEvent } from '@sonnenwarte/contract/live/live';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Actor } from '../access/actor.ts';
import { codesOfLevel } from '../access/codes.ts';
import { createLiveBus, type LiveBus } from '../changes/live-bus.ts';
import { type LiveClock, systemClock } from '../changes/live-clock.ts';
import { Channel } from '../commands/channel.ts';
import { readConfig } from '../config.ts';
import { bindFeatures } from '../features.ts';
import { createApp } from '../http/app.ts';
import { CallError } from '../http/call-error.ts';
import { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';
import type { SiteArray, SiteState, TimedValue } from '../stores/schema-plants.ts';
import type { Stores } from '../stores/stores.ts';
import { startTestStores } from './ingestion.ts';
import { signedRequest } from './portal.ts';

/** An API over both real stores, with plants that a test writes itself and a clock that it may set. */
export class PlantsFixture {
  readonly db: Kysely<Database>;
  readonly stores: Stores;
  readonly bus: LiveBus;
  /** What is ordered stands in its table; it goes nowhere. */
  readonly commands: Channel;
  readonly time: { nowMs: number | undefined };
  readonly url: string;
  readonly #actors: Map<string, Actor>;
  readonly #stop: () => Promise<void>;

  private constructor(
    stores: Stores,
    bus: LiveBus,
    commands: Channel,
    url: string,
    actors: Map<string, Actor>,
    time: { nowMs: number | undefined },
    stop: () => Promise<void>,
  ) {
    this.stores = stores;
    this.db = stores.db;
    this.bus = bus;
    this.commands = commands;
    this.url = url;
    this.#actors = actors;
    this.time = time;
    this.#stop = stop;
  }

  static async start(
    clock?: (nowMs: () => number) => LiveClock,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<PlantsFixture> {
    const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
    const stores = await startTestStores();
    const config = readConfig({ DEMO: 'off', ...stores.settings, ...settings });
    const bus = await createLiveBus(stores.databaseConnection, stores.db, logger);
    const metrics = new Registry();
    const app = await createApp({ logger, metrics, dependencies: async () => ({}) });
    const actors = new Map<string, Actor>();
    const time: { nowMs: number | undefined } = { nowMs: undefined };
    const nowMs = () => time.nowMs ?? Date.now();
    const api = {
      fastify: app,
      nowMs,
      findActor: async (token: string) => {
        const actor = actors.get(token);
        if (actor === undefined) throw new CallError('tokenInvalid');
        return actor;
      },
    };
    const commands = new Channel(nowMs, logger);
    await bindFeatures(api, {
      config,
      db: stores.db,
      telemetry: stores.telemetry.client,
      nowMs,
      jobs: new Jobs(),
      bus,
      liveClock: (clock ?? systemClock)(nowMs),
      metrics,
      logger,
      publicUrl: () => 'http://localhost',
      broker: { port: undefined, isSecure: false },
      // What devices tell is taken, and goes nowhere: plants have the values that a test writes.
      readings: { take: async () => undefined },
      commands,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    return new PlantsFixture(stores, bus, commands, url, actors, time, async () => {
      await app.close();
      await bus.close();
      await stores.stop();
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Signs in; the answer is the token. */
  signIn(account: { id: string; level: Level; organisationID: string }): string {
    return this.signInOf(account, [account.organisationID]);
  }

  /** The same for somebody whose organisation stands below others, or who holds fewer codes than the level may. */
  signInOf(
    account: { id: string; level: Level; organisationID: string },
    organisationPath: readonly string[],
    codes: Actor['codes'] = codesOfLevel(account.level),
  ): string {
    const token = randomUUID();
    const { id: accountId, level, organisationID } = account;
    this.#actors.set(token, {
      accountId,
      username: 'test',
      level,
      organisationID,
      organisationPath,
      codes,
      sessionId: token,
      mustChangePassword: false,
      viewAs: null,
    });
    return token;
  }

  signOut(token: string): void {
    this.#actors.delete(token);
  }

  async fetch(endpoint: Endpoint, input: unknown, token: string, signal?: AbortSignal): Promise<Response> {
    const timestamp = String(this.time.nowMs ?? Date.now());
    const [target, init] = signedRequest(this.url, endpoint, input, { token, timestamp });
    return fetch(target, { ...init, ...(signal && { signal }) });
  }

  async call<E extends Endpoint>(endpoint: E, input: Input<E>, token: string): Promise<Envelope<Result<E>>> {
    const response = await this.fetch(endpoint, input, token);
    return (await response.json()) as Envelope<Result<E>>;
  }

  /** The same for a call that must succeed. */
  async read<E extends Endpoint>(endpoint: E, input: Input<E>, token: string): Promise<Result<E>> {
    const answer = await this.call(endpoint, input, token);
    if (answer.errno !== 0)
      throw new Error(`${endpoint.path} answered ${answer.errno} ${JSON.stringify(answer.result)}`);
    return answer.result;
  }

  async addOrganisation(kind: 'platform' | 'distributor' | 'agent' | 'installer', above: readonly string[] = []) {
    const id = randomUUID();
    const path = [...above, id];
    await this.db
      .insertInto('organisations')
      .values({
        id,
        parent_id: above.at(-1) ?? null,
        kind,
        name: `${kind} ${id.slice(0, 4)}`,
        path,
        disabled_at: null,
        deleted_at: null,
      })
      .execute();
    return { id, path };
  }

  async addAccount(
    organisationID: string,
    level: Level,
  ): Promise<{ id: string; level: Level; organisationID: string }> {
    const id = randomUUID();
    await this.db
      .insertInto('accounts')
      .values({
        id,
        organisation_id: organisationID,
        username: `user-${id}`,
        email: `${id}@example.org`,
        password_hash: createHash('sha256').update(id).digest('hex'),
        level,
        language: null,
        disabled_at: null,
        deleted_at: null,
      })
      .execute();
    return { id, level, organisationID };
  }

  /** An installer's organisation, and the token of somebody who works there. */
  async addInstaller(): Promise<{ installerId: string; token: string }> {
    const { id } = await this.addOrganisation('installer');
    return { installerId: id, token: this.signIn(await this.addAccount(id, 2)) };
  }

  async addSite(organisationID: string, site: Partial<NewSite> = {}): Promise<{ id: string; key: number }> {
    const { latest, arrays = [], ...columns } = site;
    const added = await this.db
      .insertInto('sites')
      .values({
        organisation_id: organisationID,
        name: 'Plant',
        country: 'DE',
        time_zone: 'Europe/Berlin',
        system_size_kwp: 10,
        owner_account_id: null,
        latitude: null,
        longitude: null,
        altitude_m: null,
        rated_power_w: null,
        deleted_at: null,
        ...columns,
        arrays: JSON.stringify(arrays),
      })
      .returning(['id', 'key'])
      .executeTakeFirstOrThrow();
    if (latest !== undefined) {
      await this.db
        .updateTable('site_latest')
        .set({
          state: 'normal',
          pv_w: null,
          external_w: null,
          battery_w: null,
          grid_w: null,
          load_w: null,
          charger_w: null,
          inverter_ac_w: null,
          soc_percent: null,
          battery_capacity_wh: null,
          today_wh: null,
          month_wh: null,
          total_wh: null,
          ts: new Date(this.time.nowMs ?? Date.now()),
          ...latest,
        })
        .where('site_id', '=', added.id)
        .execute();
    }
    return added;
  }

  async addDatalogger(siteId: string | null, seenAt: Date | null = new Date(this.time.nowMs ?? Date.now())) {
    const sn = String(Math.floor(Math.random() * 1e15)).padStart(15, '0');
    return this.db
      .insertInto('loggers')
      .values({
        sn,
        site_id: siteId,
        organisation_id: null,
        token_hash: null,
        rssi_dbm: -61,
        online: seenAt !== null,
        born_at: null,
        last_seen_at: seenAt,
        revoked_at: null,
        type: 'WiFi',
      })
      .returning(['id', 'sn'])
      .executeTakeFirstOrThrow();
  }

  async addDevice(siteId: string | null, dataloggerId: string, device: Partial<NewDevice> = {}) {
    const { values, powerW = null, todayWh = null, totalWh = null, ...columns } = device;
    const seenAt = new Date(this.time.nowMs ?? Date.now());
    const added = await this.db
      .insertInto('devices')
      .values({
        sn: `SN-${randomUUID()}`,
        logger_id: dataloggerId,
        site_id: siteId,
        kind: 'inverter',
        state: 'normal',
        online: true,
        rated_power_w: null,
        capacity_wh: null,
        last_seen_at: seenAt,
        deleted_at: null,
        ...columns,
      })
      .returning(['id', 'key', 'sn'])
      .executeTakeFirstOrThrow();
    if (values !== undefined) {
      await this.db
        .insertInto('device_latest')
        .values({
          device_id: added.id,
          ts: seenAt,
          received_at: seenAt,
          power_w: powerW,
          soc_percent: null,
          today_wh: todayWh,
          total_wh: totalWh,
          values: JSON.stringify(values),
        })
        .execute();
    }
    return added;
  }

  async insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    await this.stores.telemetry.client.insert({ table, values: [...rows], format: 'JSONEachRow' });
  }

  /** Opens the live stream and reads its events one by one. */
  async open(endpoint: Endpoint, subjects: readonly string[], token: string): Promise<LiveReader> {
    const leaving = new AbortController();
    const response = await this.fetch(endpoint, { subjects }, token, leaving.signal);
    return new LiveReader(response, leaving);
  }
}

interface NewSite {
  name: string;
  country: string;
  city: string;
  postcode: string;
  time_zone: string;
  type: number;
  system_size_kwp: number;
  owner_account_id: string | null;
  latitude: number | null;
  longitude: number | null;
  altitude_m: number | null;
  purchase_price: string | null;
  feed_in_price: string | null;
  currency: string;
  arrays: SiteArray[];
  commissioned_on: string | null;
  grid_connected_on: string | null;
  deleted_at: Date | null;
  latest: {
    state?: SiteState;
    ts?: Date | null;
    pv_w?: number | null;
    load_w?: number | null;
    grid_w?: number | null;
    battery_w?: number | null;
    soc_percent?: number | null;
    today_wh?: number | null;
    month_wh?: number | null;
    total_wh?: number | null;
    local_day?: string | null;
    pv_marks?: number;
    history_percent?: number | null;
    money_currency?: string;
    today_money?: string | null;
    month_money?: string | null;
    derived?: string[];
  };
}

interface NewDevice {
  sn: string;
  kind: AttachedKind;
  role: string;
  model: string;
  rated_power_w: number | null;
  state: SiteState;
  version_master: string;
  first_seen_at: Date;
  last_seen_at: Date | null;
  deleted_at: Date | null;
  powerW: number | null;
  todayWh: number | null;
  totalWh: number | null;
  values: Record<string, TimedValue>;
}

/** Events of a live stream in the order in which they came. */
export class LiveReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #leaving: AbortController;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response, leaving: AbortController) {
    if (response.body === null) throw new Error('the stream has no body');
    this.#reader = response.body.getReader();
    this.#leaving = leaving;
  }

  /** The next event, undefined when the server has ended the stream. */
  async next(): Promise<LiveEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        if (block.startsWith('data: ')) return JSON.parse(block.slice(6)) as LiveEvent;
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  leave(): void {
    this.#leaving.abort();
  }
}
