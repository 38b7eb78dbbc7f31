import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATALOGGER_PASSWORD, dataloggerSn, FIRST_SN } from './names.ts';
import type { Db } from './portal.ts';

const LONGEST_STATEMENT = 10_000;
const SHARES = 20;

/**
 * Writes rows of a table with a column `key` one share after the other, as the reports of a fleet come: each finds room beside
 * the rows that it replaces. Written all at once, tables would be several times as large as they ever are.
 */
export async function inShares(write: (share: RawBuilder<SqlBool>) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < SHARES; at++) await write(sql<SqlBool>`key % ${SHARES}::int = ${at}::int`);
}

async function organisation(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with platform as (select id, path from organisations where kind = 'platform'),
    made as (insert into organisations (id, parent_id, kind, name, country, path)
      select made.id, platform.id, 'installer', 'Bench Solar ' || left(made.id::text, 8), 'DE', platform.path || made.id
      from platform, (select gen_random_uuid() as id) made returning id)
    select id from made`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('there is no platform organisation');
  return row.id;
}

/** Makes plants, each with one logger that may connect with LOGGER_PASSWORD; the n-th plant has logger `loggerSn(n)`. */
export async function makePlants(db: Db, first: number, count: number): Promise<void> {
  const organisationID = await organisation(db);
  const hash = createHash('sha256').update(DATALOGGER_PASSWORD).digest();
  for (let from = first; from < first + count; from += LONGEST_STATEMENT) {
    const to = Math.min(from + LONGEST_STATEMENT, first + count) - 1;
    await sql`
      with made as (
        insert into sites (organisation_id, name, type, country, city, time_zone, latitude, longitude, system_size_kwp,
          rated_power_w, feed_in_price, purchase_price, arrays)
        select ${organisationID}::uuid, 'Plant ' || lpad(n::text, 7, '0'), 1 + n % 2,
          (array['DE', 'PL', 'FR', 'IT', 'ES', 'RO', 'CZ', 'KR'])[1 + n % 8],
          (array['Berlin', 'Lublin', 'Lyon', 'Bari', 'Soria', 'Cluj', 'Brno', 'Busan', 'Ulm'])[1 + n % 9],
          (array['Europe/Berlin', 'Europe/Warsaw', 'Europe/Paris', 'Europe/Bucharest', 'Asia/Seoul'])[1 + n % 5],
          45 + (n % 900) / 100.0, 5 + (n % 1500) / 100.0, 5 + n % 40, 1000 * (5 + n % 40), 0.08, 0.3,
          json_build_array(json_build_object('azimuthDeg', 180, 'inclinationDeg', 30, 'kwp', 5 + n % 40))
        from generate_series(${from}::int, ${to}::int) n returning id, name)
      insert into loggers (sn, site_id, organisation_id, token_hash)
      select (${FIRST_SN}::bigint + substr(name, 7)::bigint)::text, id, ${organisationID}::uuid, ${hash} from made`.execute(
      db,
    );
  }
  await sql`analyze sites, loggers`.execute(db);
}

/** Puts all installers under one distributor, with an account that has the password of another; answers its name. */
export async function makeDistributor(db: Db, passwordOf: string): Promise<string> {
  const user = `${passwordOf}-distributor`;
  await sql`
    with platform as (select id, path from organisations where kind = 'platform'),
    made as (insert into organisations (id, parent_id, kind, name, country, path)
      select made.id, platform.id, 'distributor', 'Bench Wholesale', 'DE', platform.path || made.id
      from platform, (select gen_random_uuid() as id) made returning id, path),
    account as (insert into accounts (organisation_id, username, email, password_hash, level)
      select made.id, ${user}, ${`${user}@example.org`}, accounts.password_hash, 4
      from made, accounts where accounts.username = ${passwordOf})
    update organisations set parent_id = made.id, path = made.path || organisations.id from made
    where organisations.kind = 'installer'`.execute(db);
  return user;
}

/** Puts the installers that came later under it as well. */
export async function joinDistributor(db: Db): Promise<void> {
  await sql`
    update organisations set parent_id = above.id, path = above.path || organisations.id
    from (select id, path from organisations where kind = 'distributor') above
    where organisations.kind = 'installer' and organisations.parent_id <> above.id`.execute(db);
}

/** Gives the plants newest values, as ingestion would have written them. */
export async function makeLatest(db: Db, first: number, count: number): Promise<void> {
  for (let from = first; from < first + count; from += LONGEST_STATEMENT) {
    const to = Math.min(from + LONGEST_STATEMENT, first + count) - 1;
    await sql`
      update site_latest set (state, ts, interval_s, pv_w, battery_w, grid_w, load_w, inverter_ac_w, soc_percent,
        battery_capacity_wh, local_day, today_wh, month_wh, total_wh)
      = ((array['normal', 'normal', 'normal', 'normal', 'alarm', 'fault', 'offline'])[1 + sites.key % 7],
        now(), 3600, sites.key * 37 % 9000, sites.key % 400 - 200, sites.key * 13 % 4000 - 2000, sites.key * 7 % 3000,
        sites.key * 37 % 9000, sites.key % 101, 10240, (now() at time zone sites.time_zone)::date,
        sites.key * 11 % 60000, sites.key * 17 % 900000, sites.key * 101.5)
      from loggers join sites on sites.id = loggers.site_id
      where site_latest.site_id = sites.id and site_latest.ts is null
        and loggers.sn between ${dataloggerSn(from)} and ${dataloggerSn(to)}`.execute(db);
  }
  await sql`vacuum analyze site_latest`.execute(db);
}

/** Gives plants that have none a newest week, as it is kept when it was reckoned; one in nine needs attention. */
export async function makeWeeks(db: Db): Promise<void> {
  await sql`
    insert into site_insights (site_id, through_day, loss_wh, currency, reason, needs_attention, week, peers, reckoned_at)
    select id, current_date - 1, key % 90 * 1000, 'EUR', 'soiling', key % 90 > 79,
      jsonb_build_object('first', current_date - 7, 'last', current_date - 1, 'days', jsonb_build_array(),
        'lossWh', key % 90 * 1000, 'lossMoney', null, 'currency', 'EUR', 'unknownWh', 0, 'source', 'neighbours', 'peers', 8,
        'basis', 'near', 'missing', jsonb_build_array(), 'evidenceDay', current_date - 1,
        'reasons', jsonb_build_array(jsonb_build_object('lossWh', key % 90 * 1000, 'days', 7, 'since', current_date - 7,
          'isStanding', true, 'confidence', 0.8,
          'reason', jsonb_build_object('kind', 'soiling', 'evidence', jsonb_build_object('share', 0.1, 'perDay', 0.01, 'days', 7))))),
      '{}', now() from sites
    on conflict do nothing`.execute(db);
}

/** Gives a plant inverters with newest values of all the points; answers the ids of its devices. */
export async function makeDevices(
  db: Db,
  plant: { first: number; count: number },
  devicesPerPlant: number,
  points: readonly string[],
): Promise<void> {
  const values = JSON.stringify(
    Object.fromEntries(points.map((name, index) => [name, [index * 1.5 + 230.1, Date.now()]])),
  );
  const { first, count } = plant;
  for (let from = first; from < first + count; from += LONGEST_STATEMENT / 10) {
    const to = Math.min(from + LONGEST_STATEMENT / 10, first + count) - 1;
    await sql`
      with made as (
        insert into devices (sn, logger_id, site_id, kind, model, online, state, last_seen_at)
        select 'BE' || substr(loggers.sn, 9) || '-' || d, loggers.id, loggers.site_id, 'inverter', 'SW-BENCH', true,
          'normal', now()
        from loggers, generate_series(0, ${devicesPerPlant - 1}::int) d
        where loggers.sn between ${dataloggerSn(from)} and ${dataloggerSn(to)} returning id, key)
      insert into device_latest (device_id, ts, received_at, power_w, soc_percent, today_wh, total_wh, values)
      select id, now(), now(), key * 37 % 9000, null, key * 11 % 60000, key * 101.5, ${values}::jsonb from made`.execute(
      db,
    );
  }
  await inShares((share) =>
    sql`update loggers set online = true, last_seen_at = now(), report_interval_s = 3600
      where sn between ${dataloggerSn(first)} and ${dataloggerSn(first + count - 1)} and ${share}`.execute(db),
  );
  await sql`analyze devices, device_latest`.execute(db);
}

export interface KnownDevice {
  id: string;
  key: number;
  sn: string;
  siteId: string;
  siteKey: number;
}

/** Devices of the portal with their plants, in the order of their serial numbers. */
export async function knownDevices(db: Db): Promise<KnownDevice[]> {
  return db
    .selectFrom('devices')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .select(['devices.id', 'devices.key', 'devices.sn', 'sites.id as siteId', 'sites.key as siteKey'])
    .orderBy('devices.sn')
    .execute();
}

/** Takes the days of all plants as reckoned, so that what is measured has nothing of the hours that a fleet which was stored in one go takes for them. */
export async function takeAsReckoned(db: Db): Promise<void> {
  await sql`
    insert into insight_turns (time_zone, day, filled_to, is_filled)
    select distinct time_zone, current_date + 1, current_date + 1, true from sites
    on conflict (time_zone) do update set day = excluded.day, filled_to = excluded.filled_to, is_filled = true`.execute(
    db,
  );
  await sql`delete from insight_due`.execute(db);
}
