import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../stores/schema.ts';

/** What has changed since the last reading. Rows that are gone are named as well. */
export interface Changes {
  readonly sites: ReadonlySet<string>;
  /** Serial numbers by id. */
  readonly dataloggers: ReadonlyMap<string, string>;
  readonly devices: ReadonlySet<string>;
  readonly areKeysChanged: boolean;
}

export interface ChangeListener {
  /** Reads the rows that are named. What it rejects with is told again with the next reading. */
  changed(changes: Changes): Promise<void>;
  /** Reads all that it holds: what has changed is not known. */
  missed(): Promise<void>;
}

interface ChangeRow {
  id: string;
  kind: string;
  row_id: string | null;
  sn: string | null;
}

const READ_EVERY_MS = 500;
const PRUNE_EVERY_MS = 600_000;
const KEPT_HOURS = 2;
/** A reader that was away for longer reads all rows again: what it missed may have been pruned. */
const LONGEST_AWAY_MS = (KEPT_HOURS * 3_600_000) / 2;

/**
 * Tells what has changed in rows that are held in memory. Each reading begins with the oldest transaction that was under way
 * during the one before, so that no order of ends hides a change; what was told of them already is not told again.
 */
export class ChangeFeed {
  readonly #db: Kysely<Database>;
  readonly #logger: Logger;
  readonly #nowMs: () => number;
  readonly #listeners: ChangeListener[] = [];
  #mark: string | undefined;
  readonly #told = new Set<string>();
  #readMs = 0;
  #prunedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, logger: Logger, nowMs: () => number = () => performance.now()) {
    this.#db = db;
    this.#logger = logger;
    this.#nowMs = nowMs;
  }

  /** Whoever reads its rows after this has been awaited misses nothing. */
  async begin(): Promise<void> {
    // A restored database may know transactions that its new server has not come to.
    await sql`delete from changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(this.#db);
    const { mark } = await this.#readSince(undefined);
    this.#mark = mark;
    this.#readMs = this.#nowMs();
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Reads again and again. */
  start(): void {
    this.#timer = setInterval(() => {
      this.read().catch((error: unknown) => this.#logger.debug({ err: error }, 'cannot read what has changed'));
    }, READ_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading.catch(() => undefined);
  }

  /** What was committed before the call is known to all listeners afterwards. */
  read(): Promise<void> {
    const done = this.#reading.then(
      () => this.#read(),
      () => this.#read(),
    );
    this.#reading = done.catch(() => undefined);
    return done;
  }

  async #read(): Promise<void> {
    const startedMs = this.#nowMs();
    const { mark, rows } = await this.#readSince(this.#mark);
    const isLost = this.#mark === undefined || startedMs - this.#readMs > LONGEST_AWAY_MS;
    const fresh = rows.filter(({ id }) => !this.#told.has(id));
    if (isLost) for (const listener of this.#listeners) await listener.missed();
    else if (fresh.length > 0) {
      const changes = changesOf(fresh);
      for (const listener of this.#listeners) await listener.changed(changes);
    }
    // What is older than the mark is not read again.
    if (mark !== this.#mark) this.#told.clear();
    for (const { id } of rows) this.#told.add(id);
    this.#mark = mark;
    this.#readMs = startedMs;
    if (startedMs - this.#prunedMs > PRUNE_EVERY_MS) await this.#prune(startedMs);
  }

  async #readSince(mark: string | undefined): Promise<{ mark: string; rows: ChangeRow[] }> {
    const { rows } = await sql<{ mark: string; id: string | null } & Omit<ChangeRow, 'id'>>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as mark, c.id::text, c.kind, c.row_id, c.sn
      from (select) as once
      left join changes c on c.xid >= ${mark ?? null}::text::xid8`.execute(this.#db);
    return {
      mark: rows[0]?.mark ?? '0',
      rows: rows.flatMap(({ id, kind, row_id, sn }) => (id === null ? [] : [{ id, kind, row_id, sn }])),
    };
  }

  async #prune(nowMs: number): Promise<void> {
    this.#prunedMs = nowMs;
    await sql`delete from changes where at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(this.#db);
  }
}

function changesOf(rows: readonly ChangeRow[]): Changes {
  const sites = new Set<string>();
  const dataloggers = new Map<string, string>();
  const devices = new Set<string>();
  let areKeysChanged = false;
  for (const { kind, row_id: id, sn } of rows) {
    if (kind === 'provisioning_keys') areKeysChanged = true;
    else if (id === null) continue;
    else if (kind === 'sites') sites.add(id);
    else if (kind === 'loggers') dataloggers.set(id, sn ?? '');
    else devices.add(id);
  }
  return { sites, dataloggers, devices, areKeysChanged };
}
