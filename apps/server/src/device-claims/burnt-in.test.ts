import { beforeAll, describe, expect, test } from 'vitest';
import { bindDevices } from '../burn-in/round.store.ts';
import { toldOf } from '../stores/telemetry-tables.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { freshSn, makeDatalogger, makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { endStoredRun, storedRun } from '../testing/stored-run.ts';
import { giveUpClaimed } from './burnt-in.ts';

const own = ownIngestion();
const db = () => own.stores.db;
const powerOf = (watts: number) => ({ 'AC/ActivePower': watts });

beforeAll(async () => {
  const id = crypto.randomUUID();
  await db()
    .insertInto('organisations')
    .values({ id, kind: 'platform', name: 'Platform', parent_id: null, path: [id] })
    .execute();
});

async function connected(sn: string): Promise<TestEdge> {
  const edge = await TestEdge.connect(own.ingestion.port, sn);
  await edge.birth();
  return edge;
}

async function tells(edge: TestEdge, sns: readonly string[], watts: number): Promise<void> {
  for (const sn of sns) {
    await edge.deviceBirth(sn, 'inverter');
    await edge.data(sn, powerOf(watts));
  }
  await own.ingestion.drain();
}

const deviceOf = (sn: string) =>
  db()
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .selectAll('devices')
    .select('loggers.sn as logger_sn')
    .where('devices.sn', '=', sn)
    .executeTakeFirst();

async function powersOf(key: number): Promise<number[]> {
  const query = `SELECT ${toldOf('inverter', { name: 'AC/ActivePower' })} AS w FROM raw_inverter FINAL WHERE device = ${key} ORDER BY ts`;
  const answer = await own.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ w: number }>()).map(({ w }) => w);
}

/** A run of units that are on a rack, with the devices that they are, in a state. */
async function runOf(sns: readonly string[], state: 'running' | 'finished'): Promise<string> {
  const units = [];
  for (const sn of sns) units.push({ sn, deviceId: (await deviceOf(sn))?.id ?? null });
  return storedRun(db(), units, { state });
}

const claimsOf = (sn: string) => db().selectFrom('device_claims').select('state').where('sn', '=', sn).execute();

/** Units on a rack whose datalogger is online, and that have told of some load. */
async function onRack(count: number) {
  const rackSn = await makeDatalogger(db(), null);
  const rack = await connected(rackSn);
  const sns = Array.from({ length: count }, (_, at) => `HX${rackSn}-${at}`);
  await tells(rack, sns, 5_000);
  return { rack, rackSn, sns };
}

describe('a unit that was burnt in', () => {
  test('arrives at its customer while the rack is online, with a clean history; what the factory recorded stays with the run', async () => {
    const { rack, rackSn, sns } = await onRack(1);
    const [sn = ''] = sns;
    const held = await deviceOf(sn);
    await db()
      .updateTable('devices')
      .set({ opening: { pv: [1, 700_000] } as never })
      .where('id', '=', held?.id ?? '')
      .execute();
    const runId = await runOf(sns, 'finished');
    const { sn: customerSn, siteId } = await makePlant(db());
    const customer = await connected(customerSn);
    await tells(customer, sns, 800);
    const delivered = await deviceOf(sn);
    expect(delivered).toMatchObject({ logger_sn: customerSn, site_id: siteId, deleted_at: null, opening: {} });
    expect(await powersOf(delivered?.key ?? 0)).toEqual([800]);
    const unit = await db()
      .selectFrom('burn_in_units')
      .select('device_id')
      .where('run_id', '=', runId)
      .executeTakeFirst();
    expect(unit?.device_id).toBe(held?.id);
    expect(await powersOf(held?.key ?? 0)).toEqual([5_000]);
    expect(await claimsOf(sn)).toEqual([{ state: 'released' }]);
    const audits = await db()
      .selectFrom('audit_log')
      .select('action')
      .where('record_id', '=', held?.id ?? '')
      .execute();
    expect(audits.map(({ action }) => action)).toContain('device-claims.release');

    // What is told at once after it, by either, goes on where it belongs.
    await tells(customer, sns, 900);
    await tells(rack, sns, 4_000);
    expect(await powersOf(delivered?.key ?? 0)).toEqual([800, 900]);
    expect(await powersOf(held?.key ?? 0)).toEqual([5_000, 4_000]);
    expect(await deviceOf(sn)).toMatchObject({ id: delivered?.id, logger_sn: customerSn });
    expect((await db().selectFrom('devices').select('sn').where('sn', 'like', `${sn}%`).execute()).length).toBe(2);

    // The number is now of a device in a plant: a third one only claims it.
    const stranger = await connected(await makeDatalogger(db(), null));
    await tells(stranger, sns, 1);
    expect(await deviceOf(sn)).toMatchObject({ id: delivered?.id });
    expect((await claimsOf(sn)).map(({ state }) => state).sort()).toEqual(['open', 'released']);
    expect(rackSn).not.toBe(customerSn);
    for (const edge of [rack, customer, stranger]) await edge.end();
  });

  test('begins anew also where the rack is silent, and however many come behind one datalogger', async () => {
    const { rack, rackSn, sns } = await onRack(22);
    const held = new Map<string, string>();
    for (const sn of sns) held.set(sn, (await deviceOf(sn))?.id ?? '');
    await runOf(sns, 'finished');
    await rack.breakOff();
    await until(
      async () =>
        !(await db().selectFrom('loggers').select('online').where('sn', '=', rackSn).executeTakeFirstOrThrow()).online,
      'the rack is silent',
    );
    const { sn: customerSn } = await makePlant(db());
    const customer = await connected(customerSn);
    await tells(customer, sns, 800);
    for (const sn of sns) {
      const device = await deviceOf(sn);
      expect(device).toMatchObject({ logger_sn: customerSn });
      expect(device?.id).not.toBe(held.get(sn));
    }
    expect(await powersOf((await deviceOf(sns[21] ?? ''))?.key ?? 0)).toEqual([800]);
    await customer.end();
  });

  test('keeps its number while a run is open, and so does what was never on a rack', async () => {
    const { rack, rackSn, sns } = await onRack(2);
    const [burning = '', plain = ''] = sns;
    const runId = await runOf([burning], 'running');
    const customer = await connected((await makePlant(db())).sn);
    await tells(customer, sns, 800);
    for (const sn of [burning, plain]) {
      expect(await deviceOf(sn)).toMatchObject({ logger_sn: rackSn, site_id: null });
      expect(await claimsOf(sn)).toEqual([{ state: 'open' }]);
    }
    // Once its run is over it goes with the next birth.
    await endStoredRun(db(), runId);
    await tells(customer, sns, 900);
    expect(await deviceOf(burning)).toMatchObject({ logger_sn: customer.sn });
    expect(await deviceOf(plain)).toMatchObject({ logger_sn: rackSn });
    for (const edge of [rack, customer]) await edge.end();
  });

  test('and was claimed while its run was open goes when that is over, where who claims it is there; else with its next birth', async () => {
    const { rack, rackSn, sns } = await onRack(2);
    const [near = '', far = ''] = sns;
    const runId = await runOf(sns, 'running');
    const { sn: nearSn, siteId } = await makePlant(db());
    const customer = await connected(nearSn);
    await tells(customer, [near], 800);
    const { sn: farSn } = await makePlant(db());
    const away = await connected(farSn);
    await tells(away, [far], 800);
    await away.breakOff();
    await until(
      async () =>
        !(await db().selectFrom('loggers').select('online').where('sn', '=', farSn).executeTakeFirstOrThrow()).online,
      'the other customer is silent',
    );
    expect(await giveUpClaimed(db())).toBe(0);
    await endStoredRun(db(), runId);
    expect(await giveUpClaimed(db())).toBe(1);
    const delivered = await deviceOf(near);
    expect(delivered).toMatchObject({ logger_sn: nearSn, site_id: siteId, deleted_at: null });
    expect(await deviceOf(far)).toMatchObject({ logger_sn: rackSn });
    await customer.data(near, powerOf(900));
    await own.ingestion.drain();
    expect(await powersOf(delivered?.key ?? 0)).toEqual([800, 900]);
    const back = await connected(farSn);
    await tells(back, [far], 900);
    expect(await deviceOf(far)).toMatchObject({ logger_sn: farSn });
    for (const edge of [rack, customer, back]) await edge.end();
  });

  test('and returns to a rack where it was before is found there by its run, and its number goes nowhere meanwhile', async () => {
    const { rack, sns } = await onRack(1);
    const [sn = ''] = sns;
    const first = await deviceOf(sn);
    await runOf(sns, 'finished');
    const second = await connected(await makeDatalogger(db(), null));
    await tells(second, sns, 4_000);
    const other = await deviceOf(sn);
    expect(other).toMatchObject({ logger_sn: second.sn });
    await runOf(sns, 'finished');
    await tells(rack, sns, 6_000);
    expect(await powersOf(first?.key ?? 0)).toEqual([5_000, 6_000]);
    const runId = await storedRun(db(), [{ sn, deviceId: null }], { state: 'running' });
    await bindDevices(db(), runId);
    const units = db().selectFrom('burn_in_units').select('device_id').where('run_id', '=', runId);
    expect(await units.execute()).toEqual([{ device_id: first?.id }]);
    // A rack where it is no more changes nothing.
    await second.deviceBirth(sn, 'inverter');
    await own.ingestion.drain();
    const { sn: customerSn } = await makePlant(db());
    const customer = await connected(customerSn);
    await tells(customer, sns, 800);
    expect(await deviceOf(sn)).toMatchObject({ id: other?.id, site_id: null, burn_in: 'open' });
    await endStoredRun(db(), runId);
    expect(await giveUpClaimed(db())).toBe(1);
    expect(await deviceOf(sn)).toMatchObject({ logger_sn: customerSn });
    for (const edge of [rack, second, customer]) await edge.end();
  });

  test('keeps its number in a plant: who names it gains nothing', async () => {
    const { rack, sns } = await onRack(1);
    const [sn = ''] = sns;
    await runOf(sns, 'finished');
    const { siteId } = await makePlant(db());
    await db().updateTable('devices').set({ site_id: siteId }).where('sn', '=', sn).execute();
    const before = await deviceOf(sn);
    const stranger = await connected(await makeDatalogger(db(), null));
    await tells(stranger, sns, 1);
    expect(await deviceOf(sn)).toMatchObject({ id: before?.id, site_id: siteId });
    expect(await claimsOf(sn)).toEqual([{ state: 'open' }]);
    for (const edge of [rack, stranger]) await edge.end();
  });
});

test('a run that names a device which has not come yet marks it when it does, and no more when it is deleted', async () => {
  const logger = await makeDatalogger(db(), null);
  const sn = `hx${freshSn()}`;
  const runId = await runOf([sn.toUpperCase()], 'running');
  const edge = await connected(logger);
  await tells(edge, [sn], 1);
  expect(await deviceOf(sn)).toMatchObject({ burn_in: 'open' });
  await db().deleteFrom('burn_in_runs').where('id', '=', runId).execute();
  expect(await deviceOf(sn)).toMatchObject({ burn_in: null });
  await edge.end();
});
