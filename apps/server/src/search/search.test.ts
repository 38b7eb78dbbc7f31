import { find } from '@sonnenwarte/contract/search/search';
import { create } from '@sonnenwarte/contract/work-orders/work-orders';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});

afterAll(() => plants?.stop());

/** An installer with these plants, each with one datalogger and one inverter, and the token of one who sees them. */
async function fleetOf(...names: string[]) {
  const { id } = await plants.addOrganisation('installer');
  const token = plants.signIn(await plants.addAccount(id, 2));
  const sites = [];
  for (const name of names) {
    const site = await plants.addSite(id, { name, city: 'Bran', latest: { pv_w: 1_500 } });
    const datalogger = await plants.addDatalogger(site.id);
    const device = await plants.addDevice(site.id, datalogger.id);
    sites.push({ ...site, datalogger, device });
  }
  return {
    id,
    sites,
    search: (content: string, kind?: 'plants' | 'devices' | 'orders') =>
      plants.read(find, kind === undefined ? { content } : { content, kind }, token),
  };
}

const namesOf = ({ plants: { rows } }: Awaited<ReturnType<Awaited<ReturnType<typeof fleetOf>>['search']>>) =>
  rows.map(({ name }) => name);

describe('plants', () => {
  test('are found by any part of three signs and more, whatever its case, the best first', async () => {
    const { search } = await fleetOf('Villa Ulivo', 'Pensiunea Livada', 'Livorno', 'Haus Lindenblick');
    expect(namesOf(await search('LIV'))).toEqual(['Livorno', 'Pensiunea Livada', 'Villa Ulivo']);
    expect(namesOf(await search('li'))).toEqual(['Livorno']);
    expect(namesOf(await search('nowhere'))).toEqual([]);
  });

  test('a percent sign, an underscore and a backslash stand for themselves', async () => {
    const { search } = await fleetOf('50 % Sonne', 'a_b\\c', 'Anders');
    expect(namesOf(await search('%'))).toEqual([]);
    expect(namesOf(await search('50 %'))).toEqual(['50 % Sonne']);
    expect(namesOf(await search('_b\\'))).toEqual(['a_b\\c']);
  });

  test('come with why they matter: state, worst alarm, power', async () => {
    const { search, sites } = await fleetOf('Alarmhof');
    const [site] = sites;
    await plants.db
      .insertInto('alarms')
      .values({
        device_id: site?.device.id ?? null,
        logger_id: null,
        code: 9,
        level: 2,
        since: new Date(1e12),
        until: null,
      })
      .execute();
    const { plants: found } = await search('alarmhof');
    expect(found.rows).toMatchObject([
      { stationID: site?.id, city: 'Bran', systemCapacity: 10, pvPowerW: 1_500, alarm: { code: 9, sinceMs: 1e12 } },
    ]);
  });

  test('at most four beside the others and twenty alone, and it is said that there are more', async () => {
    const { search } = await fleetOf(
      ...Array.from({ length: 22 }, (_, index) => `Reihe ${String(index).padStart(2, '0')}`),
    );
    const all = await search('reihe');
    expect([all.plants.rows.length, all.plants.more]).toEqual([4, true]);
    expect(namesOf(all)).toEqual(['Reihe 00', 'Reihe 01', 'Reihe 02', 'Reihe 03']);
    const alone = await search('reihe', 'plants');
    expect([alone.plants.rows.length, alone.plants.more, alone.devices.rows]).toEqual([20, true, []]);
  });

  test("strangers' and deleted ones are not found", async () => {
    const { search, sites } = await fleetOf('Geheimhof');
    const other = await fleetOf('Geheimrat');
    expect(namesOf(await search('geheim'))).toEqual(['Geheimhof']);
    expect(namesOf(await other.search('geheim'))).toEqual(['Geheimrat']);
    await plants.db
      .updateTable('sites')
      .set({ deleted_at: new Date() })
      .where('id', '=', sites[0]?.id ?? '')
      .execute();
    expect(await search('geheim')).toMatchObject({ plants: { rows: [] }, devices: { rows: [], ofPlant: null } });
  });
});

describe('serial numbers', () => {
  test('of devices and dataloggers are found by their last digits, of none that a stranger has', async () => {
    const { search, sites } = await fleetOf('Eins');
    const stranger = await fleetOf('Zwei');
    const [{ device, datalogger } = { device: { sn: '' }, datalogger: { sn: '' } }] = sites;
    const tail = (sn: string) => sn.slice(-6);
    expect((await search(tail(device.sn))).devices.rows.map(({ sn }) => sn)).toContain(device.sn);
    const byDatalogger = await search(tail(datalogger.sn));
    expect(byDatalogger.devices.rows).toContainEqual(
      expect.objectContaining({
        sn: datalogger.sn,
        kind: 'datalogger',
        deviceID: null,
        plantName: 'Eins',
        state: 'normal',
      }),
    );
    expect(byDatalogger.devices.ofPlant).toBeNull();
    expect((await stranger.search(device.sn)).devices.rows).toEqual([]);
    expect((await stranger.search(datalogger.sn)).devices.rows).toEqual([]);
  });

  test('where none matches, the devices of the first plant are there', async () => {
    const { search, sites } = await fleetOf('Ohnenummer');
    const { devices } = await search('ohnenummer');
    expect(devices.ofPlant).toBe('Ohnenummer');
    expect(devices.rows.map(({ sn }) => sn)).toEqual([sites[0]?.device.sn, sites[0]?.datalogger.sn]);
  });

  test('an integrator finds what was granted to it, and no plants', async () => {
    const { sites } = await fleetOf('Integrahof');
    const [site] = sites;
    const { id } = await plants.addOrganisation('installer');
    const account = await plants.addAccount(id, 10);
    const token = plants.signIn(account);
    const search = (content: string) => plants.read(find, { content }, token);
    expect((await search(site?.device.sn ?? '')).devices.rows).toEqual([]);
    await plants.db
      .insertInto('device_grants')
      .values({ account_id: account.id, device_id: site?.device.id ?? '' })
      .execute();
    expect((await search(site?.device.sn ?? '')).devices.rows.map(({ sn }) => sn)).toEqual([site?.device.sn]);
    expect((await search('Integrahof')).plants.rows).toEqual([]);
  });
});

test('delivered units that were never heard of are found by their numbers, by who may tell them, until they are heard', async () => {
  const { id: manufacturer_id } = await plants.db
    .insertInto('manufacturers')
    .values({ name: 'Nordlicht' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const batch = { manufacturer_id, number: 'NL-1', kind: 'inverter', model: 'NX-8K', made_on: null } as const;
  const { id: batch_id } = await plants.db
    .insertInto('device_batches')
    .values({ ...batch, delivered_on: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const unit = (sn: string, delivered_on: string | null) => ({
    sn,
    batch_id,
    model: 'NX-8K',
    odm_sn: '',
    delivered_on,
  });
  await plants.db
    .insertInto('delivered_units')
    .values([unit('NLFIND7001', '2026-01-31'), unit('NLFIND7002', '2099-01-31'), unit('NLFIND7003', null)])
    .execute();
  const platform = await plants.addOrganisation('platform');
  const admin = await plants.addAccount(platform.id, 255);
  const token = plants.signInOf(admin, platform.path);
  const unitsOf = async (content: string, by = token) => (await plants.read(find, { content }, by)).units;
  const about = { kind: 'inverter', model: 'NX-8K', batch: 'NL-1' };
  expect((await unitsOf('find70')).rows).toEqual([
    { sn: 'NLFIND7001', ...about, seen: 'never' },
    { sn: 'NLFIND7002', ...about, seen: 'undelivered' },
    { sn: 'NLFIND7003', ...about, seen: 'never' },
  ]);
  const blind = plants.signInOf(admin, platform.path, new Set());
  const { id } = await plants.addOrganisation('distributor');
  const distributor = plants.signIn(await plants.addAccount(id, 4));
  for (const other of [blind, distributor]) expect((await unitsOf('nlfind7001', other)).rows).toEqual([]);
  const { installerId } = await plants.addInstaller();
  const site = await plants.addSite(installerId);
  await plants.addDevice(site.id, (await plants.addDatalogger(site.id)).id, { sn: 'NLFIND7001' });
  expect((await unitsOf('NLFIND7001')).rows).toEqual([]);
});

describe('work orders', () => {
  test('are found by number and by title, by those who see them alone', async () => {
    const { search, sites, id } = await fleetOf('Ordershof');
    const token = plants.signIn(await plants.addAccount(id, 2));
    const asked = { title: 'Whistling fan', category: 'fault', product: 'inverter', text: 'x' } as const;
    const { orderID, number } = await plants.read(create, { ...asked, stationID: sites[0]?.id }, token);
    const expected = [{ orderID, number, title: 'Whistling fan', plantName: 'Ordershof' }];
    expect((await search(number.toLowerCase())).orders.rows).toEqual(expected);
    expect((await search('ISTLING', 'orders')).orders).toEqual({ rows: expected, more: false });
    const stranger = await fleetOf('Nebenan');
    expect((await stranger.search(number)).orders.rows).toEqual([]);
  });
});

describe('people', () => {
  test('are found by those who may list them, within their organisation, and by nobody else', async () => {
    const { id, path } = await plants.addOrganisation('distributor');
    const below = await plants.addOrganisation('installer', path);
    const account = await plants.addAccount(below.id, 1);
    await plants.db.updateTable('accounts').set({ name: 'Oliver Brandt' }).where('id', '=', account.id).execute();
    const peopleOf = async (level: 1 | 2 | 3 | 4, organisation: string) => {
      const token = plants.signIn(await plants.addAccount(organisation, level));
      return (await plants.read(find, { content: 'brandt' }, token)).people.rows.map(({ name }) => name);
    };
    expect(await peopleOf(4, id)).toEqual(['Oliver Brandt']);
    expect(await peopleOf(2, below.id)).toEqual([]);
    expect(await peopleOf(4, (await plants.addOrganisation('distributor')).id)).toEqual([]);
  });
});
