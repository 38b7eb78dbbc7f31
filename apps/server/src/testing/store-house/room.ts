import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { connectDatabase } from '../../stores/database.ts';
import { type PostgresHandle, startPostgres } from '../../stores/postgres.ts';
import { OWNER, type PostgresConnection, SERVER } from '../../stores/postgres-door.ts';
import { socketFolder } from '../../stores/socket-folder.ts';
import { makeTables } from '../../stores/stores.ts';
import { startTelemetryEngine, type TelemetryHandle } from '../../stores/telemetry-engine.ts';

/** What a crash of the machine takes with it is no loss here. */
const CARELESS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_connections: '200',
};
const TEMPLATE = 'made';

const logger = pino({ level: 'silent' });

/** Where one file of tests finds its two stores. */
export interface Lent {
  readonly DATABASE_URL: string;
  readonly DATABASE_OWNER_URL: string;
  readonly CLICKHOUSE_URL: string;
}

/** One PostgreSQL and one telemetry engine, in which every file of tests that comes by has a database of its own. */
export class Room {
  readonly #postgres: PostgresHandle;
  readonly #telemetry: TelemetryHandle;
  readonly #door: Server;
  readonly #admin: pg.Client;
  readonly #leave: () => void;
  #number = 0;

  private constructor(parts: {
    postgres: PostgresHandle;
    telemetry: TelemetryHandle;
    door: Server;
    admin: pg.Client;
    leave: () => void;
  }) {
    this.#postgres = parts.postgres;
    this.#telemetry = parts.telemetry;
    this.#door = parts.door;
    this.#admin = parts.admin;
    this.#leave = parts.leave;
  }

  static async open(dataDir: string): Promise<Room> {
    const [postgres, telemetry] = await Promise.all([
      startPostgres({ dataDir, logger, settings: CARELESS }),
      startTelemetryEngine({ dataDir, logger }),
    ]);
    const { owner, leave } = await stayOwner(postgres);
    const admin = new pg.Client(owner);
    await admin.connect();
    await admin.query(`create database ${TEMPLATE}`);
    const made = { ...owner, database: TEMPLATE };
    const db = connectDatabase(made, { isBounded: false });
    await makeTables(db, made, SERVER, logger).finally(() => db.destroy());
    const door = await openDoor(join(socketFolder(dataDir), 'telemetry.sock'));
    return new Room({ postgres, telemetry, door, admin, leave });
  }

  async lend(): Promise<{ stores: Lent; takeBack(): Promise<void> }> {
    this.#number += 1;
    const name = `file_${this.#number}`;
    await Promise.all([
      this.#admin.query(`create database ${name} template ${TEMPLATE}`),
      this.#telemetry.client.command({ query: `CREATE DATABASE ${name}` }),
    ]);
    const host = encodeURIComponent(this.#postgres.connection.host);
    const urlOf = (user: string) => `postgres://${user}@localhost/${name}?host=${host}`;
    const { port } = this.#door.address() as AddressInfo;
    return {
      stores: {
        DATABASE_URL: urlOf(SERVER),
        DATABASE_OWNER_URL: urlOf(OWNER),
        CLICKHOUSE_URL: `http://127.0.0.1:${port}/${name}`,
      },
      takeBack: async () => {
        await Promise.all([
          this.#admin.query(`drop database ${name} with (force)`),
          this.#telemetry.client.command({ query: `DROP DATABASE ${name} SYNC` }),
        ]);
      },
    };
  }

  async close(): Promise<void> {
    this.#door.close();
    await this.#admin.end();
    this.#leave();
    await Promise.all([this.#postgres.stop(), this.#telemetry.stop()]);
  }
}

/** The owner is let in until `leave` is called. */
function stayOwner(postgres: PostgresHandle): Promise<{ owner: PostgresConnection; leave: () => void }> {
  return new Promise((admitted, refused) => {
    postgres.asOwner((owner) => new Promise<void>((leave) => admitted({ owner, leave }))).catch(refused);
  });
}

/** Leads from a port of loopback to the engine's socket: the setting for an engine of one's own takes an address. */
function openDoor(socketPath: string): Promise<Server> {
  const door = createServer((caller) => {
    const engine = connect(socketPath);
    caller.pipe(engine).pipe(caller);
    caller.on('error', () => engine.destroy());
    engine.on('error', () => caller.destroy());
  });
  return new Promise((opened) => door.listen(0, '127.0.0.1', () => opened(door)));
}
