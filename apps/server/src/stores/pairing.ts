import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import { ConfigError } from '../config.ts';
import type { Database } from './schema.ts';

export interface PairingOptions {
  /** How the two are called in what a person reads, e.g. `DATABASE_URL`. */
  readonly databaseName: string;
  readonly telemetryName: string;
  /** The telemetry of the database is lost: go on with this, which holds nothing yet. */
  readonly newTelemetry: boolean;
}

/**
 * Throws a ConfigError where the telemetry is not that of the database. Both hold the same id: plants stand in the one,
 * their history by the plant's number in the other, so that another's would show nothing, or that of strangers.
 */
export async function pairStores(
  db: Kysely<Database>,
  telemetry: ClickHouseClient,
  { databaseName, telemetryName, newTelemetry }: PairingOptions,
): Promise<void> {
  const inTelemetry = await idOfTelemetry(telemetry);
  const inDatabase = await db.selectFrom('installation').select(['id', 'paired']).executeTakeFirst();
  if (inDatabase !== undefined && inDatabase.id === inTelemetry) {
    if (!inDatabase.paired) await notePaired(db);
    return;
  }
  if (inTelemetry !== undefined) {
    throw new ConfigError(
      `${telemetryName} holds the history of another database than ${databaseName}: plants would show that of others. ` +
        'Start with the database that it belongs to, or with a new, empty DATA_DIR (with CLICKHOUSE_URL: a new database there).',
    );
  }
  if (inDatabase?.paired && !newTelemetry) {
    throw new ConfigError(
      `${databaseName} belongs to another store of telemetry than ${telemetryName}: all history would be missing. ` +
        'Start with the DATA_DIR (or CLICKHOUSE_URL) that it was used with. If that is lost for good, start once with NEW_TELEMETRY=on.',
    );
  }
  // The database knows the id first: a start that is interrupted here goes on with it.
  const id = inDatabase?.id ?? randomUUID();
  if (inDatabase === undefined) await db.insertInto('installation').values({ id }).execute();
  await telemetry.insert({ table: 'installation', values: [{ id }], format: 'JSONEachRow' });
  await notePaired(db);
}

const notePaired = (db: Kysely<Database>) => db.updateTable('installation').set({ paired: true }).execute();

async function idOfTelemetry(telemetry: ClickHouseClient): Promise<string | undefined> {
  await telemetry.command({
    query: 'CREATE TABLE IF NOT EXISTS installation (id String) ENGINE = MergeTree ORDER BY id',
  });
  const answer = await telemetry.query({ query: 'SELECT id FROM installation LIMIT 1', format: 'JSONEachRow' });
  const [row] = await answer.json<{ id: string }>();
  return row?.id;
}
