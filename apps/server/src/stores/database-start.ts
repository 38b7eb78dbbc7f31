import pg from 'pg';
import { ConfigError, withoutPassword } from '../config.ts';
import type { DatabaseConnection, DatabaseUrl } from '../database-url.ts';

/** The oldest PostgreSQL that this was tried with. */
const LEAST_VERSION = 15;
const NO_TLS_THERE = /does not support SSL/;

/** What an external database says of itself, as far as a start depends on it. */
interface DatabaseFacts {
  version: number;
  version_text: string;
  encoding: string;
  read_only: boolean;
  role: string;
  database: string;
  schema: string | null;
  /** Its role may make tables in its schema, and schemas in the database. */
  makes_tables: boolean;
  makes_schemas: boolean;
  /** Everything was made before. */
  is_made: boolean;
}

const FACTS = `select
  current_setting('server_version_num')::int as version,
  current_setting('server_version') as version_text,
  current_setting('server_encoding') as encoding,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
  current_user::text as role,
  current_database()::text as database,
  current_schema()::text as schema,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as makes_tables,
  has_database_privilege(current_database(), 'create') as makes_schemas,
  to_regclass('schema_migrations') is not null and to_regnamespace('graphile_worker') is not null as is_made`;

/** Throws a ConfigError that says what is wrong with the database and what to do, before anything is written into it. */
export async function checkDatabase(connection: DatabaseConnection, url: DatabaseUrl): Promise<void> {
  let failure: unknown;
  // Each host is asked once; with several, a copy that takes no changes is passed over.
  for (const _ of url.hosts) {
    const client = new (connection.Client ?? pg.Client)({ ...connection, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<DatabaseFacts>(FACTS);
      const problem = rows[0] && problemOf(rows[0]);
      if (problem === undefined) return;
      failure = new ConfigError(`DATABASE_URL: ${problem}`);
      connection.Client?.pass();
    } catch (error) {
      failure = databaseError(error, url);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw failure;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function problemOf(facts: DatabaseFacts): string | undefined {
  const { version, version_text, encoding, role, database, schema } = facts;
  if (version < LEAST_VERSION * 10_000) {
    return `the server is PostgreSQL ${version_text}, and ${LEAST_VERSION} is the oldest that will do. Update it, or take another.`;
  }
  if (encoding !== 'UTF8') {
    return (
      `the database ${quoted(database)} has the encoding ${encoding}, which would keep names wrongly. Make one with UTF8: ` +
      `CREATE DATABASE ${quoted(`${database}_utf8`)} OWNER ${quoted(role)} ENCODING 'UTF8' TEMPLATE template0;`
    );
  }
  if (facts.read_only) return 'the server takes no changes (a standby, or set to read-only). Name the one that does.';
  if (schema === null) {
    return `the role ${quoted(role)} has no schema to work in. As a superuser run: GRANT USAGE, CREATE ON SCHEMA public TO ${quoted(role)};`;
  }
  if (facts.is_made || (facts.makes_tables && facts.makes_schemas)) return undefined;
  const lacking = [
    ...(facts.makes_tables ? [] : [`GRANT CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(role)};`]),
    ...(facts.makes_schemas ? [] : [`GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(role)};`]),
  ];
  return (
    `the role ${quoted(role)} may not make tables and schemas in the database ${quoted(database)}. As a superuser, ` +
    `connected to that database, run: ${lacking.join(' ')} Or make it the owner: ALTER DATABASE ${quoted(database)} OWNER TO ${quoted(role)};`
  );
}

/** An error of the database as what the person who starts the server can do about it; anything else as it was. */
export function databaseError(error: unknown, url: DatabaseUrl): unknown {
  const reasons = error instanceof Error ? [error, error.cause] : [];
  const problem = reasons.map((reason) => reason instanceof Error && sentenceOf(reason, url)).find(Boolean);
  return problem ? new ConfigError(`DATABASE_URL: ${problem}`) : error;
}

function sentenceOf(error: Error, url: DatabaseUrl): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const where = placesOf(url);
  const role = quoted(url.user ?? process.env.PGUSER ?? process.env.USER ?? '');
  const database = quoted(url.database ?? url.user ?? '');
  if (NO_TLS_THERE.test(error.message)) {
    return `the server at ${where} speaks no TLS, and sslmode=${url.sslMode} asks for it. Switch TLS on there, or say sslmode=disable.`;
  }
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)) {
    return (
      `the certificate of ${where} is not accepted (${code}). Name the file of its authority with sslrootcert=…, ` +
      'a host name that it is made for, or sslmode=require to encrypt without a check.'
    );
  }
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) return `no TLS connection to ${where} comes about (${code}).`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nobody listens at ${where}. Start PostgreSQL there, or name another host and port.`;
    case 'ENOENT':
      return error.message.includes('.s.PGSQL.')
        ? `there is no socket at ${where}. Start PostgreSQL, or name the folder of its socket.`
        : `a file of a certificate cannot be read: ${error.message}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name of the host is not known: ${where}.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${where} cannot be reached (${code}).`;
    case 'EACCES':
      return `this user may not use ${where} (EACCES).`;
    case '28P01':
      return `the password of the role ${role} at ${where} is wrong.`;
    case '28000':
      return `the server at ${where} lets the role ${role} not in: ${error.message}. Make the role, or allow it in pg_hba.conf.`;
    case '3D000':
      return `there is no database ${database} at ${where}. As a superuser run: CREATE DATABASE ${database} OWNER ${role} ENCODING 'UTF8' TEMPLATE template0;`;
    case '42501':
      return `the role ${role} lacks a right at ${where}: ${error.message}.`;
    case '53300':
      return `the server at ${where} has no connection left. Raise max_connections there: the portal takes up to 18.`;
    case '57P03':
      return `the server at ${where} is just starting or stopping. Try again in a moment.`;
    case '25006':
      return `the server at ${where} takes no changes (a standby, or set to read-only). Name the one that does.`;
  }
  if (/SASL|client password must be a string/.test(error.message)) {
    return `the server at ${where} asks the role ${role} for a password. Put it into the URL, or into PGPASSWORD.`;
  }
  if (/timeout expired|timeout exceeded/.test(error.message)) return `${where} does not answer within 10 s.`;
  if (/Connection terminated/.test(error.message)) return `${where} ends the connection at once: is it PostgreSQL?`;
  return undefined;
}

const placesOf = ({ hosts }: DatabaseUrl): string =>
  withoutPassword(
    hosts.map(({ host = 'localhost', port }) => `${host}${host.startsWith('/') ? ' port ' : ':'}${port}`).join(', '),
  );
