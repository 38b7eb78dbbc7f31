import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import { hashToken } from '../broker/credentials.ts';
import { type Config, readConfig } from '../config.ts';
import { newToken } from '../datalogger-keys/tokens.ts';
import { isLoopback } from '../loopback.ts';
import { connectDatabase, isDatabaseUnavailable } from '../stores/database.ts';
import { embeddedConnection } from '../stores/postgres.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { importDataloggers, makeKey } from './datalogger-keys-command.ts';

export interface Output {
  out(line: string): void;
  error(line: string): void;
}

/** Something that the caller can put right; the message says how. */
class CommandError extends Error {
  override name = 'CommandError';
}

const USAGE = `Usage:
  npm run logger -- add <15-digit SN> [--site <name or id>] [--renew]
  npm run logger -- add <15-digit SN> --new-site "<name>" --zone Europe/Berlin --country DE
  npm run logger -- list
  npm run logger -- revoke <SN>
  npm run logger -- key <SN> [--renew]
  npm run logger -- import <file.csv>   (lines of sn,key[,organisation])
  npm run logger -- provisioning-key add`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Runs one command against the database of the running server. Returns the exit code. */
export async function runDataloggerCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  let db: Kysely<Database> | undefined;
  try {
    const { values, positionals } = parse(args);
    const [command, subject] = positionals;
    if (command === undefined || values.help === true) {
      output.out(USAGE);
      return command === undefined && values.help !== true ? 1 : 0;
    }
    const config = readConfig(env);
    db = open(config);
    if (command === 'add') await add(db, config, subject, values, output);
    else if (command === 'list') await list(db, output);
    else if (command === 'revoke') await revoke(db, subject, output);
    else if (command === 'key') await printKey(db, subject, values.renew === true, output);
    else if (command === 'import') await importFile(db, subject, output);
    else if (command === 'provisioning-key' && subject === 'add') await addKey(db, output);
    else throw new CommandError(`Unknown command "${command}".\n${USAGE}`);
    return 0;
  } catch (error) {
    output.error(explain(error));
    return 1;
  } finally {
    await db?.destroy();
  }
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      site: { type: 'string' },
      'new-site': { type: 'string' },
      zone: { type: 'string' },
      country: { type: 'string' },
      renew: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function open(config: Config): Kysely<Database> {
  if (config.databaseUrl !== undefined) return connectDatabase(config.databaseUrl);
  if (!existsSync(join(config.dataDir, 'postgres'))) throw new CommandError(notRunning(config.dataDir));
  return connectDatabase(embeddedConnection(config.dataDir));
}

function notRunning(dataDir: string): string {
  return `No server runs on the data folder ${dataDir}. Start it with "npm start", or set DATA_DIR or DATABASE_URL to those of the running server.`;
}

function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (isDatabaseUnavailable(error)) {
    return 'The database of the server cannot be reached. Is the server running? (npm start; DATA_DIR and DATABASE_URL as there)';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  return code.startsWith('ERR_PARSE_ARGS') ? `${message}\n${USAGE}` : message;
}

function requireSn(sn: string | undefined): string {
  if (sn !== undefined && isDataloggerSn(sn)) return sn;
  throw new CommandError(`"${sn ?? ''}" is no serial number of a datalogger: it has 15 digits, e.g. 123456789012345.`);
}

async function add(
  db: Kysely<Database>,
  config: Config,
  subject: string | undefined,
  values: Values,
  output: Output,
): Promise<void> {
  const sn = requireSn(subject);
  if (values.site !== undefined && values['new-site'] !== undefined) {
    throw new CommandError('Give either --site or --new-site.');
  }
  const known = await db.selectFrom('loggers').select(['sn', 'token_hash']).where('sn', '=', sn).executeTakeFirst();
  if (known !== undefined && known.token_hash !== null && values.renew !== true) {
    throw new CommandError(
      `Datalogger ${sn} is there already. A new password: add --renew (the old one ends at once).`,
    );
  }
  const password = newToken();
  const site = await db.transaction().execute(async (transaction) => {
    const chosen = await chooseSite(transaction, values);
    const link = chosen === undefined ? {} : { site_id: chosen.id, organisation_id: chosen.organisationID };
    const fresh = {
      token_hash: hashToken(password),
      former_token_hash: null,
      former_token_until: null,
      next_token_hash: null,
      next_token_until: null,
      next_token_command: null,
      revoked_at: null,
      quarantined: false,
      ...link,
    };
    const { id } = await transaction
      .insertInto('loggers')
      .values({ sn, ...fresh })
      .onConflict((conflict) => conflict.column('sn').doUpdateSet(fresh))
      .returning('id')
      .executeTakeFirstOrThrow();
    if (chosen === undefined) return undefined;
    await tenancyChanged(transaction);
    return { ...chosen, devices: await countDevices(transaction, id) };
  });
  output.out(`Datalogger ${sn}${site === undefined ? '' : ` of the plant "${site.name}"`}`);
  if (site !== undefined && site.devices > 0) {
    output.out(
      `Its ${site.devices} devices are there with what they recorded; figures of the plants follow by themselves.`,
    );
  }
  output.out(`Password: ${password}  (shown only now)`);
  output.out('');
  for (const line of howTo(sn, password, config)) output.out(line);
}

/** Devices that stand where their logger stands: a trigger takes them along. */
async function countDevices(db: Kysely<Database>, dataloggerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('logger_id', '=', dataloggerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function chooseSite(
  db: Kysely<Database>,
  values: Values,
): Promise<{ id: string; name: string; organisationID: string } | undefined> {
  if (values.site !== undefined) return findSite(db, values.site);
  const name = values['new-site']?.trim();
  if (name === undefined) return undefined;
  const { zone = 'Europe/Berlin', country = 'DE' } = values;
  if (name.length === 0 || name.length > 32) throw new CommandError('The name of a plant has 1 to 32 characters.');
  if (!isValidZone(zone)) throw new CommandError(`"${zone}" is no time zone; e.g. Europe/Berlin.`);
  if (!/^[A-Z]{2}$/.test(country)) throw new CommandError(`"${country}" is no country code; e.g. DE.`);
  const organisationID = await firstOrganisation(db);
  const made = await db
    .insertInto('sites')
    .values({ name, country, time_zone: zone, organisation_id: organisationID, arrays: '[]' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id: made.id, name, organisationID };
}

/** The platform's own organisation, else the oldest. */
async function firstOrganisation(db: Kysely<Database>): Promise<string> {
  const organisation = await db
    .selectFrom('organisations')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy((order) => order.case().when('kind', '=', 'platform').then(0).else(1).end())
    .orderBy('created_at')
    .executeTakeFirst();
  if (organisation === undefined)
    throw new CommandError('There is no organisation yet: set up the first account first.');
  return organisation.id;
}

async function findSite(db: Kysely<Database>, text: string) {
  const found = await db
    .selectFrom('sites')
    .select(['id', 'name', 'organisation_id as organisationID'])
    .where('deleted_at', 'is', null)
    .where(UUID.test(text) ? 'id' : 'name', '=', text)
    .limit(2)
    .execute();
  const [site] = found;
  if (site === undefined) throw new CommandError(`There is no plant "${text}".`);
  if (found.length > 1) throw new CommandError(`Several plants are called "${text}": give the id of one.`);
  return site;
}

function howTo(sn: string, password: string, { host, mqttPort, mqttPlain, mqttUrl }: Config): string[] {
  if (mqttUrl !== undefined) {
    return [
      'This server reads an MQTT broker of yours: give the datalogger its account there.',
      `Topics: spBv1.0/solar/+/${sn}/# and pv/v1/${sn}/+`,
    ];
  }
  const isHere = isLoopback(host);
  const shown = isHere || (mqttPlain && host !== '0.0.0.0' && host !== '::') ? host : '127.0.0.1';
  return [
    isHere || mqttPlain
      ? 'Send a first reading with any MQTT client:'
      : 'Send a first reading with any MQTT client, from here; from elsewhere with TLS:',
    `  mosquitto_pub -h ${shown} -p ${mqttPort} -i ${sn} -u ${sn} -P ${password} -q 1 \\`,
    `    -t pv/v1/${sn}/up \\`,
    `    -m '{"dev":"INV-1","kind":"inverter","v":{"AC/ActivePower":1234.5,"Energy/PvTotal":100.0}}'`,
    `Or as a Sparkplug B edge node: group "solar", edge "${sn}", client id and user name ${sn}, MQTT 3.1.1.`,
  ];
}

async function list(db: Kysely<Database>, output: Output): Promise<void> {
  const rows = await db
    .selectFrom('loggers')
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .select([
      'loggers.sn',
      'loggers.online',
      'loggers.quarantined',
      'loggers.revoked_at',
      'loggers.last_seen_at',
      'sites.name',
    ])
    .orderBy('loggers.sn')
    .execute();
  if (rows.length === 0) output.out('No dataloggers yet.');
  for (const row of rows) {
    const state =
      row.revoked_at !== null ? 'revoked' : row.quarantined ? 'quarantined' : row.online ? 'online' : 'offline';
    const seen = row.last_seen_at?.toISOString() ?? 'never seen';
    output.out([row.sn, state.padEnd(11), seen.padEnd(24), row.name ?? '(no plant)'].join('  '));
  }
}

async function revoke(db: Kysely<Database>, subject: string | undefined, output: Output): Promise<void> {
  const sn = requireSn(subject);
  const done = await db
    .updateTable('loggers')
    .set({ revoked_at: new Date() })
    .where('sn', '=', sn)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw new CommandError(`There is no datalogger ${sn} that could be revoked.`);
  output.out(`Datalogger ${sn} is revoked: it is disconnected within seconds and its password is void.`);
}

async function addKey(db: Kysely<Database>, output: Output): Promise<void> {
  const organisationID = await firstOrganisation(db);
  const key = newToken();
  await db
    .insertInto('provisioning_keys')
    .values({ key_hash: hashToken(key), organisation_id: organisationID })
    .execute();
  output.out(`Provisioning key: ${key}  (shown only now)`);
  output.out('A datalogger that nobody has added signs in with it as password and waits in quarantine.');
}

async function printKey(
  db: Kysely<Database>,
  subject: string | undefined,
  isRenewed: boolean,
  output: Output,
): Promise<void> {
  const sn = requireSn(subject);
  const key = await makeKey(db, sn, isRenewed);
  if (key === null) {
    throw new CommandError(
      `Datalogger ${sn} has a key already. A new one: add --renew (the printed one is void then).`,
    );
  }
  output.out(`Key of datalogger ${sn}: ${key}  (shown only now)`);
  output.out('Print it on the device: who has both links it to a plant.');
}

async function importFile(db: Kysely<Database>, file: string | undefined, output: Output): Promise<void> {
  if (file === undefined || !existsSync(file)) throw new CommandError(`There is no file "${file ?? ''}".`);
  const imported = await importDataloggers(db, file);
  if ('problems' in imported) throw new CommandError(['Nothing is imported.', ...imported.problems].join('\n'));
  output.out(`${imported.count} dataloggers are imported.`);
}
