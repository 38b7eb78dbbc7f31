import { errno } from '@sonnenwarte/contract/errors';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import {
  type WarrantyFacts,
  type WarrantyTerm,
  warrantyBegins,
  warrantyOf,
} from '@sonnenwarte/contract/factory/warranty';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codesOfLevel } from '../access/codes.ts';
import { type FactoryWorld, factoryWorld } from '../testing/factory-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { settleBatch } from './reckoning.store.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;
let world: FactoryWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  world = await factoryWorld(plants);
});
afterAll(() => plants.stop());

/** A plant of an owner, with a datalogger. */
async function plant(commissionedOn: string | null = null) {
  const { id: organisationID, path } = await plants.addOrganisation('installer', world.platform.path);
  const owner = await plants.addAccount(organisationID, 1);
  const site = await plants.addSite(organisationID, { owner_account_id: owner.id, commissioned_on: commissionedOn });
  const logger = await plants.addDatalogger(site.id);
  return { site, logger, organisationID, path, owner };
}

test('a unit is never seen until its device is heard, whatever the case of its number, and has been seen ever after', async () => {
  const batchID = await world.batch({ firmware: '1.0' });
  await world.deliver(batchID, 'sn\nSight-1\nSight-2\n');
  const { site, logger } = await plant();
  expect(await world.units({ batchID, seen: 'never' })).toHaveLength(2);
  const silent = await plants.addDevice(site.id, logger.id, {
    sn: 'sight-1',
    last_seen_at: null,
    version_master: '1.1',
  });
  expect(await world.units({ batchID, seen: 'seen' })).toEqual([]);
  await plants.db
    .updateTable('devices')
    .set({ last_seen_at: new Date(NOW_MS), first_seen_at: new Date(NOW_MS - DAY_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await world.units({ batchID, seen: 'seen' })).toMatchObject([
    {
      sn: 'SIGHT-1',
      seen: 'seen',
      seenMs: NOW_MS - DAY_MS,
      deviceID: silent.id,
      stationID: site.id,
      firmware: '1.0',
      firmwareNow: '1.1',
      firmwareDiffers: true,
    },
  ]);
  await plants.db
    .updateTable('devices')
    .set({ deleted_at: new Date(NOW_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await world.units({ batchID, seen: 'seen' })).toMatchObject([{ sn: 'SIGHT-1', deviceID: null }]);
  expect(await world.units({ batchID, seen: 'never' })).toMatchObject([{ sn: 'SIGHT-2', seenMs: null }]);
});

test('a datalogger was seen once it was heard, and not when somebody imported its number', async () => {
  const batchID = await world.batch({ kind: 'logger', model: 'LX-1' });
  const [silent, heard] = [await plants.addDatalogger(null, null), await plants.addDatalogger(null)];
  await world.deliver(batchID, `sn\n${silent.sn}\n${heard.sn}\n`);
  expect(await world.units({ batchID, seen: 'seen' })).toMatchObject([{ sn: heard.sn, deviceID: heard.id }]);
  await plants.db
    .updateTable('loggers')
    .set({ last_seen_at: new Date(NOW_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await world.units({ batchID, seen: 'never' })).toEqual([]);
});

test('a device that is first heard while its number is imported is found afterwards', async () => {
  const batchID = await world.batch();
  const { site, logger } = await plant();
  await plants.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('devices')
      .values({
        sn: 'MEANWHILE',
        logger_id: logger.id,
        site_id: site.id,
        kind: 'inverter',
        rated_power_w: null,
        capacity_wh: null,
        last_seen_at: new Date(NOW_MS),
        deleted_at: null,
      })
      .execute();
    await world.deliver(batchID, 'sn\nMEANWHILE\n');
  });
  expect(await world.units({ batchID, seen: 'never' })).toHaveLength(1);
  await settleBatch(plants.db, batchID);
  expect(await world.units({ batchID, seen: 'never' })).toEqual([]);
});

test('filters find by batch, kind, manufacturer, days since delivery and a part of either number, in every order', async () => {
  const { manufacturerID } = await world.read(calls.manufacturerAdd, { name: 'Filterwerk' });
  const batchID = await world.batch({ manufacturerID, kind: 'battery', deliveredOn: null });
  await world.deliver(
    batchID,
    'sn;odm-sn;model;firmware;delivered on\nFIL-A;ODM-1;;;2026-06-10\nFIL-B;odm-2;;;01.01.2026\nFIL-C;;;;\n',
  );
  const sns = async (condition: Parameters<FactoryWorld['units']>[0]) =>
    (await world.units(condition)).map(({ sn }) => sn);
  expect(await sns({ manufacturerID })).toEqual(['FIL-A', 'FIL-B', 'FIL-C']);
  expect(await sns({ manufacturerID, kind: 'inverter' })).toEqual([]);
  expect(await sns({ batchID, deliveredDays: 30 })).toEqual(['FIL-B']);
  expect(await sns({ content: 'fil-a' })).toEqual(['FIL-A']);
  expect(await sns({ content: 'ODM-2' })).toEqual(['FIL-B']);
  expect(await sns({ batchID, warranty: 'unknown' })).toHaveLength(3);
  for (const field of ['sn', 'deliveredOn', 'seenMs', 'warrantyUntil'] as const) {
    const ordered = async (order: 'asc' | 'desc') =>
      (await world.read(calls.unitList, { condition: { batchID }, sort: { field, order } })).units.map(({ sn }) => sn);
    expect(await ordered('desc')).toEqual((await ordered('asc')).reverse());
  }
  const file = await plants.fetch(
    calls.exportUnits,
    { condition: { batchID }, columns: ['sn', 'deliveredOn'], sort: { field: 'deliveredOn', order: 'asc' } },
    world.admin,
  );
  expect((await file.text()).trim().split(/\r?\n/).slice(1)).toEqual([
    'FIL-C,',
    'FIL-B,2026-01-01',
    'FIL-A,2026-06-10',
  ]);
});

test('who lacks the code for devices that were not created is told no sight, neither by column nor filter, order or count', async () => {
  const batchID = await world.batch();
  await world.deliver(batchID, 'sn\nBLIND-1\n');
  const codes = new Set([...codesOfLevel(255)].filter((code) => code !== 'device:viewUncreated'));
  const token = plants.signInOf(world.account, world.platform.path, codes);
  const { units } = await plants.read(calls.unitList, { condition: { batchID } }, token);
  expect(units).toMatchObject([{ sn: 'BLIND-1', seen: null, seenMs: null, deviceID: null, firmwareNow: '' }]);
  const refused = { errno: errno.noPermission };
  expect(await plants.call(calls.unitList, { condition: { batchID, seen: 'never' } }, token)).toMatchObject(refused);
  const bySight = { condition: { batchID }, sort: { field: 'seenMs', order: 'asc' } } as const;
  expect(await plants.call(calls.unitList, bySight, token)).toMatchObject(refused);
  const { batches } = await plants.read(calls.batchList, { condition: { batchID } }, token);
  expect(batches).toMatchObject([{ units: 1, seen: null, neverSeen: null, halfSeenDays: null }]);
});

const day = fc.integer({ min: 17_000, max: 21_000 }).map((days) => new Date(days * DAY_MS).toISOString().slice(0, 10));
const known = fc.option(day);

test('the database reckons a warranty as the contract does', async () => {
  const term: fc.Arbitrary<WarrantyTerm> = fc.record({
    months: fc.integer({ min: 1, max: 120 }),
    begins: fc.constantFrom(...warrantyBegins),
    latestMonths: fc.option(fc.integer({ min: 0, max: 24 })),
  });
  const facts: fc.Arbitrary<WarrantyFacts> = fc.record({ deliveredOn: known, seenOn: known, commissioned: known });
  await fc.assert(
    fc.asyncProperty(term, facts, async (of, from) => {
      const { rows } = await sql<{ from: string | null; until: string | null }>`
        select begin::text as "from", (begin + make_interval(months => ${of.months}::integer))::date::text as until
        from warranty_begin(${of.begins}, ${from.deliveredOn}::date, ${from.seenOn}::date, ${from.commissioned}::date,
          ${of.latestMonths}::integer) begin`.execute(plants.db);
      expect(rows[0]).toEqual(warrantyOf(of, from) ?? { from: null, until: null });
    }),
    { numRuns: 300 },
  );
});

test('the nearest term of a model holds, follows its changes and those of the plant, and is told on the device', async () => {
  const model = 'Term-8K';
  const { manufacturerID } = world;
  const batchID = await world.batch({ model, deliveredOn: '2026-01-31' });
  await world.deliver(batchID, 'sn\nTERM-1\n');
  const warranty = async () => {
    const [unit] = await world.units({ batchID });
    return [unit?.warrantyFrom, unit?.warrantyUntil, unit?.warranty];
  };
  expect(await warranty()).toEqual([null, null, 'unknown']);
  const general = { model: 'TERM-8k', months: 1, begins: 'delivery' } as const;
  const { warrantyID } = await world.read(calls.warrantyAdd, general);
  expect(await warranty()).toEqual(['2026-01-31', '2026-02-28', 'over']);
  expect(await world.call(calls.warrantyAdd, { ...general, months: 3 })).toMatchObject({ errno: errno.refusedInput });
  await world.read(calls.warrantyEdit, { ...general, warrantyID, months: 6 });
  expect(await warranty()).toEqual(['2026-01-31', '2026-07-31', 'endsSoon']);
  const ownTerm = { ...general, manufacturerID, months: 24, begins: 'commissioning', latestMonths: 12 } as const;
  const own = await world.read(calls.warrantyAdd, ownTerm);
  expect(await warranty()).toEqual(['2027-01-31', '2029-01-31', 'notBegun']);

  const { site, logger, organisationID, path, owner } = await plant('2026-03-01');
  const device = await plants.addDevice(site.id, logger.id, { sn: 'term-1' });
  expect(await warranty()).toEqual(['2026-03-01', '2028-03-01', 'running']);
  await plants.db.updateTable('sites').set({ commissioned_on: '2026-04-30' }).where('id', '=', site.id).execute();
  expect(await warranty()).toEqual(['2026-04-30', '2028-04-30', 'running']);

  const origin = (token: string) => plants.call(calls.originOfDevice, { deviceID: device.id }, token);
  const told = { from: '2026-04-30', until: '2028-04-30', state: 'running' };
  expect((await origin(world.admin)).result).toMatchObject({
    warranty: told,
    unit: { batchID, manufacturer: 'Heliowerk' },
  });
  const installer = plants.signInOf(await plants.addAccount(organisationID, 2), path);
  expect((await origin(installer)).result).toEqual({ warranty: told, unit: null });
  expect((await origin(plants.signInOf(owner, path))).result).toEqual({ warranty: told, unit: null });
  const guest = await plants.addAccount(organisationID, 1);
  await plants.db
    .insertInto('site_shares')
    .values({ site_id: site.id, account_id: guest.id, given_by: null, ended_at: null, ended_by_change: null })
    .execute();
  expect((await origin(plants.signInOf(guest, path))).result).toEqual({ warranty: null, unit: null });

  await world.read(calls.warrantyRemove, { warrantyID: own.warrantyID });
  expect(await warranty()).toEqual(['2026-01-31', '2026-07-31', 'endsSoon']);
});

test('a unit that was imported by mistake can be deleted; its device stays', async () => {
  const batchID = await world.batch();
  await world.deliver(batchID, 'sn\nMISTAKE\n');
  const { site, logger } = await plant();
  const device = await plants.addDevice(site.id, logger.id, { sn: 'MISTAKE' });
  await world.read(calls.unitRemove, { sn: 'MISTAKE' });
  expect(await world.units({ batchID })).toEqual([]);
  expect(await world.call(calls.unitRemove, { sn: 'MISTAKE' })).toMatchObject({ errno: errno.deliveredUnitNotFound });
  const { result } = await world.call(calls.originOfDevice, { deviceID: device.id });
  expect(result).toEqual({ warranty: null, unit: null });
});
