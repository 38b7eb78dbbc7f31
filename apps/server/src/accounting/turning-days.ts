import { dayBounds, isValidZone, localDay } from '@sonnenwarte/energy/calendar';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from '../ingestion/registry/registry.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { runningOf, sumOfKnown, writeRunning } from './running-figures.ts';
import { type CurrencyFrom, runningMoney } from './running-money.ts';

export interface TurningDaysOptions {
  db: Kysely<Database>;
  telemetry: TelemetryHandle;
  registry: Pick<Registry, 'siteById'>;
  logger: Logger;
  /** Figures of sites that nobody holds have been written. */
  changed(sites: readonly { key: number }[]): void;
}

interface TurnedZone {
  zone: string;
  day: string;
  /** Sites up to this key are done. */
  afterKey: number;
}

interface TurnedSite {
  id: string;
  key: number;
  openingWh: number | null;
  currencies: CurrencyFrom[];
}

const LOOK_MS = 5_000;
/** Zones are looked up again after this time, for sites that have come to new ones. */
const LONGEST_MS = 3_600_000;
/** Rows that one statement looks at. */
const SITES_AT_ONCE = 1_000;

/**
 * A new local day in plants of which nothing is connected: their running figures are written zone by zone, a bounded number of
 * rows at a time. Those that are held are written with what is accounted.
 */
export class TurningDays {
  readonly #options: TurningDaysOptions;
  readonly #dayOf = new Map<string, string>();
  readonly #turned: TurnedZone[] = [];
  #untilMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: TurningDaysOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, 'figures of a new day are not written, trying again');
      });
    }, LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  /** Does what is due, and waits for it. */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const nowMs = Date.now();
    if (this.#turned.length === 0 && nowMs >= this.#untilMs) await this.#findTurned(nowMs);
    for (let next = this.#turned[0]; next !== undefined && !this.#isStopped; next = this.#turned[0]) {
      if (await this.#writeSome(next)) continue;
      this.#dayOf.set(next.zone, next.day);
      this.#turned.shift();
    }
  }

  async #findTurned(nowMs: number): Promise<void> {
    let untilMs = nowMs + LONGEST_MS;
    for (const zone of await zonesOfSites(this.#options.db)) {
      const known = isValidZone(zone) ? zone : 'UTC';
      const day = localDay(nowMs, known);
      untilMs = Math.min(untilMs, dayBounds(day, known).endMs);
      if (this.#dayOf.get(zone) !== day) this.#turned.push({ zone, day, afterKey: 0 });
    }
    this.#untilMs = untilMs;
  }

  /** Whether there may be more. */
  async #writeSome(turned: TurnedZone): Promise<boolean> {
    const { db, telemetry, registry, changed } = this.#options;
    const { lastKey, due } = await turnedSites(db, turned);
    const sites = due.filter(({ id }) => registry.siteById(id) === undefined);
    if (sites.length > 0) {
      const dayOf = new Map(sites.map((site) => [site, turned.day]));
      const running = await runningOf(telemetry, dayOf);
      const rows = sites.map((site) => {
        const figures = running.get(site.key);
        const totalWh = sumOfKnown(site.openingWh, figures?.totalWh);
        return { site, day: turned.day, ...figures, totalWh, ...runningMoney(site.currencies, turned, figures ?? {}) };
      });
      await writeRunning(db, rows, { onlyOfOtherDays: true });
      changed(sites);
    }
    turned.afterKey = lastKey ?? turned.afterKey;
    return lastKey !== null;
  }
}

const currenciesOf = (first: string, later: readonly (readonly [fromMs: number, currency: string])[]): CurrencyFrom[] =>
  [[Number.NEGATIVE_INFINITY, first] as const, ...later].map(([fromMs, currency]) => ({ fromMs, currency }));

/** Each zone once, from the index. */
async function zonesOfSites(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`
    with recursive zones (zone) as (
      (select time_zone from sites where deleted_at is null order by time_zone limit 1)
      union all
      select (select time_zone from sites where deleted_at is null and time_zone > zones.zone order by time_zone limit 1)
      from zones where zones.zone is not null)
    select zone from zones where zone is not null`.execute(db);
  return rows.map(({ zone }) => zone);
}

/** Of the next sites of a zone those with devices whose figures are of another day; and up to which key that is. */
async function turnedSites(
  db: Kysely<Database>,
  { zone, day, afterKey }: TurnedZone,
): Promise<{ lastKey: number | null; due: TurnedSite[] }> {
  const { rows } = await sql<{
    last_key: number | null;
    id: string | null;
    key: number;
    opening_wh: number | null;
    currency: string;
    currencies: [fromMs: number, currency: string][] | null;
  }>`
    with slice as materialized (
      select id, key, currency from sites where deleted_at is null and time_zone = ${zone} and key > ${afterKey}
      order by key limit ${SITES_AT_ONCE})
    select last.key as last_key, due.id, due.key, due.opening_wh, due.currency, due.currencies
    from (select max(key) as key from slice) as last
    left join (
      select slice.id, slice.key, site_openings.pv_wh as opening_wh, slice.currency,
        (select json_agg(json_build_array(extract(epoch from p.valid_from) * 1000, p.currency) order by p.valid_from)
          from site_prices p where p.site_id = slice.id) as currencies
      from slice
      left join site_latest on site_latest.site_id = slice.id
      left join site_openings on site_openings.site_id = slice.id
      where site_latest.local_day is distinct from ${day}::date and site_latest.history_percent is null
        and exists (select from devices where devices.site_id = slice.id and devices.deleted_at is null)) as due on true`.execute(
    db,
  );
  return {
    lastKey: rows[0]?.last_key ?? null,
    due: rows.flatMap(({ id, key, opening_wh: openingWh, currency, currencies }) =>
      id === null ? [] : [{ id, key, openingWh, currencies: currenciesOf(currency, currencies ?? []) }],
    ),
  };
}
