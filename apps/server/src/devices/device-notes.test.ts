import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
const DAY_MS = 86_400_000;

let plants: PlantsFixture;
let installer: string;
let integrator: string;
const ids: Record<string, string> = {};

const { list, exportList, statusAll } = deviceEndpoints;
const ask = async (input: object, token = installer) =>
  (await plants.read(list as ListEndpoint, input as never, token)) as unknown as {
    devices: Record<string, unknown>[];
  };
const namesOf = ({ devices }: Awaited<ReturnType<typeof ask>>) => devices.map(({ deviceSN }) => deviceSN);

const setting = (sn: string, name: string, drifted: boolean) => ({
  subject_id: ids[sn] ?? '',
  name,
  reported: JSON.stringify(50),
  desired: JSON.stringify(60),
  drifted_since: drifted ? new Date(NOW_MS) : null,
});

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const own = await plants.addOrganisation('installer');
  installer = plants.signIn(await plants.addAccount(own.id, 2));
  const granted = await plants.addAccount(own.id, 10);
  integrator = plants.signIn(granted);
  const site = await plants.addSite(own.id, { name: 'Hof' });
  const logger = await plants.addDatalogger(site.id);
  for (const sn of ['NOT-1', 'NOT-2', 'NOT-3']) {
    const { id } = await plants.addDevice(site.id, logger.id, { sn, todayWh: 1_000, values: {} });
    ids[sn] = id;
    await plants.db.insertInto('device_grants').values({ account_id: granted.id, device_id: id }).execute();
  }
  await plants.db
    .insertInto('device_settings')
    .values([
      setting('NOT-1', 'Setting/Grid/ExportLimit', true),
      setting('NOT-1', 'Setting/Battery/MinSoc', true),
      setting('NOT-2', 'Setting/Battery/MinSoc', false),
    ] as never)
    .execute();
});

afterAll(() => plants.stop());

test('which devices have changed settings by themselves is told, counted and filtered, and follows each change', async () => {
  const counted = async (token = installer) => (await plants.read(statusAll, {}, token)).deviating;
  const deviating = async () => namesOf(await ask({ condition: { deviates: true } }));
  expect((await ask({ sort: { field: 'drifts', order: 'desc' } })).devices.map(({ drifts }) => drifts)).toEqual([
    2,
    null,
    null,
  ]);
  expect([await counted(), await deviating()]).toEqual([1, ['NOT-1']]);
  await plants.db
    .updateTable('device_settings')
    .set({ drifted_since: new Date(NOW_MS) })
    .execute();
  expect([await counted(), await deviating()]).toEqual([2, ['NOT-1', 'NOT-2']]);
  await plants.db
    .deleteFrom('device_settings')
    .where('subject_id', '=', ids['NOT-1'] ?? '')
    .execute();
  expect([await counted(), await deviating()]).toEqual([1, ['NOT-2']]);
});

test('who may not read settings is not told which have drifted', async () => {
  await plants.db
    .updateTable('device_settings')
    .set({ drifted_since: new Date(NOW_MS) })
    .execute();
  expect((await plants.read(statusAll, {}, integrator)).deviating).toBeNull();
  expect(namesOf(await ask({ condition: { deviates: true } }, integrator))).toEqual([]);
  const { devices } = await ask({ sort: { field: 'drifts', order: 'desc' } }, integrator);
  expect(devices.map(({ deviceSN, drifts }) => [deviceSN, drifts])).toEqual([
    ['NOT-3', null],
    ['NOT-2', null],
    ['NOT-1', null],
  ]);
});

test('devices chosen one by one are the rows of the list and of its file, in scope only', async () => {
  const deviceIDs = [ids['NOT-3'] ?? '', ids['NOT-1'] ?? '', crypto.randomUUID()];
  expect(namesOf(await ask({ condition: { deviceIDs }, sort: { field: 'deviceSN', order: 'asc' } }))).toEqual([
    'NOT-1',
    'NOT-3',
  ]);
  const file = await (
    await plants.fetch(
      exportList,
      { condition: { deviceIDs }, columns: ['deviceSN'], sort: { field: 'deviceSN', order: 'asc' } },
      installer,
    )
  ).text();
  expect(file.trimEnd().split('\r\n').slice(1)).toEqual(['NOT-1', 'NOT-3']);
});

test('energies of yesterday, month and year hold today while it runs, and what is over is not told as if it ran', async () => {
  const energies = async (sn: string) => {
    const row = (await ask({ condition: { content: sn } })).devices[0];
    return [row?.yesterdayWh, row?.monthWh, row?.yearWh];
  };
  const ends = (ms: number) => new Date(ms);
  const write = (sn: string, dayEndsMs: number) =>
    sql`update device_listed set day_ends_at = ${ends(dayEndsMs)}, month_ends_at = ${ends(Date.UTC(2026, 6, 1))},
      year_ends_at = ${ends(Date.UTC(2027, 0, 1))}, yesterday_wh = 500, month_wh = 7000, year_wh = 90000,
      energy_marks = 4 where sn = ${sn}`.execute(plants.db);
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from today_ends_at) * 1000)::float8 as ms
    from device_listed where sn = 'NOT-1'`.execute(plants.db);
  const todayEndsMs = rows[0]?.ms ?? 0;
  await write('NOT-1', todayEndsMs);
  expect(await energies('NOT-1')).toEqual([500, 8_000, 91_000]);
  const row = (await ask({ condition: { content: 'NOT-1' } })).devices[0];
  expect([row?.yesterdayQuality, row?.monthQuality, row?.yearQuality]).toEqual(['measured', 'estimated', 'measured']);
  // The day has turned, and what was before is not summed yet.
  await write('NOT-2', todayEndsMs - DAY_MS);
  expect(await energies('NOT-2')).toEqual([null, null, null]);
  expect(await energies('NOT-3')).toEqual([null, null, null]);
  // Silent since yesterday.
  plants.time.nowMs = todayEndsMs + 60_000;
  expect(await energies('NOT-1')).toEqual([1_000, 8_000, 91_000]);
  plants.time.nowMs = Date.UTC(2026, 6, 2);
  expect(await energies('NOT-1')).toEqual([null, null, 91_000]);
  plants.time.nowMs = Date.UTC(2027, 0, 2);
  expect(await energies('NOT-1')).toEqual([null, null, null]);
  plants.time.nowMs = NOW_MS;
});
