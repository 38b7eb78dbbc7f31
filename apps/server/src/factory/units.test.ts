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
import { expect, test } from 'vitest';
import { codesOfLevel } from '../access/codes.ts';
import { type FactoryWorld, ownFactory } from '../testing/factory-fixture.ts';
import { settleBatch } from './reckoning.store.ts';

const DAY_MS = 86_400_000;
const own = ownFactory();
const NOW_MS = own.nowMs;

/** A plant of an owner, with a datalogger. */
async function plant(commissionedOn: string | null = null) {
  const { id: organisationID, path } = await own.plants.addOrganisation('installer', own.world.platform.path);
  const owner = await own.plants.addAccount(organisationID, 1);
  const site = await own.plants.addSite(organisationID, {
    owner_account_id: owner.id,
    commissioned_on: commissionedOn,
  });
  const logger = await own.plants.addDatalogger(site.id);
  return { site, logger, organisationID, path, owner };
}

test('a unit is never seen until its device is heard, whatever the case of its number, and has been seen ever after', async () => {
  const batchID = await own.world.batch({ firmware: '1.0' });
  await own.world.deliver(batchID, 'sn\nSight-1\nSight-2\n');
  const { site, logger } = await plant();
  expect(await own.world.units({ batchID, seen: 'never' })).toHaveLength(2);
  const silent = await own.plants.addDevice(site.id, logger.id, {
    sn: 'sight-1',
    last_seen_at: null,
    version_master: '1.1',
  });
  expect(await own.world.units({ batchID, seen: 'seen' })).toEqual([]);
  await own.plants.db
    .updateTable('devices')
    .set({ last_seen_at: new Date(NOW_MS), first_seen_at: new Date(NOW_MS - DAY_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await own.world.units({ batchID, seen: 'seen' })).toMatchObject([
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
  await own.plants.db
    .updateTable('devices')
    .set({ deleted_at: new Date(NOW_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await own.world.units({ batchID, seen: 'seen' })).toMatchObject([{ sn: 'SIGHT-1', deviceID: null }]);
  expect(await own.world.units({ batchID, seen: 'never' })).toMatchObject([{ sn: 'SIGHT-2', seenMs: null }]);
});

test('a datalogger was seen once it was heard, and not when somebody imported its number', async () => {
  const batchID = await own.world.batch({ kind: 'logger', model: 'LX-1' });
  const [silent, heard] = [await own.plants.addDatalogger(null, null), await own.plants.addDatalogger(null)];
  await own.world.deliver(batchID, `sn\n${silent.sn}\n${heard.sn}\n`);
  expect(await own.world.units({ batchID, seen: 'seen' })).toMatchObject([{ sn: heard.sn, deviceID: heard.id }]);
  await own.plants.db
    .updateTable('loggers')
    .set({ last_seen_at: new Date(NOW_MS) })
    .where('id', '=', silent.id)
    .execute();
  expect(await own.world.units({ batchID, seen: 'never' })).toEqual([]);
});

test('a device that is first heard while its number is imported is found afterwards', async () => {
  const batchID = await own.world.batch();
  const { site, logger } = await plant();
  await own.plants.db.transaction().execute(async (tx) => {
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
    await own.world.deliver(batchID, 'sn\nMEANWHILE\n');
  });
  expect(await own.world.units({ batchID, seen: 'never' })).toHaveLength(1);
  await settleBatch(own.plants.db, batchID);
  expect(await own.world.units({ batchID, seen: 'never' })).toEqual([]);
});

test('filters find by batch, kind, manufacturer, days since delivery and a part of either number, in every order', async () => {
  const { manufacturerID } = await own.world.read(calls.manufacturerAdd, { name: 'Filterwerk' });
  const batchID = await own.world.batch({ manufacturerID, kind: 'battery', deliveredOn: null });
  await own.world.deliver(
    batchID,
    'sn;odm-sn;model;firmware;delivered on\nFIL-A;ODM-1;;;2026-06-10\nFIL-B;odm-2;;;01.01.2026\nFIL-C;;;;\n',
  );
  const sns = async (condition: Parameters<FactoryWorld['units']>[0]) =>
    (await own.world.units(condition)).map(({ sn }) => sn);
  expect(await sns({ manufacturerID })).toEqual(['FIL-A', 'FIL-B', 'FIL-C']);
  expect(await sns({ manufacturerID, kind: 'inverter' })).toEqual([]);
  expect(await sns({ batchID, deliveredDays: 30 })).toEqual(['FIL-B']);
  expect(await sns({ content: 'fil-a' })).toEqual(['FIL-A']);
  expect(await sns({ content: 'ODM-2' })).toEqual(['FIL-B']);
  expect(await sns({ batchID, warranty: 'unknown' })).toHaveLength(3);
  for (const field of ['sn', 'deliveredOn', 'seenMs', 'warrantyUntil'] as const) {
    const ordered = async (order: 'asc' | 'desc') =>
      (await own.world.read(calls.unitList, { condition: { batchID }, sort: { field, order } })).units.map(
        ({ sn }) => sn,
      );
    expect(await ordered('desc')).toEqual((await ordered('asc')).reverse());
  }
  const file = await own.plants.fetch(
    calls.exportUnits,
    { condition: { batchID }, columns: ['sn', 'deliveredOn'], sort: { field: 'deliveredOn', order: 'asc' } },
    own.world.admin,
  );
  expect((await file.text()).trim().split(/\r?\n/).slice(1)).toEqual([
    'FIL-C,',
    'FIL-B,2026-01-01',
    'FIL-A,2026-06-10',
  ]);
});

test('who lacks the code for devices that were not created is told no sight, neither by column nor filter, order or count', async () => {
  const batchID = await own.world.batch({ model: 'Blind-8K' });
  await own.world.deliver(batchID, 'sn\nBLIND-1\n');
  const codes = new Set([...codesOfLevel(255)].filter((code) => code !== 'device:viewUncreated'));
  const token = own.plants.signInOf(own.world.account, own.world.platform.path, codes);
  const { units } = await own.plants.read(calls.unitList, { condition: { batchID } }, token);
  expect(units).toMatchObject([{ sn: 'BLIND-1', seen: null, seenMs: null, deviceID: null, firmwareNow: '' }]);
  const refused = { errno: errno.noPermission };
  expect(await own.plants.call(calls.unitList, { condition: { batchID, seen: 'never' } }, token)).toMatchObject(
    refused,
  );
  const bySight = { condition: { batchID }, sort: { field: 'seenMs', order: 'asc' } } as const;
  expect(await own.plants.call(calls.unitList, bySight, token)).toMatchObject(refused);
  // A warranty that begins when a unit is heard, or with its plant, would tell it too.
  const byWarranty = { condition: { batchID }, sort: { field: 'warrantyUntil', order: 'asc' } } as const;
  expect(await own.plants.call(calls.unitList, byWarranty, token)).toMatchObject(refused);
  const unknown = { condition: { batchID, warranty: 'unknown' } } as const;
  expect(await own.plants.call(calls.unitList, unknown, token)).toMatchObject(refused);
  const shown = async () =>
    (await own.plants.read(calls.unitList, { condition: { batchID } }, token)).units.map((unit) => [
      unit.warrantyFrom,
      unit.warrantyUntil,
      unit.warranty,
    ]);
  const term = { model: 'Blind-8K', months: 12, latestMonths: 3 } as const;
  const { warrantyID } = await own.world.read(calls.warrantyAdd, { ...term, begins: 'firstSeen' });
  expect(await shown()).toEqual([[null, null, null]]);
  await own.world.read(calls.warrantyEdit, { ...term, warrantyID, begins: 'delivery' });
  expect(await shown()).toEqual([['2026-01-31', '2027-01-31', 'running']]);
  const { batches } = await own.plants.read(calls.batchList, { condition: { batchID } }, token);
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
          ${of.latestMonths}::integer) begin`.execute(own.plants.db);
      expect(rows[0]).toEqual(warrantyOf(of, from) ?? { from: null, until: null });
    }),
    { numRuns: 300 },
  );
});

test('the nearest term of a model holds, follows its changes, and is told on the device', async () => {
  const model = 'Term-8K';
  const { manufacturerID } = own.world;
  const batchID = await own.world.batch({ model, deliveredOn: '2026-01-31' });
  await own.world.deliver(batchID, 'sn\nTERM-1\n');
  const warranty = async () => {
    const [unit] = await own.world.units({ batchID });
    return [unit?.warrantyFrom, unit?.warrantyUntil, unit?.warranty];
  };
  expect(await warranty()).toEqual([null, null, 'unknown']);
  const general = { model: 'TERM-8k', months: 1, begins: 'delivery' } as const;
  const { warrantyID } = await own.world.read(calls.warrantyAdd, general);
  expect(await warranty()).toEqual(['2026-01-31', '2026-02-28', 'over']);
  expect(await own.world.call(calls.warrantyAdd, { ...general, months: 3 })).toMatchObject({
    errno: errno.refusedInput,
  });
  await own.world.read(calls.warrantyEdit, { ...general, warrantyID, months: 6 });
  expect(await warranty()).toEqual(['2026-01-31', '2026-07-31', 'endsSoon']);
  const ownTerm = { ...general, manufacturerID, months: 24, begins: 'commissioning', latestMonths: 12 } as const;
  const ownKept = await own.world.read(calls.warrantyAdd, ownTerm);
  expect(await warranty()).toEqual(['2027-01-31', '2029-01-31', 'notBegun']);

  const { site, logger, organisationID, path, owner } = await plant('2026-03-01');
  const device = await own.plants.addDevice(site.id, logger.id, { sn: 'term-1' });
  expect(await warranty()).toEqual(['2026-03-01', '2028-03-01', 'running']);

  const origin = (token: string) => own.plants.call(calls.originOfDevice, { deviceID: device.id }, token);
  const told = { from: '2026-03-01', until: '2028-03-01', state: 'running' };
  expect((await origin(own.world.admin)).result).toMatchObject({
    warranty: told,
    unit: { batchID, manufacturer: 'Heliowerk' },
  });
  const installer = own.plants.signInOf(await own.plants.addAccount(organisationID, 2), path);
  expect((await origin(installer)).result).toEqual({ warranty: told, unit: null });
  expect((await origin(own.plants.signInOf(owner, path))).result).toEqual({ warranty: told, unit: null });
  const guest = await own.plants.addAccount(organisationID, 1);
  await own.plants.db
    .insertInto('site_shares')
    .values({ site_id: site.id, account_id: guest.id, given_by: null, ended_at: null, ended_by_change: null })
    .execute();
  expect((await origin(own.plants.signInOf(guest, path))).result).toEqual({ warranty: null, unit: null });

  await own.world.read(calls.warrantyRemove, { warrantyID: ownKept.warrantyID });
  expect(await warranty()).toEqual(['2026-01-31', '2026-07-31', 'endsSoon']);
});

test('a unit that was imported by mistake can be deleted; its device stays', async () => {
  const batchID = await own.world.batch();
  await own.world.deliver(batchID, 'sn\nMISTAKE\n');
  const { site, logger } = await plant();
  const device = await own.plants.addDevice(site.id, logger.id, { sn: 'MISTAKE' });
  await own.world.read(calls.unitRemove, { sn: 'MISTAKE' });
  expect(await own.world.units({ batchID })).toEqual([]);
  expect(await own.world.call(calls.unitRemove, { sn: 'MISTAKE' })).toMatchObject({
    errno: errno.deliveredUnitNotFound,
  });
  const { result } = await own.world.call(calls.originOfDevice, { deviceID: device.id });
  expect(result).toEqual({ warranty: null, unit: null });
});
