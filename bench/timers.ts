import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { inTransaction } from '../apps/server/src/stores/in-transaction.ts';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeLatest, makePlants, takeAsReckoned } from './support/fleet.ts';
import { dataloggerSn } from './support/names.ts';
import { openPortal } from './support/portal.ts';
import { setting, sized } from './support/settings.ts';
import { telemetry } from './support/telemetry.ts';
import { coresText, watchUsage } from './support/usage.ts';

const plants = setting('BENCH_PLANTS', 100_000, 120);
const followed = Math.min(plants, setting('BENCH_FOLLOWED', 10_000, 60));
const recorded = Math.min(followed, setting('BENCH_RECORDED', 300, 5));
const groups = setting('BENCH_GROUPS', 10, 2);
const perGroup = Math.min(Math.floor(plants / groups), setting('BENCH_GROUP_DEVICES', 2_000, 30));
const seconds = setting('BENCH_IDLE_SECONDS', 120, 3);
/** What a start leaves behind it is not measured. */
const settleMs = sized(20_000, 1_000);
/** The database counts what its processes have read once they have been quiet for ten seconds. */
const countedMs = sized(12_000, 2_500);
const LONGEST_MS = 600_000;
const WAVE = 50;
const ROUNDS = 5;
const SETTING = 'Setting/ExportLimit';
const DAYS = 31;
const DAY_S = 86_400;

/** What the timers cost of a fleet of which a part follows prices, and of writes to many devices that are away. */
await benchmark('timers', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const { db, dataDir } = portal;
  const [first, last] = [dataloggerSn(1), dataloggerSn(followed)];

  const until = async (text: string, holds: () => Promise<boolean>): Promise<void> => {
    const longestMs = performance.now() + LONGEST_MS;
    while (!(await holds())) {
      if (performance.now() > longestMs) throw new Error(`${text}: not within ${LONGEST_MS / 1_000} s`);
      await delay(50);
    }
  };
  const count = async (from: ReturnType<typeof sql>): Promise<number> => {
    const { rows } = await sql<{ count: string }>`select count(*) as count from ${from}`.execute(db);
    return Number(rows[0]?.count);
  };
  const rowsRead = async (): Promise<number> => {
    await delay(countedMs);
    const { rows } = await sql<{ read: string }>`
      select tup_returned as read from pg_stat_database where datname = current_database()`.execute(db);
    return Number(rows[0]?.read);
  };
  const begin = (job: string) => sql`select graphile_worker.add_job(${job}, '{}'::json)`.execute(db);
  const isDone = async (job: string) => (await count(sql`graphile_worker.jobs where task_identifier = ${job}`)) === 0;
  let ownRowsPerS = 0;
  /** Does something and answers how long it took, ms, what the database read for it besides what it reads anyway, and the longest stall meanwhile. */
  const measured = async (work: () => Promise<void>) => {
    const before = await rowsRead();
    await portal.longestStallMs();
    const startedMs = performance.now();
    await work();
    const tookMs = performance.now() - startedMs;
    const stallMs = await portal.longestStallMs();
    const rows = (await rowsRead()) - before;
    return { tookMs, stallMs, rows: Math.max(0, rows - (ownRowsPerS * (performance.now() - startedMs)) / 1_000) };
  };

  bench.say(`making ${plants} plants, of which ${followed} follow prices`);
  await makePlants(db, 1, plants);
  await makeLatest(db, 1, plants);
  await makeDevices(db, { first: 1, count: plants }, 1, ['AC/ActivePower', 'DC/Power']);
  await takeAsReckoned(db);
  await sql`insert into market_sources (zone, is_configured, currency, changes) values ('BENCH', false, 'EUR', 1)`.execute(
    db,
  );
  await sql`
    insert into market_prices (zone, start_at, micro, written)
    select 'BENCH', at, 100000 + 90000 * sin(extract(hour from at) / 24 * 2 * pi()), 1
    from generate_series(date_trunc('day', now()) - interval '2 days', date_trunc('day', now()) + interval '3 days', interval '15 minutes') at`.execute(
    db,
  );
  // As whoever writes several plants does, so that the portal and this never wait for each other in a circle.
  await inTransaction(db, async (tx) => {
    const followers = sql`select site_id from loggers where sn between ${first} and ${last}`;
    await sql`select from sites where id in (${followers}) order by id for update`.execute(tx);
    await sql`
      update sites set purchase_price = null, purchase_market = '{"zone": "BENCH", "markup": "0.12", "vat": "19"}'
      where id in (${followers})`.execute(tx);
  });
  await sql`
    insert into devices (sn, logger_id, site_id, kind, model, online, state, last_seen_at, capacity_wh)
    select 'BAT' || sn, id, site_id, 'battery', 'SW-BENCH', true, 'normal', now(), 10240 from loggers where sn between ${first} and ${last}`.execute(
    db,
  );
  await sql`
    insert into device_settings (subject_id, name, reported, reported_at, reported_by)
    select devices.id, told.name, told.value, now(), 'birth' from devices,
      (values ('Setting/WorkMode', '1'::jsonb), ('Setting/MinSoc', '10'), ('Setting/Schedule', '[]'), ('Setting/ChargePower', '5000'),
        ('Setting/DischargePower', '5000'), (${SETTING}, '4000')) as told (name, value)
    where devices.kind = 'inverter'`.execute(db);
  await sql`analyze devices, device_settings`.execute(db);
  const former = JSON.stringify({
    mode: 'selfUse',
    minSoc: 10,
    backupSoc: null,
    gridCharge: null,
    peakLimitW: null,
    periods: [],
    pricePeriods: null,
  });
  const laterMs = 30 * 60_000;
  await sql`
    insert into followed_plans (site_id, trades_with_grid, former, look_at)
    select site_id, true, ${former}::jsonb, now() + ${laterMs} * interval '1 ms' from loggers where sn between ${first} and ${last}`.execute(
    db,
  );

  const { rows: keys } = await sql<{ id: string; key: number }>`
    select sites.id, sites.key from sites join loggers on loggers.site_id = sites.id where loggers.sn between ${first} and ${dataloggerSn(recorded)}`.execute(
    db,
  );
  const untilS = Math.floor(Date.now() / 300_000) * 300;
  for (let day = DAYS; day > 0; day -= 1) {
    await telemetry(
      dataDir,
      `INSERT INTO site_5m (site, ts, version, pv_wh, load_wh, import_wh, export_wh, charge_wh, discharge_wh, soc_percent)
      SELECT arrayElement([${keys.map(({ key }) => key).join(',')}], number % ${keys.length} + 1), toDateTime(second, 'UTC'), 1, sun, house,
        greatest(0, house - sun), greatest(0, sun - house), 0, 0, 40 FROM (
        SELECT number, ${untilS - day * DAY_S} + intDiv(number, ${keys.length}) * 300 AS second,
          if(toHour(toDateTime(second, 'UTC')) IN (17, 18, 19, 20), 130, 40) AS house,
          greatest(0, 300 * sin((second % ${DAY_S} - 21600) / 43200 * pi())) AS sun FROM numbers(${keys.length * 288}))
      SETTINGS max_threads = 1, max_block_size = 65536`,
    );
  }
  await delay(settleMs);
  const quietS = sized(30, 2);
  ownRowsPerS = (await measured(() => delay(quietS * 1_000))).rows / (quietS + countedMs / 1_000);
  bench.say(`by itself the portal reads ${Math.round(ownRowsPerS)} rows/s`);

  bench.say(`a day begins at ${recorded} plants with a recorded month`);
  // One of them is enough to know: counting all of them again and again would be what is measured.
  const due = sql`(select from followed_plans where look_at <= now() limit 1) as due`;
  const ids = keys.map(({ id }) => id);
  const planned = await measured(async () => {
    await sql`update followed_plans set look_at = now() - interval '1 s' where site_id = any(${ids}::uuid[])`.execute(
      db,
    );
    await begin('work-modes.follow');
    await until('the day is planned', async () => (await count(due)) === 0);
  });
  const written = await count(sql`followed_plans where planned_day is not null`);
  bench.tell(
    'timers.plan',
    planned.tookMs / recorded,
    `${recorded} plants, one after the other; ${written} have a plan`,
  );
  bench.tell('timers.plan.rows', planned.rows / recorded);
  bench.tell('timers.plan.stall', planned.stallMs);

  bench.say(`${followed} plans go as expected`);
  await sql`
    update followed_plans set planned_day = (now() at time zone sites.time_zone)::date, written = one.written,
      expected = jsonb_set(one.expected, '{fromMs}', to_jsonb(floor(extract(epoch from now()) / 900) * 900000))
    from sites, (select written, expected from followed_plans where expected is not null limit 1) as one where sites.id = followed_plans.site_id`.execute(
    db,
  );
  const quiet = await measured(async () => {
    await begin('work-modes.follow');
    await until('the round is over', () => isDone('work-modes.follow'));
  });
  bench.tell('timers.quiet.rows', quiet.rows, `${Math.round(quiet.tookMs)} ms`);
  const looked = await measured(async () => {
    await sql`update followed_plans set look_at = now() - interval '1 s'`.execute(db);
    await begin('work-modes.follow');
    await until('all are looked at', async () => (await count(due)) === 0);
  });
  bench.tell('timers.look', looked.tookMs / 1_000, `${followed} plans`);
  bench.tell('timers.look.rows', looked.rows / followed);
  bench.tell('timers.look.stall', looked.stallMs);

  bench.say(`${groups} writes to ${perGroup} devices each, all away`);
  const wave = groups * Math.min(WAVE, perGroup);
  const waves = await measured(async () => {
    await sql`
      with made as (
        insert into setting_groups (organisation_id, kind, content, ordered_by)
        select organisations.id, 'inverter', ${JSON.stringify({ [SETTING]: 5_000 })}::jsonb, accounts.id from generate_series(1, ${groups}::int), organisations, accounts
        where organisations.kind = 'platform' returning id),
      numbered as (select id, row_number() over () - 1 as place from made),
      chosen as (select id, row_number() over (order by sn) - 1 as place from devices where kind = 'inverter' order by sn limit ${groups * perGroup})
      insert into setting_group_devices (group_id, device_id, place, content)
      select numbered.id, chosen.id, chosen.place, ${JSON.stringify({ [SETTING]: 5_000 })}::jsonb
      from chosen join numbered on numbered.place = chosen.place / ${perGroup}::int`.execute(db);
    await begin('remote-settings.groups');
    await until(
      'the first waves are ordered',
      async () => (await count(sql`commands where state = 'queued' and source = 'group'`)) >= wave,
    );
  });
  bench.tell('timers.groups.wave', waves.tookMs / 1_000, `${wave} orders with their entries in the audit log`);
  const rounds = await measured(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await begin('remote-settings.groups');
      await until('the round is over', () => isDone('remote-settings.groups'));
      await delay(sized(2_000, 200));
    }
  });
  bench.tell('timers.groups.rows', rounds.rows / ROUNDS, `of ${groups * perGroup} devices`);
  bench.tell('timers.groups.stall', Math.max(waves.stallMs, rounds.stallMs));

  bench.say(`nothing for ${seconds} s`);
  const before = await rowsRead();
  const usage = watchUsage(portal.pid, []);
  await delay(seconds * 1_000);
  const used = usage.end();
  bench.tell('timers.cores', used.server.cores * 100, `${seconds} s; ${coresText(used)}`);
  bench.tell('timers.rows', ((await rowsRead()) - before) / (seconds + countedMs / 1_000));
});
