import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';

export interface DatabaseHost {
  /** Name, address, or folder of a unix socket; undefined takes the usual one. */
  readonly host: string | undefined;
  readonly port: number;
}

/** What an URL in libpq's form says. */
export interface DatabaseUrl {
  /** In the order in which they are tried. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly sslMode: SslMode;
  readonly files: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly options: string | undefined;
}

/** How connections of the server are made; `Client` where there are several hosts to turn to. */
export type DatabaseConnection = pg.ClientConfig & { Client?: TurningClient };

/** A client whose next ones go to the next host after `pass`. */
type TurningClient = typeof pg.Client & { pass(): void };

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

const STANDARD_PORT = 5432;
const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<who>[^/?#]*)@)?(?<hosts>[^/?#]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/** Reads `postgresql://user:password@host,host:port/database?…`. Throws an Error that says what it must be. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  const parts = FORM.exec(url)?.groups;
  if (parts === undefined) throw new Error('it must be like postgresql://user:password@host:5432/database.');
  const [user, password] = halves(parts.who ?? '');
  const query = new URLSearchParams(parts.query ?? '');
  const said = (name: string): string | undefined => query.get(name) || undefined;
  const session = said('target_session_attrs') ?? 'read-write';
  if (!['any', 'read-write', 'primary'].includes(session)) {
    throw new Error(`target_session_attrs=${session} leads to a copy that takes no changes; it must be read-write.`);
  }
  return {
    hosts: hostsOf(said('host') ?? said('hostaddr') ?? parts.hosts ?? '', said('port')),
    user: said('user') ?? user,
    password: said('password') ?? password,
    database: said('dbname') ?? decoded(parts.database),
    sslMode: sslModeOf(query),
    files: {
      ...filed('ca', said('sslrootcert')),
      ...filed('cert', said('sslcert')),
      ...filed('key', said('sslkey')),
    },
    options: said('options'),
  };
}

const filed = (name: 'ca' | 'cert' | 'key', path: string | undefined) => (path === undefined ? {} : { [name]: path });

function halves(who: string): [string | undefined, string | undefined] {
  const colon = who.indexOf(':');
  return colon === -1 ? [decoded(who), undefined] : [decoded(who.slice(0, colon)), decoded(who.slice(colon + 1))];
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('it must have a percent sign in its parts only as part of a code such as %2F (%25 for itself).');
  }
}

function hostsOf(list: string, ports: string | undefined): DatabaseUrl['hosts'] {
  const inQuery = ports?.split(',');
  const [first, ...others] = list.split(',').map((each, place): DatabaseHost => {
    const found = /^(?:\[(?<v6>[^\]]+)\]|(?<name>\/.*|[^:]*))(?::(?<port>\d+))?$/.exec(each)?.groups;
    if (found === undefined)
      throw new Error('it must name each host as host or host:port, an IPv6 address in brackets.');
    const port = Number(found.port ?? inQuery?.[place] ?? inQuery?.[0] ?? STANDARD_PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('it must have a port from 1 to 65535.');
    return { host: decoded(found.v6 ?? found.name), port };
  });
  return [first ?? { host: undefined, port: STANDARD_PORT }, ...others];
}

function sslModeOf(query: URLSearchParams): SslMode {
  const ssl = query.get('ssl');
  const mode = query.get('sslmode') ?? (ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable');
  const found = sslModes.find((each) => each === mode);
  if (found !== undefined) return found;
  throw new Error(
    `sslmode=${mode} leaves open whether the connection is encrypted: it must be one of ${sslModes.join(', ')}.`,
  );
}

/** What pg needs to connect. Reads the files of certificates; throws an Error that names one that cannot be read. */
export function connectionOf(url: DatabaseUrl): DatabaseConnection {
  const { user, password, database, options } = url;
  const hosts = url.hosts.map((each) => ({
    ...each,
    ...tlsOf(url, each),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(options !== undefined && { options }),
  }));
  return { ...hosts[0], ...(hosts.length > 1 && { Client: inTurn(hosts) }) };
}

function tlsOf({ sslMode, files }: DatabaseUrl, { host }: DatabaseHost): { ssl: ConnectionOptions | false } {
  if (sslMode === 'disable' || host?.startsWith('/')) return { ssl: false };
  const given = Object.fromEntries(
    Object.entries(files)
      .filter(([, path]) => path !== 'system')
      .map(([name, path]) => [name, readFileSync(path, 'utf8')]),
  );
  // As libpq: what is required is that nobody reads along, unless a certificate says whom to trust.
  if (sslMode === 'require' && files.ca === undefined) return { ssl: { ...given, rejectUnauthorized: false } };
  if (sslMode === 'verify-full') return { ssl: given };
  return { ssl: { ...given, checkServerIdentity: () => undefined } };
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Clients that turn to the next host when one does not answer, all of them together. */
function inTurn(hosts: readonly pg.ClientConfig[]): TurningClient {
  let turn = 0;
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === 'object' && config), ...hosts[turn % hosts.length] });
    }

    static pass(): void {
      turn += 1;
    }

    override connect(): Promise<pg.Client>;
    override connect(done: Connected): void;
    // The pool gives a callback, everybody else takes the promise.
    override connect(done?: Connected): unknown {
      const tried = turn;
      const connected = super.connect().catch((error: unknown) => {
        if (turn === tried) turn += 1;
        throw error;
      });
      if (done === undefined) return connected;
      const tell = done as (error: Error | null, client?: pg.Client) => void;
      return void connected.then((client) => tell(null, client), tell);
    }
  };
}
