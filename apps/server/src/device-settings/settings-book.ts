import { createHash } from 'node:crypto';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { isRowRefused } from '../ingestion/registry/registry.store.ts';
import type { ToldBounds } from '../ingestion/sessions/command-hooks.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import {
  keepBounds,
  keepReported,
  keepToldHashes,
  type Reported,
  type SettingChange,
  toldHashes,
} from './reported.store.ts';

type Values = Readonly<Record<string, SettingValue>>;

export interface SettingsBookOptions {
  readonly db: Kysely<Database>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Hears of settings that are others than before. */
  readonly changed: (changes: readonly SettingChange[]) => void;
}

/** What waits to be written of one device. */
interface Waiting {
  values: Record<string, SettingValue>;
  by: Reported['by'];
  atMs: number;
  /** Of a whole birth, as are the bounds. */
  hash: string | undefined;
  bounds: ToldBounds | undefined;
}

/** What a device is known to have told. */
interface Known {
  /** Of its last birth, as long as nothing has changed since. */
  hash: string | undefined;
  /** What came in data, by name. */
  readonly data: Map<string, string>;
}

const DEVICES_AT_ONCE = 200;
const AGAIN_AFTER_MS = 1_000;
const TELL_AGAIN_AFTER_MS = 24 * 3_600_000;
const MOST_DATA_NAMES = 200;

/** Keeps what devices tell of their settings where that is new. Who comes back and says what it said before costs one row read of many together. */
export class SettingsBook {
  readonly #options: SettingsBookOptions;
  readonly #known = new WeakMap<DeviceEntry, Known>();
  readonly #byId = new Map<string, WeakRef<DeviceEntry>>();
  readonly #gone = new FinalizationRegistry<string>((id) => {
    if (this.#byId.get(id)?.deref() === undefined) this.#byId.delete(id);
  });
  #waiting = new Map<DeviceEntry, Waiting>();
  #working: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: SettingsBookOptions) {
    this.#options = options;
  }

  /** @param bounds of settings, as a birth tells them. */
  note(
    entry: DeviceEntry,
    values: Values,
    isBirth: boolean,
    { atMs = Date.now(), bounds = {} }: { atMs?: number; bounds?: ToldBounds } = {},
  ): void {
    if (this.#isStopped || entry.isRefused) return;
    const names = Object.keys(values);
    if (names.length === 0) return;
    let known = this.#known.get(entry);
    if (known === undefined) {
      known = { hash: undefined, data: new Map() };
      this.#known.set(entry, known);
    }
    const hash = isBirth ? hashOf(values, bounds) : undefined;
    if (hash !== undefined && known.hash === hash) return;
    const fresh = isBirth ? values : freshOf(values, known);
    if (Object.keys(fresh).length === 0) return;
    known.hash = hash;
    if (isBirth) known.data.clear();
    const before = this.#waiting.get(entry);
    this.#waiting.set(entry, {
      values: { ...before?.values, ...fresh },
      bounds: isBirth ? bounds : before?.bounds,
      by: isBirth ? 'birth' : (before?.by ?? 'data'),
      atMs,
      hash,
    });
    this.#work();
  }

  /** What was written of these beside makes their next birth worth a look. */
  forget(subjectIds: readonly string[]): void {
    for (const id of subjectIds) {
      const entry = this.#byId.get(id)?.deref();
      if (entry !== undefined) this.#known.delete(entry);
      this.#byId.delete(id);
    }
  }

  /** Whether nothing waits to be written. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#working === undefined;
  }

  async drain(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
  }

  #work(): void {
    if (this.#working !== undefined) return;
    this.#working = this.#write().finally(() => {
      this.#working = undefined;
      if (this.#waiting.size > 0 && !this.#isStopped) setTimeout(() => this.#work(), AGAIN_AFTER_MS).unref();
    });
  }

  /** Writes what waits of devices that have a row; the others get theirs in a moment. */
  async #write(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const part: [DeviceEntry, Waiting][] = [];
      for (const each of this.#waiting) {
        if (each[0].isRefused) this.#waiting.delete(each[0]);
        else if (each[0].id !== '') part.push(each);
        if (part.length >= DEVICES_AT_ONCE) break;
      }
      if (part.length === 0) return;
      for (const [entry] of part) this.#waiting.delete(entry);
      try {
        await this.#keep(part);
      } catch (error) {
        this.#options.logger.warn({ err: error }, 'settings of devices could not be written');
        if (isRowRefused(error)) {
          await this.#keepEach(part);
          continue;
        }
        for (const [entry, waiting] of part) {
          const newer = this.#waiting.get(entry);
          this.#waiting.set(
            entry,
            newer === undefined ? waiting : { ...newer, values: { ...waiting.values, ...newer.values } },
          );
        }
        return;
      }
    }
  }

  /** Something of one of them cannot be kept: the others are. */
  async #keepEach(part: readonly (readonly [DeviceEntry, Waiting])[]): Promise<void> {
    for (const each of part) {
      await this.#keep([each]).catch((error: unknown) => {
        this.#options.logger.warn({ err: error, device: each[0].sn }, 'settings of a device are not kept');
      });
    }
  }

  async #keep(part: readonly (readonly [DeviceEntry, Waiting])[]): Promise<void> {
    const { db, changed } = this.#options;
    const births = part.filter(([, { hash }]) => hash !== undefined);
    const told = await toldHashes(
      db,
      births.map(([entry]) => entry.id),
    );
    const isKnown = ([entry, { hash, atMs }]: readonly [DeviceEntry, Waiting]): boolean => {
      const last = told.get(entry.id);
      return hash !== undefined && last?.hash === hash && atMs - last.atMs < TELL_AGAIN_AFTER_MS;
    };
    const fresh = part.filter((each) => !isKnown(each));
    for (const [entry] of part) {
      if (this.#byId.get(entry.id)?.deref() === entry) continue;
      this.#byId.set(entry.id, new WeakRef(entry));
      this.#gone.register(entry, entry.id);
    }
    if (fresh.length === 0) return;
    const { changes, overtaken } = await inTransaction(db, async (trx) => {
      const kept = await keepReported(
        trx,
        fresh.map(([entry, { values, atMs, by }]) => ({ subjectId: entry.id, values, atMs, by })),
      );
      await keepBounds(
        trx,
        fresh.flatMap(([entry, { values, bounds }]) =>
          bounds === undefined
            ? []
            : Object.keys(values).map((name) => ({ subjectId: entry.id, name, ...bounds[name] })),
        ),
      );
      await keepToldHashes(
        trx,
        fresh.flatMap(([entry, { hash, atMs }]) =>
          hash === undefined || kept.overtaken.has(entry.id) ? [] : [{ subjectId: entry.id, hash, atMs }],
        ),
      );
      return kept;
    });
    this.forget([...overtaken]);
    if (changes.length > 0) changed(changes);
  }
}

function hashOf(values: Values, bounds: ToldBounds): string {
  const isBounded = Object.keys(bounds).length > 0;
  const sorted = Object.entries(values)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (isBounded ? [name, value, bounds[name]] : [name, value]));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64');
}

/** What was not told before. */
function freshOf(values: Values, { data }: Known): Record<string, SettingValue> {
  const fresh: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(values)) {
    const text = JSON.stringify(value);
    if (data.get(name) === text) continue;
    // One more than are held is new whenever it is told.
    if (data.has(name) || data.size < MOST_DATA_NAMES) data.set(name, text);
    fresh[name] = value;
  }
  return fresh;
}
