import { add, checkModules } from '@sonnenwarte/contract/site-form/site-form';
import { list, live } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { spareDataloggers } from '../demo/spare-dataloggers.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { until } from '../testing/edge.ts';
import { freshSn } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';
import { plantInput } from '../testing/plant-form.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const KEY = 'a-provisioning-key-of-the-installer';

let portal: TestPortal;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('installer');
  await portal.server.stores.db
    .insertInto('provisioning_keys')
    .values({ key_hash: hashToken(KEY), organisation_id: demoOrganisationId('installer'), revoked_at: null })
    .execute();
});
afterAll(() => portal?.stop());

const reading = (device: string, powerW: number) => ({
  ts: Date.now(),
  dev: device,
  kind: 'inverter',
  v: { 'AC/ActivePower': powerW, 'DC/Power': powerW, 'Energy/PvTotal': 100 },
});

test('a datalogger that waits in quarantine is let in by linking it, with its devices, without connecting anew', async () => {
  const sn = freshSn();
  const datalogger = await until(
    () => JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn, { password: KEY }).catch(() => undefined),
    'a connection with the provisioning key',
  );
  await datalogger.tell(reading(`INV-${sn}`, 1_000));
  await portal.server.ingestion.drain();
  const checked = await portal.call(checkModules, { modules: [{ sn }] }, { token });
  expect(checked.result.modules).toMatchObject([{ state: 'ready', devices: [{ sn: `INV-${sn}`, kind: 'inverter' }] }]);
  const { result } = await portal.call(add, { ...plantInput, modules: [{ sn }] }, { token });
  const pvOf = async () => (await portal.call(live, { stationID: result.stationID }, { token })).result.pv?.powerW;
  await until(async () => {
    await datalogger.tell(reading(`INV-${sn}`, 2_000));
    await portal.server.ingestion.drain();
    return (await pvOf()) === 2_000;
  }, 'the power of the linked plant');
  await datalogger.end();
});

test('a spare datalogger of the demonstration signs in and waits; linked by number and key, its plant is live', async () => {
  const { sn, key = '' } = spareDataloggers[0] ?? { sn: '' };
  const { db } = portal.server.stores;
  const seeded = await db
    .selectFrom('loggers')
    .select(['token_hash', 'quarantined', 'site_id'])
    .where('sn', '=', sn)
    .executeTakeFirst();
  expect(seeded).toMatchObject({ token_hash: expect.anything(), quarantined: true, site_id: null });
  // Nobody but the simulator knows its password.
  await db
    .updateTable('loggers')
    .set({ token_hash: hashToken(sn) })
    .where('sn', '=', sn)
    .execute();
  const datalogger = await until(
    () => JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn, { password: sn }).catch(() => undefined),
    'a connection of the spare datalogger',
  );
  await datalogger.tell(reading(`INV-${sn}`, 1_000));
  await portal.server.ingestion.drain();
  const owner = await portal.sessionOf('owner');
  const { result: before } = await portal.call(list, { pageSize: 50 }, { token: owner });
  expect(before.total).toBe(2);
  const { result } = await portal.call(add, { ...plantInput, modules: [{ sn, key }] }, { token });
  await until(async () => {
    await datalogger.tell(reading(`INV-${sn}`, 2_000));
    await portal.server.ingestion.drain();
    const found = await portal.call(live, { stationID: result.stationID }, { token });
    return found.result.pv?.powerW === 2_000;
  }, 'the power of the linked plant');
  await datalogger.end();
});

test('the demonstration has dataloggers to be linked, some by their key and some that its installer imported', async () => {
  const modules = spareDataloggers.slice(1).map(({ sn, key = '' }) => ({ sn, key }));
  const { result } = await portal.call(checkModules, { modules }, { token });
  expect(result.modules.map(({ state }) => state)).toEqual(modules.map(() => 'ready'));
  const strangers = await portal.call(
    checkModules,
    { modules: modules.map(({ sn }) => ({ sn })) },
    { token: await portal.sessionOf('owner') },
  );
  expect(strangers.result.modules.map(({ state }) => state)).toEqual(modules.map(() => 'keyNeeded'));
});
