import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { expect, test } from 'vitest';
import { ownFactory } from '../testing/factory-fixture.ts';
import { storedRun } from '../testing/stored-run.ts';

const DAY_MS = 86_400_000;
const own = ownFactory();
const dayIn = (days: number): string => new Date(own.nowMs + days * DAY_MS).toISOString().slice(0, 10);
const hearing = (days: number) => ({
  first_seen_at: new Date(own.nowMs + days * DAY_MS),
  last_seen_at: new Date(own.nowMs + days * DAY_MS),
});

const unitOf = async (batchID: string) => (await own.world.units({ batchID }))[0];
const batchOf = async (batchID: string) =>
  (await own.world.read(calls.batchList, { condition: { batchID } })).batches[0];

/** A run that names a unit, whose device is known once it runs. */
const runOf = (sn: string, deviceId: string | null, batchId: string | null = null): Promise<string> =>
  storedRun(own.plants.db, [{ sn, deviceId }], { batchId, atMs: own.nowMs });

const told = (id: string, days: number) =>
  own.plants.db
    .updateTable('devices')
    .set({ last_seen_at: new Date(own.nowMs + days * DAY_MS) })
    .where('id', '=', id)
    .execute();

async function place() {
  const { installerId } = await own.plants.addInstaller();
  const site = await own.plants.addSite(installerId);
  return { site, logger: await own.plants.addDatalogger(site.id) };
}

test('a unit that stands on a rack of the factory is not heard of, and what is delivered tomorrow is not missing', async () => {
  const batchID = await own.world.batch({ deliveredOn: dayIn(1) });
  await own.world.deliver(batchID, 'sn\nRACK-1\nRACK-2\n');
  const rack = await own.plants.addDatalogger(null);
  await runOf('RACK-1', null);
  await own.plants.addDevice(null, rack.id, { sn: 'RACK-1', ...hearing(0) });
  expect((await own.world.units({ batchID })).map(({ seen }) => seen)).toEqual(['undelivered', 'undelivered']);
  expect(await own.world.units({ batchID, seen: 'never' })).toEqual([]);
  expect(await own.world.units({ batchID, seen: 'undelivered' })).toHaveLength(2);
  expect(await batchOf(batchID)).toMatchObject({ units: 2, seen: 0, neverSeen: 0, halfSeenDays: null });
});

test('what was heard before a run was planned counts as little; the device of the customer, which is another one, counts', async () => {
  const batchID = await own.world.batch({ deliveredOn: null });
  await own.world.deliver(batchID, 'sn\nRACK-3\n');
  const rack = await own.plants.addDatalogger(null);
  const onRack = await own.plants.addDevice(null, rack.id, { sn: 'RACK-3', ...hearing(-9) });
  expect(await unitOf(batchID)).toMatchObject({ seen: 'seen' });
  const runId = await runOf('RACK-3', onRack.id);
  expect(await unitOf(batchID)).toMatchObject({ seen: 'never', seenMs: null });
  await own.plants.db
    .updateTable('burn_in_runs')
    .set({ state: 'aborted', started_at: new Date(), ended_at: new Date() })
    .where('id', '=', runId)
    .execute();
  await told(onRack.id, -1);
  expect(await unitOf(batchID)).toMatchObject({ seen: 'never' });
  await own.plants.db
    .updateTable('devices')
    .set({ sn: 'RACK-3-0001', told_sn: 'RACK-3' })
    .where('id', '=', onRack.id)
    .execute();
  const { site, logger } = await place();
  const device = await own.plants.addDevice(site.id, logger.id, { sn: 'RACK-3', ...hearing(-2) });
  expect(await unitOf(batchID)).toMatchObject({ seenMs: own.nowMs - 2 * DAY_MS, deviceID: device.id });
});

test('a unit is heard of from its day of delivery on, also where it was heard before', async () => {
  const batchID = await own.world.batch({ deliveredOn: dayIn(-5) });
  await own.world.deliver(batchID, 'sn\nEARLY-1\n');
  const { site, logger } = await place();
  const { id } = await own.plants.addDevice(site.id, logger.id, { sn: 'EARLY-1', ...hearing(-9) });
  expect(await unitOf(batchID)).toMatchObject({ seen: 'never', seenMs: null });
  await told(id, -3);
  expect(await unitOf(batchID)).toMatchObject({ seenMs: own.nowMs - 3 * DAY_MS });
  await told(id, -1);
  expect(await unitOf(batchID)).toMatchObject({ seenMs: own.nowMs - 3 * DAY_MS });
});

test('a warranty that begins when a unit is heard does not begin on the rack', async () => {
  const model = 'Rack-8K';
  const batchID = await own.world.batch({ model, deliveredOn: dayIn(-30) });
  await own.world.read(calls.warrantyAdd, { model, months: 12, begins: 'firstSeen' });
  const rack = await own.plants.addDatalogger(null);
  await runOf('RACK-4', null);
  await own.plants.addDevice(null, rack.id, { sn: 'RACK-4', ...hearing(-20) });
  await own.world.deliver(batchID, 'sn\nRACK-4\n');
  expect(await unitOf(batchID)).toMatchObject({ seen: 'never', warrantyFrom: null, warranty: 'unknown' });
});

test('a batch that burn-in runs name stays, and says how many they are', async () => {
  const batchID = await own.world.batch();
  const [one] = [await runOf('NAMED-1', null, batchID), await runOf('NAMED-2', null, batchID)];
  expect(await batchOf(batchID)).toMatchObject({ runs: 2 });
  const remove = () => own.world.call(calls.batchRemove, { batchID, units: 0 });
  expect(await remove()).toMatchObject({ errno: 42_561, result: { runs: 2 } });
  expect((await remove()).msg).toContain('(2)');
  await expect(own.plants.db.deleteFrom('device_batches').where('id', '=', batchID).execute()).rejects.toThrow(
    'burn_in_runs_batch_id_fkey',
  );
  await own.plants.db.deleteFrom('burn_in_runs').where('batch_id', '=', batchID).execute();
  expect(one).toBeDefined();
  expect(await remove()).toMatchObject({ errno: 0 });
});
