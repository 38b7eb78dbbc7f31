import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { readDatabaseUrl } from './database-url.ts';
import { isLoopback } from './loopback.ts';
import { type PriceSource, priceSourcesOf } from './price-sources.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  port: number;
  host: string;
  mqttPort: number;
  /** The broker listens without TLS on `host` too; else on this machine only. */
  mqttPlain: boolean;
  /** Undefined where the broker speaks no TLS. `isAsked`: it was named, so that a start without it would be wrong. */
  mqttTls: { port: number; isAsked: boolean } | undefined;
  mqttLimits: { mostConnections: number; mostPerNetwork: number; mostUnknown: number };
  /** Undefined makes a certificate in the data folder. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  /** Absolute path. */
  dataDir: string;
  demo: boolean;
  /** Of how many months the demonstration's plants tell. */
  demoMonths: number;
  databaseUrl: string | undefined;
  /** Role that owns the tables of an external database; undefined where that of `databaseUrl` does. */
  databaseOwnerUrl: string | undefined;
  clickhouseUrl: string | undefined;
  mqttUrl: string | undefined;
  logLevel: LogLevel;
  production: boolean;
  /** Address by which people reach the portal, without a slash at the end; undefined takes the local one. */
  publicUrl: string | undefined;
  /** Addresses or networks (CIDR) of proxies in front, whose word about the caller's address counts. */
  trustedProxies: string[];
  /** Undefined writes mails into the outbox. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Who answers for this installation, on the pages about terms and privacy; empty where nobody is named. */
  operatorName: string;
  operatorContact: string;
  /** Pictures of streets for maps; undefined draws outlines of countries alone. */
  mapTiles: { url: string; attribution: string } | undefined;
  /** Plants that a map is told one by one; of more it is told groups. */
  mapPlaces: number;
  /** Notices of users may be posted to addresses of the own network. */
  webhookPrivate: boolean;
  /** Where a forecast of the weather is asked for; undefined forecasts by the plant's own days alone. */
  forecastUrl: string | undefined;
  /** It may be an address of the own network, over plain http too. */
  forecastPrivate: boolean;
  /** Where market prices are read; none reads nothing. */
  priceSources: readonly PriceSource[];
  /** They may be addresses of the own network, over plain http too. */
  pricesPrivate: boolean;
  /** A port for health and metrics alone; undefined opens none. */
  metricsPort: number | undefined;
  /** Whoever sends it may see metrics and the state of each part. */
  metricsToken: string | undefined;
  /** People elsewhere are meant to reach this start. */
  forOthers: boolean;
  /** The telemetry that belonged to the database is lost: go on with this empty store. */
  newTelemetry: boolean;
  /** Keys of the audit log; without them and a file the one in the data folder, made at the first start. */
  auditKey: string | undefined;
  auditKeyFile: string | undefined;
  /** Where the head of the audit log is written besides the data folder. */
  auditHeadsFile: string | undefined;
  /** Folder of the built web app; undefined takes the one that belongs to this server. */
  webDist: string | undefined;
}

/** A setting of the environment that cannot be used; the message is for the person who starts the server. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const MOST_MONTHS = 24;
const DEMO_FILE = 'demo.json';

/** Reads and checks the environment. Throws ConfigError. Writes nothing. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(text(env, 'DATA_DIR') ?? './data');
  const production = oneOf(env, 'NODE_ENV', ['production', 'development', 'test'], 'development') === 'production';
  const databaseUrl = databaseAt(env, 'DATABASE_URL');
  const clickhouseUrl = url(env, 'CLICKHOUSE_URL', ['http:', 'https:']);
  const mqttUrl = url(env, 'MQTT_URL', ['mqtt:', 'mqtts:', 'ws:', 'wss:']);
  const configured = databaseUrl !== undefined || clickhouseUrl !== undefined || mqttUrl !== undefined;
  const port = portNumber(env, 'PORT', 8080);
  const mqttPort = portNumber(env, 'MQTT_PORT', 1883);
  const metricsPort = text(env, 'METRICS_PORT') === undefined ? undefined : portNumber(env, 'METRICS_PORT', 0);
  const host = text(env, 'HOST') ?? '127.0.0.1';
  const publicUrl = url(env, 'PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  const mqttTls = tlsPort(env, mqttPort);
  const tlsCert = text(env, 'TLS_CERT');
  const tlsKey = text(env, 'TLS_KEY');
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new ConfigError(
      tlsKey === undefined
        ? 'TLS_KEY is missing: with TLS_CERT it must name the file of its private key.'
        : 'TLS_CERT is missing: with TLS_KEY it must name the file of its certificate.',
    );
  }
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  const mailFrom = text(env, 'MAIL_FROM');
  if (smtpUrl !== undefined && mailFrom === undefined) {
    throw new ConfigError(
      'MAIL_FROM is missing: with SMTP_URL it must name the sender, e.g. "Solar <solar@example.com>".',
    );
  }
  if (metricsPort !== undefined && metricsPort !== 0 && (metricsPort === port || metricsPort === mqttPort)) {
    throw new ConfigError(`METRICS_PORT is ${metricsPort}: it must differ from PORT and MQTT_PORT.`);
  }
  if (port === mqttPort && port !== 0 && mqttUrl === undefined) {
    throw new ConfigError(`MQTT_PORT is ${mqttPort}: it must differ from PORT.`);
  }
  const othersBy = meantForOthers(env, { host, publicUrl });
  if (mqttTls !== undefined && mqttTls.port !== 0 && mqttUrl === undefined && [port, mqttPort].includes(mqttTls.port)) {
    throw new ConfigError(`MQTT_TLS_PORT is ${mqttTls.port}: it must differ from PORT and MQTT_PORT.`);
  }
  return {
    port,
    host,
    mqttPort,
    mqttPlain: oneOf(env, 'MQTT_PLAIN', ['on', 'off'], 'off') === 'on',
    mqttTls,
    mqttLimits: {
      mostConnections: count(env, 'MQTT_MOST_CONNECTIONS', 20_000),
      mostPerNetwork: count(env, 'MQTT_MOST_PER_NETWORK', 15_000),
      mostUnknown: count(env, 'MQTT_MOST_UNAUTHENTICATED', 1_000),
    },
    tlsCert,
    tlsKey,
    dataDir,
    demo: demoMode(env, { dataDir, production, configured, othersBy }),
    demoMonths: months(env, 'DEMO_MONTHS', 13),
    databaseUrl,
    databaseOwnerUrl: ownerUrl(env, databaseUrl),
    clickhouseUrl,
    mqttUrl,
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    production,
    publicUrl,
    trustedProxies: proxies(env, 'TRUSTED_PROXIES'),
    smtpUrl,
    mailFrom: mailFrom ?? 'Sonnenwarte <sonnenwarte@localhost>',
    operatorName: text(env, 'OPERATOR_NAME') ?? '',
    operatorContact: text(env, 'OPERATOR_CONTACT') ?? '',
    mapTiles: mapTiles(env),
    mapPlaces: count(env, 'MAP_PLACES', 10_000),
    webhookPrivate: oneOf(env, 'WEBHOOK_PRIVATE', ['on', 'off'], 'off') === 'on',
    forecastUrl: url(env, 'FORECAST_URL', ['http:', 'https:']),
    forecastPrivate: oneOf(env, 'FORECAST_PRIVATE', ['on', 'off'], 'off') === 'on',
    priceSources: priceSources(text(env, 'PRICE_SOURCES') ?? ''),
    pricesPrivate: oneOf(env, 'PRICES_PRIVATE', ['on', 'off'], 'off') === 'on',
    metricsPort,
    metricsToken: secret(env, 'METRICS_TOKEN'),
    forOthers: othersBy !== undefined,
    newTelemetry: oneOf(env, 'NEW_TELEMETRY', ['on', 'off'], 'off') === 'on',
    ...auditSettings(env),
    webDist: text(env, 'WEB_DIST'),
  };
}

function auditSettings(env: NodeJS.ProcessEnv): Pick<Config, 'auditKey' | 'auditKeyFile' | 'auditHeadsFile'> {
  const auditKey = text(env, 'AUDIT_KEY');
  const file = (name: string) => {
    const value = text(env, name);
    return value === undefined ? undefined : resolve(value);
  };
  const auditKeyFile = file('AUDIT_KEY_FILE');
  if (auditKey !== undefined && auditKeyFile !== undefined) {
    throw new ConfigError('AUDIT_KEY and AUDIT_KEY_FILE are both set: one of them must name the key of the audit log.');
  }
  if (auditKey !== undefined && !/^[0-9a-f]{64}(\s*,\s*[0-9a-f]{64})*$/i.test(auditKey)) {
    throw new ConfigError('AUDIT_KEY must be 64 hexadecimal digits, e.g. of "openssl rand -hex 32".');
  }
  return { auditKey, auditKeyFile, auditHeadsFile: file('AUDIT_HEADS_FILE') };
}

function mapTiles(env: NodeJS.ProcessEnv): Config['mapTiles'] {
  const value = url(env, 'MAP_TILES', ['http:', 'https:']);
  const attribution = text(env, 'MAP_TILES_ATTRIBUTION') ?? '';
  if (value === undefined) return undefined;
  if (['{z}', '{x}', '{y}'].every((place) => value.includes(place))) return { url: value, attribution };
  throw new ConfigError(`MAP_TILES is "${withoutPassword(value)}": it must hold {z}, {x} and {y}.`);
}

function priceSources(value: string): PriceSource[] {
  try {
    return priceSourcesOf(value);
  } catch (error) {
    throw new ConfigError(`PRICE_SOURCES: ${error instanceof Error ? error.message : ''}`);
  }
}

function ownerUrl(env: NodeJS.ProcessEnv, databaseUrl: string | undefined): string | undefined {
  const owner = url(env, 'DATABASE_OWNER_URL', ['postgres:', 'postgresql:']);
  if (owner === undefined || databaseUrl !== undefined) return owner;
  throw new ConfigError('DATABASE_OWNER_URL is set without DATABASE_URL: it names the owner of the same database.');
}

/** Keeps for the next starts whether this data folder holds the demonstration. */
export function rememberDemo(config: Pick<Config, 'dataDir' | 'demo'>): void {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, DEMO_FILE);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ demo: config.demo })}\n`);
  renameSync(draft, file);
}

interface DemoFacts {
  readonly dataDir: string;
  readonly production: boolean;
  readonly configured: boolean;
  /** The setting that says that others are meant to reach this start. */
  readonly othersBy: string | undefined;
}

function demoMode(env: NodeJS.ProcessEnv, { dataDir, production, configured, othersBy }: DemoFacts): boolean {
  const asked = text(env, 'DEMO') === undefined ? undefined : oneOf(env, 'DEMO', ['on', 'off'], 'off') === 'on';
  const wanted = asked ?? rememberedDemo(dataDir);
  if (production) {
    if (wanted !== true) return false;
    throw new ConfigError(
      asked === true
        ? 'DEMO is "on" with NODE_ENV=production: the passwords of the demo are public, so a production start needs DEMO=off.'
        : `DATA_DIR ${dataDir} holds the demo, whose passwords are public: a production start needs another DATA_DIR, or DEMO=off.`,
    );
  }
  if (othersBy !== undefined && asked === undefined) {
    if (wanted !== true) return false;
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds the demo, whose passwords are public, and ${othersBy} means this start for others: ` +
        'set DEMO=off to remove the demo, take another DATA_DIR, or set DEMO=on to show the demo to everybody who comes.',
    );
  }
  return wanted ?? (isNew(dataDir) && !configured);
}

/** The setting by which a start is meant for others than the person at this machine. */
function meantForOthers(
  env: NodeJS.ProcessEnv,
  { host, publicUrl }: { host: string; publicUrl: string | undefined },
): string | undefined {
  if (!isLoopback(host)) return `HOST=${host}`;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return 'PUBLIC_URL';
  return ['SMTP_URL', 'OPERATOR_NAME'].find((name) => text(env, name) !== undefined);
}

function rememberedDemo(dataDir: string): boolean | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, DEMO_FILE), 'utf8'));
    const demo = typeof value === 'object' && value !== null && 'demo' in value ? value.demo : undefined;
    return typeof demo === 'boolean' ? demo : undefined;
  } catch {
    return undefined;
  }
}

function isNew(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).every((name) => name === 'server.lock');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    throw new ConfigError(`DATA_DIR is "${dataDir}": it must be a folder that can be read and written (${code}).`);
  }
}

function text(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

function portNumber(env: NodeJS.ProcessEnv, name: string, standard: number): number {
  const value = text(env, name);
  if (value === undefined) return standard;
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new ConfigError(`${name} is "${value}": it must be a whole number from 0 to 65535 (0 takes a free port).`);
}

const SHORTEST_SECRET = 16;

function secret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined || (value.length >= SHORTEST_SECRET && /^[!-~]+$/.test(value))) return value;
  throw new ConfigError(`${name} must be ${SHORTEST_SECRET} or more printable ASCII characters without spaces.`);
}

/** Where the plain port is any free one, so is that of TLS; a start on a machine with another broker needs no second setting. */
function tlsPort(env: NodeJS.ProcessEnv, mqttPort: number): Config['mqttTls'] {
  const value = text(env, 'MQTT_TLS_PORT');
  if (value?.toLowerCase() === 'off') return undefined;
  if (value === undefined) return { port: mqttPort === 0 ? 0 : 8883, isAsked: false };
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return { port, isAsked: true };
  throw new ConfigError(
    `MQTT_TLS_PORT is "${value}": it must be a whole number from 0 to 65535 (0 takes a free port), or off.`,
  );
}

function count(env: NodeJS.ProcessEnv, name: string, standard: number): number {
  const value = text(env, name);
  if (value === undefined) return standard;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 1_000_000) return number;
  throw new ConfigError(`${name} is "${value}": it must be a whole number from 1 to 1000000.`);
}

function months(env: NodeJS.ProcessEnv, name: string, standard: number): number {
  const value = text(env, name) ?? String(standard);
  if (/^\d+$/.test(value) && Number(value) <= MOST_MONTHS) return Number(value);
  throw new ConfigError(`${name} is "${value}": it must be a whole number from 0 to ${MOST_MONTHS}.`);
}

function oneOf<T extends string>(env: NodeJS.ProcessEnv, name: string, allowed: readonly T[], standard: T): T {
  const value = text(env, name);
  if (value === undefined) return standard;
  const found = allowed.find((choice) => choice === value.toLowerCase());
  if (found !== undefined) return found;
  throw new ConfigError(`${name} is "${value}": it must be one of ${allowed.join(', ')}.`);
}

function url(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const parsed = URL.parse(value);
  if (parsed !== null && protocols.includes(parsed.protocol)) return value;
  const allowed = protocols.map((protocol) => `${protocol}//`).join(', ');
  throw new ConfigError(`${name} is "${withoutPassword(value)}": it must be a URL that begins with ${allowed}.`);
}

function databaseAt(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const shown = withoutPassword(value);
  if (!/^postgres(?:ql)?:\/\//.test(value)) {
    throw new ConfigError(`${name} is "${shown}": it must be a URL that begins with postgres:// or postgresql://.`);
  }
  try {
    readDatabaseUrl(value);
    return value;
  } catch (error) {
    throw new ConfigError(`${name} is "${shown}": ${error instanceof Error ? error.message : ''}`);
  }
}

function proxies(env: NodeJS.ProcessEnv, name: string): string[] {
  const list = (text(env, name) ?? '').split(',').map((each) => each.trim());
  return list.filter((each) => {
    if (each === '') return false;
    const [address = '', bits] = each.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest))) return true;
    throw new ConfigError(`${name} is "${each}": it must be a list of addresses or networks such as 10.0.0.0/8.`);
  });
}

/** An address as it may be shown: what stands for a password in it is not. */
export function withoutPassword(value: string): string {
  return value.replace(/(\/\/[^:/?#]*):.*@/, '$1:***@').replaceAll(/(password=)[^&]*/gi, '$1***');
}
