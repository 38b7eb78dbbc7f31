import { auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import { type ClaimDecision, deviceClaimEndpoints } from '@sonnenwarte/contract/device-claims/device-claims';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { toldOf } from '../stores/telemetry-tables.ts';
import { until } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { list, decide } = deviceClaimEndpoints;
const MINUTE_MS = 60_000;
/** Places in the demonstration: a plant that the owner, the installer and all above see, and one that only the platform does. */
const HOLDER = 0;
const CLAIMANT = 10;

let portal: TestPortal;
let sites: { id: string; key: number }[];
let dataloggers: Map<string, string>;
let holder: JsonDatalogger;
let claimant: JsonDatalogger;
let sn: string;
let made = 0;

const db = () => portal.server.stores.db;
const siteOf = (place: number) => sites[place] as { id: string; key: number };

beforeAll(async () => {
  portal = await startTestPortal();
  sites = await db().selectFrom('sites').select(['id', 'key']).orderBy('key').execute();
  const rows = await db().selectFrom('loggers').select(['sn', 'site_id']).execute();
  dataloggers = new Map(rows.flatMap(({ sn: of, site_id }) => (site_id === null ? [] : [[site_id, of]])));
  await db()
    .updateTable('loggers')
    .set({ token_hash: hashToken(TEST_PASSWORD) })
    .execute();
  await db().updateTable('accounts').set({ email_confirmed_at: new Date() }).where('username', '=', 'owner').execute();
});
afterAll(() => portal?.stop());

const connect = async (place: number): Promise<JsonDatalogger> =>
  JsonDatalogger.connect(portal.server.mqttPort ?? 0, dataloggers.get(siteOf(place).id) ?? '');

const reading = (minutesAgo: number, totalKwh: number, powerW: number) => ({
  ts: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - minutesAgo * MINUTE_MS,
  dev: sn,
  kind: 'inverter',
  v: { 'AC/ActivePower': powerW, 'DC/Power': powerW, 'Energy/PvTotal': totalKwh },
});

beforeEach(async () => {
  made += 1;
  sn = `INV-${made}`;
  holder = await connect(HOLDER);
  claimant = await connect(CLAIMANT);
  await holder.tell([reading(30, 100, 1_000), reading(20, 100.2, 1_001), reading(10, 100.4, 1_002)]);
  await portal.server.ingestion.drain();
  await claimant.tell([reading(30, 700, 2_000), reading(20, 700.4, 2_001), reading(10, 700.8, 2_002)]);
  await portal.server.ingestion.drain();
  return async () => {
    await holder.end();
    await claimant.end();
  };
});

const devicesOf = (place: number) =>
  db()
    .selectFrom('devices')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .select(['devices.id', 'devices.key', 'devices.sn', 'device_latest.power_w'])
    .where('devices.site_id', '=', siteOf(place).id)
    .where('devices.deleted_at', 'is', null)
    .where('devices.sn', 'like', `${sn}%`)
    .execute();

async function rawPowers(key: number): Promise<number[]> {
  const query = `SELECT ${toldOf('inverter', { name: 'AC/ActivePower' })} AS w FROM raw_inverter FINAL WHERE device = ${key} ORDER BY ts`;
  const answer = await portal.server.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ w: number }>()).map(({ w }) => w);
}

async function energyOf(key: number): Promise<number> {
  const query = `SELECT sumIf(pv_wh, NOT isNaN(pv_wh)) AS pv FROM site_day FINAL WHERE site = ${key}`;
  const answer = await portal.server.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ pv: number }>())[0]?.pv ?? 0;
}

const claimsOf = async (user: string, stationID?: string) => {
  const token = await portal.sessionOf(user);
  const answer = await portal.call(list, stationID === undefined ? {} : { stationID }, { token });
  return answer.errno === 0 ? answer.result.claims.filter(({ deviceSN }) => deviceSN === sn) : answer.errno;
};
const claimId = async () =>
  (await db().selectFrom('device_claims').select('id').where('sn', '=', sn).executeTakeFirstOrThrow()).id;
const decided = async (user: string, decision: ClaimDecision) =>
  (await portal.call(decide, { id: await claimId(), decision }, { token: await portal.sessionOf(user) })).errno;

/** Tells once more on both sides until ingestion has heard of the decision. */
const untilKnown = (look: () => Promise<boolean>) =>
  until(async () => {
    await claimant.tell(reading(0, 701.2, 2_003));
    await holder.tell(reading(0, 100.6, 1_003));
    await portal.server.ingestion.drain();
    return look();
  }, 'the decision');

describe('before anybody decides', () => {
  test('the holder goes on, the claimant’s samples are acknowledged and stored apart, in no plant and in no list', async () => {
    expect(await devicesOf(HOLDER)).toMatchObject([{ sn, power_w: 1_002 }]);
    expect(await devicesOf(CLAIMANT)).toEqual([]);
    const apart = await db().selectFrom('devices').selectAll().where('told_sn', '=', sn).executeTakeFirstOrThrow();
    expect(apart).toMatchObject({ site_id: null, deleted_at: expect.any(Date) });
    expect(await rawPowers(apart.key)).toEqual([2_000, 2_001, 2_002]);
    const [device] = await devicesOf(HOLDER);
    expect(await rawPowers(device?.key ?? 0)).toEqual([1_000, 1_001, 1_002]);
    const { result } = await portal.call(
      siteEndpoints.devices,
      { stationID: siteOf(CLAIMANT).id },
      { token: await portal.sessionOf('admin') },
    );
    expect(result.devices.filter(({ deviceSN }) => deviceSN.startsWith(sn))).toEqual([]);
  });

  test('both sides and the platform see it, of the other side no more than the end of its logger; a stranger sees nothing', async () => {
    const [holderSn = '', claimantSn = ''] = [HOLDER, CLAIMANT].map((place) => dataloggers.get(siteOf(place).id));
    const own = { stationID: siteOf(HOLDER).id, moduleSN: holderSn };
    expect(await claimsOf('owner')).toMatchObject([
      {
        state: 'open',
        holder: own,
        claimant: { stationID: null, plantName: null, moduleSN: `…${claimantSn.slice(-4)}` },
        can: { keep: true, release: true, separate: true },
      },
    ]);
    expect(await claimsOf('admin')).toMatchObject([
      { holder: own, claimant: { stationID: siteOf(CLAIMANT).id, moduleSN: claimantSn } },
    ]);
    expect(await claimsOf('admin', siteOf(CLAIMANT).id)).toHaveLength(1);
    expect(await claimsOf('owner', siteOf(CLAIMANT).id)).toBe(errno.siteNotFound);
    // The owner's own side is now that of the claimant.
    await db()
      .updateTable('device_claims')
      .set((eb) => ({ holder_id: eb.ref('claimant_id') }))
      .where('sn', '=', sn)
      .execute();
    expect(await claimsOf('owner')).toEqual([]);
    expect(await decided('owner', 'release')).toBe(errno.claimNotFound);
  });

  test('those who are responsible for the plants are told', async () => {
    const owner = await db().selectFrom('accounts').select('email').where('username', '=', 'owner').executeTakeFirst();
    const told = () =>
      db()
        .selectFrom('mails')
        .select('subject')
        .where('recipient', '=', owner?.email ?? '')
        .where('subject', 'in', ['Serial number claimed twice', 'Seriennummer zweimal beansprucht'])
        .execute();
    const before = (await until(async () => (await told()).length, 'a mail of the claim')) ?? 0;
    expect(before).toBeGreaterThan(0);
  });
});

describe('the one that has the number decides, or the platform', () => {
  test('a claimant cannot decide; keeping refuses it from then on, by name, and the platform can still overrule', async () => {
    const other = `R-${sn}`;
    await claimant.tell({ ...reading(10, 5, 50), dev: other });
    await portal.server.ingestion.drain();
    await holder.tell({ ...reading(10, 6, 60), dev: other });
    await portal.server.ingestion.drain();
    const { id } = await db()
      .selectFrom('device_claims')
      .select('id')
      .where('sn', '=', other)
      .executeTakeFirstOrThrow();
    const owner = await portal.sessionOf('owner');
    expect((await portal.call(decide, { id, decision: 'release' }, { token: owner })).errno).toBe(errno.noPermission);

    expect(await decided('owner', 'keep')).toBe(0);
    expect(await claimsOf('owner')).toEqual([]);
    expect(await claimsOf('admin')).toMatchObject([{ state: 'kept', can: { keep: false, release: true } }]);
    expect(await decided('admin', 'release')).toBe(0);
    expect(await claimsOf('admin')).toEqual([]);
    await untilKnown(async () => (await devicesOf(CLAIMANT))[0]?.power_w === 2_003);
    expect(await devicesOf(CLAIMANT)).toMatchObject([{ sn }]);
  });

  test('released, the number goes over with all that was told since; what the holder recorded stays in its plant', async () => {
    const [before] = await devicesOf(HOLDER);
    const [atHolder, atClaimant] = [await energyOf(siteOf(HOLDER).key), await energyOf(siteOf(CLAIMANT).key)];
    expect(await decided('owner', 'release')).toBe(0);
    await untilKnown(async () => (await devicesOf(CLAIMANT))[0]?.power_w === 2_003);
    const [given] = await devicesOf(CLAIMANT);
    const [kept] = await devicesOf(HOLDER);
    expect(given?.sn).toBe(sn);
    expect(kept).toMatchObject({ id: before?.id, key: before?.key, power_w: 1_003 });
    expect(kept?.sn).toMatch(new RegExp(`^${sn}-\\d{4,}$`));
    expect(await rawPowers(given?.key ?? 0)).toEqual([2_000, 2_001, 2_002, 2_003]);
    expect(await rawPowers(kept?.key ?? 0)).toEqual([1_000, 1_001, 1_002, 1_003]);
    await until(async () => {
      await portal.server.ingestion.drain();
      return (await energyOf(siteOf(CLAIMANT).key)) - atClaimant > 790;
    }, 'the energy that was told before the decision');
    expect((await energyOf(siteOf(HOLDER).key)) - atHolder).toBeCloseTo(200, 0);
  });

  test('separate, both plants have their device, and both go on', async () => {
    expect(await decided('installer', 'separate')).toBe(0);
    await untilKnown(async () => (await devicesOf(CLAIMANT))[0]?.power_w === 2_003);
    expect(await devicesOf(HOLDER)).toMatchObject([{ sn, power_w: 1_003 }]);
    const [own] = await devicesOf(CLAIMANT);
    expect(own?.sn).toMatch(new RegExp(`^${sn}-\\d{4,}$`));
    expect(await rawPowers(own?.key ?? 0)).toEqual([2_000, 2_001, 2_002, 2_003]);
    expect(await decided('admin', 'keep')).toBe(errno.claimNotFound);
  });

  test('separate finds a number of its own also where the claimant has taken all that end as its logger does', async () => {
    const { logger_id, sn: dataloggerSn } = await db()
      .selectFrom('device_claims')
      .innerJoin('devices', 'devices.id', 'device_claims.claimant_id')
      .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
      .select(['devices.logger_id', 'loggers.sn'])
      .where('device_claims.sn', '=', sn)
      .executeTakeFirstOrThrow();
    for (let digits = 4; digits <= dataloggerSn.length; digits += 1) {
      const end = `-${dataloggerSn.slice(-digits)}`;
      const taken = `${sn.slice(0, 32 - end.length)}${end}`;
      await db().insertInto('devices').values({ sn: taken, logger_id, kind: 'inverter' }).execute();
    }
    expect(await decided('installer', 'separate')).toBe(0);
  });

  test('each decision stands in the log of both organisations', async () => {
    expect(await decided('owner', 'separate')).toBe(0);
    const { result } = await portal.call(
      auditEndpoints.operationLog,
      { condition: { content: sn, contentType: 2 } },
      { token: await portal.sessionOf('admin') },
    );
    const entries = result.entries.filter(({ action }) => action === 'device-claims.separate');
    expect(entries.length).toBeGreaterThanOrEqual(1);
    expect(entries[0]).toMatchObject({ actor: 'owner', recordKind: 'device', recordName: sn });
  });
});

test('where the device that had the number is gone, the claimant’s takes its place', async () => {
  await db().deleteFrom('devices').where('sn', '=', sn).execute();
  await until(async () => (await devicesOf(CLAIMANT))[0]?.sn === sn, 'the device in its plant');
  await until(async () => {
    await claimant.tell(reading(0, 701.2, 2_003));
    await portal.server.ingestion.drain();
    return (await devicesOf(CLAIMANT))[0]?.power_w === 2_003;
  }, 'its next sample');
});

test('of two loggers of one plant a device goes with the one that names it, without asking', async () => {
  const second = '111111111111111';
  await db()
    .insertInto('loggers')
    .values({ sn: second, site_id: siteOf(HOLDER).id, token_hash: hashToken(TEST_PASSWORD) })
    .execute();
  const other = await JsonDatalogger.connect(portal.server.mqttPort ?? 0, second);
  await other.tell(reading(0, 101, 1_500));
  await portal.server.ingestion.drain();
  expect(await devicesOf(HOLDER)).toMatchObject([{ sn, power_w: 1_500 }]);
  const claims = await db().selectFrom('device_claims').select('id').where('sn', '=', sn).execute();
  expect(claims).toHaveLength(1);
  await other.end();
});
