import { errno } from '@sonnenwarte/contract/errors';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { expect, test } from 'vitest';
import { ownFactory } from '../testing/factory-fixture.ts';

const DAY_MS = 86_400_000;
const own = ownFactory();
const NOW_MS = own.nowMs;

const batchOf = async (batchID: string) =>
  (await own.world.read(calls.batchList, { condition: { batchID } })).batches[0];

const actions = async (recordId: string) =>
  (
    await own.plants.db
      .selectFrom('audit_log')
      .select('action')
      .where('record_id', '=', recordId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

test('a batch tells how many of its units were seen, in how many days half of them were, and how many have an alarm now', async () => {
  const batchID = await own.world.batch({ deliveredOn: '2026-05-01' });
  await own.world.deliver(batchID, 'sn\nC-1\nC-2\nC-3\nC-4\n');
  expect(await batchOf(batchID)).toMatchObject({ units: 4, seen: 0, neverSeen: 4, halfSeenDays: null, troubled: 0 });
  const { installerId } = await own.plants.addInstaller();
  const site = await own.plants.addSite(installerId);
  const logger = await own.plants.addDatalogger(site.id);
  const first = Date.UTC(2026, 4, 11);
  for (const [at, sn] of ['C-1', 'C-2', 'C-3'].entries()) {
    const device = await own.plants.addDevice(site.id, logger.id, {
      sn,
      first_seen_at: new Date(first + at * 10 * DAY_MS),
    });
    if (sn === 'C-3') continue;
    // Two alarms of one device are one device; a note of level 1 is none.
    for (const [code, level] of [
      [1001, 3],
      [1002, sn === 'C-1' ? 2 : 1],
    ] as const) {
      if (sn === 'C-2' && level > 1) continue;
      await own.plants.db
        .insertInto('alarms')
        .values({
          device_id: device.id,
          logger_id: logger.id,
          site_id: site.id,
          code,
          level,
          since: new Date(NOW_MS),
          until: null,
        })
        .execute();
    }
  }
  expect(await batchOf(batchID)).toMatchObject({ units: 4, seen: 3, neverSeen: 1, halfSeenDays: 20, troubled: 1 });
});

test('units that had what their batch said follow it, others keep what is their own', async () => {
  const batchID = await own.world.batch({ model: 'Old', firmware: '1', deliveredOn: '2026-02-01' });
  await own.world.deliver(batchID, 'sn,odm-sn,model,firmware,delivered on\nF-1,,,,\nF-2,,,2,2026-02-02\n');
  const batch = await batchOf(batchID);
  const { manufacturerID } = own.world;
  const facts = { manufacturerID, number: batch?.number ?? '', kind: 'inverter', model: 'New' } as const;
  await own.world.read(calls.batchEdit, { batchID, ...facts, firmware: '3', deliveredOn: '2026-03-01' });
  expect(await own.world.units({ batchID })).toMatchObject([
    { sn: 'F-1', model: 'New', firmware: '3', deliveredOn: '2026-03-01' },
    { sn: 'F-2', model: 'New', firmware: '2', deliveredOn: '2026-02-02' },
  ]);
  const kind = await own.world.call(calls.batchEdit, { batchID, ...facts, kind: 'battery' });
  expect(kind).toMatchObject({ errno: errno.deviceBatchKindFixed });
  expect(await actions(batchID)).toEqual(['factory.addBatch', 'factory.import', 'factory.editBatch']);
});

test('a batch is deleted with as many units as were told, and stays where these have become others', async () => {
  const batchID = await own.world.batch();
  await own.world.deliver(batchID, 'sn\nD-1\nD-2\n');
  expect(await own.world.call(calls.batchRemove, { batchID, units: 1 })).toMatchObject({
    errno: errno.consequencesChanged,
  });
  expect(await own.world.units({ batchID })).toHaveLength(2);
  await own.world.read(calls.batchRemove, { batchID, units: 2 });
  expect(await own.world.units({ batchID })).toEqual([]);
  expect(await own.world.call(calls.batchRemove, { batchID, units: 0 })).toMatchObject({
    errno: errno.deviceBatchNotFound,
  });
  expect((await actions(batchID)).at(-1)).toBe('factory.deleteBatch');
});

test('a manufacturer with batches stays, its name is its own, and a number is its own within a manufacturer', async () => {
  const add = (name: string) => own.world.call(calls.manufacturerAdd, { name });
  const { result } = await add('Zweitwerk');
  const taken = { errno: errno.refusedInput, result: { fields: [{ path: 'name', reason: 'taken' }] } };
  expect(await add('ZWEITWERK')).toMatchObject(taken);
  const { manufacturerID } = result;
  const batchID = await own.world.batch({ manufacturerID, number: 'Z-1' });
  const again = { manufacturerID, number: 'z-1', kind: 'inverter', model: 'HX-8K' } as const;
  expect(await own.world.call(calls.batchAdd, again)).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'number', reason: 'taken' }] },
  });
  await own.world.batch({ number: 'Z-1' });
  const remove = () => own.world.call(calls.manufacturerRemove, { manufacturerID });
  expect(await remove()).toMatchObject({ errno: errno.manufacturerHasBatches });
  await own.world.read(calls.batchRemove, { batchID, units: 0 });
  await own.world.read(calls.manufacturerEdit, {
    manufacturerID,
    name: 'Drittwerk',
    country: 'AT',
    note: 'Since 2026',
  });
  const { manufacturers } = await own.world.read(calls.manufacturerList, { condition: { content: 'drittw' } });
  expect(manufacturers).toMatchObject([{ name: 'Drittwerk', country: 'AT', batches: 0, can: { delete: true } }]);
  expect(await remove()).toMatchObject({ errno: 0 });
  expect(await remove()).toMatchObject({ errno: errno.manufacturerNotFound });
});

test('a batch is not delivered before it is made', async () => {
  const { manufacturerID } = own.world;
  const batch = { manufacturerID, number: 'Early', kind: 'inverter', model: 'HX-8K' } as const;
  expect(
    await own.world.call(calls.batchAdd, { ...batch, madeOn: '2026-02-02', deliveredOn: '2026-02-01' }),
  ).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'deliveredOn' }] },
  });
});
