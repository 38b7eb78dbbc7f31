import { deviceFields } from '@sonnenwarte/contract/devices/device';
import { tree } from '@sonnenwarte/contract/devices/device-tree';
import { kindCounts, list, statusAll } from '@sonnenwarte/contract/devices/devices';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { inShares, makeDevices, makeLatest, makePlants, takeAsReckoned } from './support/fleet.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const devices = setting('BENCH_DEVICES', 100_000, 200);
const DEVICES_PER_PLANT = 2;
const plants = Math.ceil(devices / DEVICES_PER_PLANT);
const tries = sized(10, 2);
const calls = sized(60, 3);
const WORST_FEW = 3;

/** The list of devices in every order and by several filters, its tree and its counts. */
await benchmark('devices', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${devices} devices of ${plants} plants`);
  await makePlants(portal.db, 0, plants);
  await makeLatest(portal.db, 0, plants);
  await makeDevices(portal.db, { first: 0, count: plants }, DEVICES_PER_PLANT, ['AC/ActivePower', 'DC/Power']);
  // The portal writes states of its own meanwhile: it waits, so that neither has the other's rows.
  await inShares((share) =>
    portal.db.transaction().execute(async (tx) => {
      await sql`lock table devices in exclusive mode`.execute(tx);
      await sql`update devices set rated_power_w = 10000,
        state = (array['normal', 'normal', 'normal', 'normal', 'alarm', 'fault', 'offline'])[1 + key % 7] where ${share}`.execute(
        tx,
      );
    }),
  );
  // As accounting and devices that change settings by themselves write them: energies of all, drift of one in fifty.
  await inShares((share) =>
    sql`update device_listed l set day_ends_at = today_ends_at, month_ends_at = today_ends_at + interval '9 days',
      year_ends_at = today_ends_at + interval '99 days', yesterday_wh = d.key * 13 % 70000, month_wh = d.key * 17 % 900000,
      year_wh = d.key * 19 % 9000000 from devices d where d.id = l.device_id and ${share}`.execute(portal.db),
  );
  await sql`insert into device_settings (subject_id, name, reported, desired, drifted_since)
    select id, 'Setting/ExportLimit', '70', '60', now() from devices where key % 50 = 0`.execute(portal.db);
  await takeAsReckoned(portal.db);
  await sql`vacuum analyze device_listed, devices, device_latest, sites, site_latest, loggers`.execute(portal.db);
  await portal.longestStallMs();

  const page = { pageSize: 50 } as const;
  const sorted = sortFieldsOf(deviceFields).flatMap((field) =>
    (['asc', 'desc'] as const).map((order) => ({
      name: `by ${field} ${order}`,
      call: () => portal.call(list, { ...page, sort: { field, order } }),
    })),
  );
  const conditions: readonly { name: string; condition: Input<typeof list>['condition'] }[] = [
    { name: 'fault', condition: { state: 'fault' } },
    { name: 'what needs a hand', condition: { states: ['alarm', 'fault', 'offline'] } },
    { name: 'a part of all serial numbers', condition: { content: 'BE0' } },
    { name: 'a part of some plants', condition: { content: '0042' } },
    { name: 'nothing', condition: { content: 'xyzzy' } },
    { name: 'what deviates', condition: { deviates: true } },
  ];
  const filtered = conditions.map(({ name, condition }) => ({
    name: `filter ${name} by power`,
    call: () => portal.call(list, { ...page, condition, sort: { field: 'powerW', order: 'desc' } }),
  }));
  const deep = { name: 'page 200 by state', call: () => portal.call(list, { ...page, currentPage: sized(200, 2) }) };
  const tried: { p95: number; name: string; call: () => Promise<unknown> }[] = [];
  for (const { name, call } of [...sorted, ...filtered, deep]) {
    tried.push({ name, call, p95: percentiles(await timed(tries, call)).p95 });
  }
  tried.sort((one, other) => other.p95 - one.p95);
  let worst = { p95: -1, detail: '' };
  for (const { name, call } of tried.slice(0, WORST_FEW)) {
    const { p50, p95, max } = percentiles(await timed(calls, call));
    const detail = `slowest of ${tried.length}: ${name}; p50 ${shown(p50)} ms, slowest ${shown(max)} ms`;
    bench.say(detail);
    if (p95 > worst.p95) worst = { p95, detail };
  }
  bench.tell('devices.list', worst.p95, worst.detail);
  const branches = await timed(calls, () => portal.call(tree, { pageSize: 20 }));
  bench.tell('devices.tree', percentiles(branches).p95, `p50 ${shown(percentiles(branches).p50)} ms`);
  const counts = await timed(calls, () => Promise.all([portal.call(kindCounts, {}), portal.call(statusAll, {})]));
  bench.tell('devices.counts', percentiles(counts).p95, `p50 ${shown(percentiles(counts).p50)} ms`);
  bench.tell('devices.stall', await portal.longestStallMs());
});
