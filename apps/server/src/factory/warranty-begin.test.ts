import { errno } from '@sonnenwarte/contract/errors';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { expect, test } from 'vitest';
import { ownFactory } from '../testing/factory-fixture.ts';

const own = ownFactory();
let made = 0;

/** A unit of a model whose warranty begins with the commissioning of its plant, without bound. */
async function unitOf(commissionedOn: string) {
  made += 1;
  const [model, sn] = [`Begin-${made}`, `BEGIN-${made}`];
  const term = { model, months: 24, begins: 'commissioning' } as const;
  const { warrantyID } = await own.world.read(calls.warrantyAdd, term);
  const batchID = await own.world.batch({ model, deliveredOn: '2024-01-31' });
  await own.world.deliver(batchID, `sn\n${sn}\n`);
  const { installerId } = await own.plants.addInstaller();
  const addSite = (day: string) => own.plants.addSite(installerId, { commissioned_on: day });
  const site = await addSite(commissionedOn);
  const logger = await own.plants.addDatalogger(site.id);
  const device = await own.plants.addDevice(site.id, logger.id, { sn, first_seen_at: new Date('2024-03-03') });
  const setDevice = (facts: { site_id?: string; deleted_at?: Date }) =>
    own.plants.db.updateTable('devices').set(facts).where('id', '=', device.id).execute();
  const commission = (siteId: string, day: string) =>
    own.plants.db.updateTable('sites').set({ commissioned_on: day }).where('id', '=', siteId).execute();
  const warranty = async () => {
    const [unit] = await own.world.units({ batchID });
    return [unit?.warrantyFrom, unit?.warranty, unit?.warrantySet];
  };
  return { sn, term, warrantyID, batchID, addSite, site, setDevice, commission, warranty };
}

test('a warranty that is over stays so when the day of its plant is moved, its device comes to a younger plant, or is deleted', async () => {
  const { term, warrantyID, site, addSite, setDevice, commission, warranty } = await unitOf('2024-03-01');
  const over = ['2024-03-01', 'over', false];
  expect(await warranty()).toEqual(over);
  await commission(site.id, '2026-06-01');
  expect(await warranty()).toEqual(over);
  await setDevice({ site_id: (await addSite('2026-05-01')).id });
  expect(await warranty()).toEqual(over);
  await setDevice({ deleted_at: new Date() });
  await own.world.read(calls.warrantyEdit, { ...term, warrantyID, months: 25 });
  expect(await warranty()).toEqual(over);
  // What the platform says of the term is reckoned anew, with what is known.
  await own.world.read(calls.warrantyEdit, { ...term, warrantyID, months: 60 });
  expect(await warranty()).toEqual(['2024-03-01', 'running', false]);
  await own.world.read(calls.warrantyEdit, { ...term, warrantyID, begins: 'delivery' });
  expect(await warranty()).toEqual(['2024-01-31', 'over', false]);
});

test('an earlier day of the plant in which it came into use is taken, one of another plant is not', async () => {
  const { site, addSite, setDevice, commission, warranty } = await unitOf('2026-05-01');
  await commission(site.id, '2026-04-01');
  expect(await warranty()).toEqual(['2026-04-01', 'running', false]);
  await setDevice({ site_id: (await addSite('2024-02-01')).id });
  expect(await warranty()).toEqual(['2026-04-01', 'running', false]);
});

test('an administrator sets the first day, not before delivery nor further ahead than is planned, and leaves it to the term again; both audited', async () => {
  const { sn, warranty } = await unitOf('2024-03-01');
  const set = (beginsOn: string | null) => own.world.call(calls.unitWarranty, { sn, beginsOn });
  const refused = { errno: errno.refusedInput, result: { fields: [{ path: 'beginsOn' }] } };
  expect(await set('2024-01-30')).toMatchObject(refused);
  expect(await set('2027-06-18')).toMatchObject(refused);
  expect(await set('2025-07-01')).toMatchObject({ errno: 0 });
  expect(await warranty()).toEqual(['2025-07-01', 'running', true]);
  expect(await set(null)).toMatchObject({ errno: 0 });
  expect(await warranty()).toEqual(['2024-03-01', 'over', false]);
  expect(await own.world.call(calls.unitWarranty, { sn: 'NONE', beginsOn: null })).toMatchObject({
    errno: errno.deliveredUnitNotFound,
  });
  const audits = await own.plants.db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('record_id', '=', sn)
    .orderBy('id')
    .execute();
  expect(audits).toEqual([
    { action: 'factory.setWarrantyBegin', after: { beginsOn: '2025-07-01' } },
    { action: 'factory.setWarrantyBegin', after: { beginsOn: null } },
  ]);
});

test('without a term nothing begins', async () => {
  const batchID = await own.world.batch({ model: 'Termless' });
  await own.world.deliver(batchID, 'sn\nTERMLESS-1\n');
  const { installerId } = await own.plants.addInstaller();
  const site = await own.plants.addSite(installerId);
  await own.plants.addDevice(site.id, (await own.plants.addDatalogger(site.id)).id, { sn: 'TERMLESS-1' });
  expect(await own.world.units({ batchID })).toMatchObject([
    { seen: 'seen', warrantyFrom: null, warrantyUntil: null, warranty: 'unknown' },
  ]);
});

test('a delivery is planned at most twelve months ahead, in a batch as in a file', async () => {
  const { manufacturerID } = own.world;
  const batch = { manufacturerID, number: 'Planned', kind: 'inverter', model: 'HX-8K' } as const;
  const refused = { errno: errno.refusedInput, result: { fields: [{ path: 'deliveredOn' }] } };
  expect(await own.world.call(calls.batchAdd, { ...batch, deliveredOn: '2027-06-18' })).toMatchObject(refused);
  const { batchID } = await own.world.read(calls.batchAdd, { ...batch, deliveredOn: '2027-06-17' });
  const { result } = await own.world.check(batchID, 'sn,day\nPLAN-1,2027-06-17\nPLAN-2,2027-06-18\n');
  expect(result).toMatchObject({ fresh: 1, problems: [{ line: 3, problem: 'dayInFuture' }] });
});
