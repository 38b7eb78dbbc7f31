import { siteDeletionEndpoints } from '@sonnenwarte/contract/site-deletions/site-deletions';
import { add } from '@sonnenwarte/contract/site-form/site-form';
import { live } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
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

test('ingestion lets go of a deleted plant while its datalogger goes on, and takes it up again when it is given back', async () => {
  const sn = freshSn();
  const datalogger = await until(
    () => JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn, { password: KEY }).catch(() => undefined),
    'a connection with the provisioning key',
  );
  const tell = async (powerW: number) => {
    const v = { 'AC/ActivePower': powerW, 'DC/Power': powerW, 'Energy/PvTotal': 100 };
    await datalogger.tell({ ts: Date.now(), dev: `INV-${sn}`, kind: 'inverter', v });
    await portal.server.ingestion.drain();
  };
  await tell(500);
  const made = await portal.call(add, { ...plantInput, modules: [{ sn }] }, { token });
  const { stationID } = made.result;
  const { db } = portal.server.stores;
  const powerOf = async () =>
    (await db.selectFrom('site_latest').select('pv_w').where('site_id', '=', stationID).executeTakeFirst())?.pv_w;
  const shows = (powerW: number) =>
    until(async () => {
      await tell(powerW);
      return (await powerOf()) === powerW;
    }, `${powerW} W of the plant`);
  await shows(1_000);

  const { devices, dataloggers } = (
    await portal.call(siteDeletionEndpoints.preview, { stationIDs: [stationID] }, { token })
  ).result;
  const removed = await portal.call(
    siteDeletionEndpoints.remove,
    { stationIDs: [stationID], expected: { devices, dataloggers } },
    { token },
  );
  expect(removed.errno).toBe(0);
  // Ingestion has read of it once a plant that was made later is live.
  const laterSn = freshSn();
  const other = await until(
    () => JsonDatalogger.connect(portal.server.mqttPort ?? 0, laterSn, { password: KEY }).catch(() => undefined),
    'a second connection',
  );
  const reading = { 'AC/ActivePower': 7, 'DC/Power': 7, 'Energy/PvTotal': 1 };
  const tellOther = async () => {
    await other.tell({ ts: Date.now(), dev: `INV-${laterSn}`, kind: 'inverter', v: reading });
    await portal.server.ingestion.drain();
  };
  await tellOther();
  const later = await portal.call(add, { ...plantInput, modules: [{ sn: laterSn }] }, { token });
  await until(async () => {
    await tellOther();
    return (await portal.call(live, { stationID: later.result.stationID }, { token })).result.pv?.powerW === 7;
  }, 'the plant that was made later');
  await until(async () => (await powerOf()) === null, 'a plant without powers');
  await tell(2_000);
  await tell(3_000);
  expect(await powerOf()).toBeNull();

  const undone = await portal.call(siteDeletionEndpoints.undo, { deletionID: removed.result.deletionID }, { token });
  expect(undone.errno).toBe(0);
  await shows(4_000);
  expect((await portal.call(live, { stationID }, { token })).result.pv?.powerW).toBe(4_000);
  await Promise.all([datalogger.end(), other.end()]);
});
