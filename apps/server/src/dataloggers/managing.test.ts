import { randomUUID } from 'node:crypto';
import { detail, list } from '@sonnenwarte/contract/dataloggers/dataloggers';
import {
  adopt,
  bind,
  importFile,
  plants,
  refuse,
  remove,
  renewPassword,
  unbind,
} from '@sonnenwarte/contract/dataloggers/managing';
import { undo } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { figures } from '@sonnenwarte/contract/sites/sites';
import mqtt from 'mqtt';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { offeredPassword, offerPassword } from '../datalogger-keys/offered-passwords.store.ts';
import { purgeDeletions } from '../deletions/purge.job.ts';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { until } from '../testing/edge.ts';
import { freshSn } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { givePassword } from './managed.store.ts';

const KEY = `a-provisioning-key-${randomUUID()}`;

let portal: TestPortal;
let admin: string;
let installer: string;
let owner: string;
let plantID: string;
let plantOrganisation: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
  installer = await portal.sessionOf('installer');
  owner = await portal.sessionOf('owner');
  const { result } = await portal.call(plants, {}, { token: installer });
  plantID = result.choices[0]?.id ?? '';
  const { db } = portal.server.stores;
  plantOrganisation = (
    await db.selectFrom('sites').select('organisation_id').where('id', '=', plantID).executeTakeFirstOrThrow()
  ).organisation_id;
  await db
    .insertInto('provisioning_keys')
    .values({ key_hash: hashToken(KEY), organisation_id: demoOrganisationId('installer'), revoked_at: null })
    .execute();
});
afterAll(() => portal?.stop());

const connect = (sn: string, password: string): Promise<JsonDatalogger> =>
  until(
    () => JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn, { password }).catch(() => undefined),
    'a connection',
  );
const isRefused = (sn: string, password: string): Promise<boolean> =>
  JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn, { password }).then(
    async (datalogger) => {
      await datalogger.end();
      return false;
    },
    () => true,
  );
const reading = (device: string, ts: number, powerW: number, wh: number) => ({
  ts,
  dev: device,
  kind: 'inverter',
  v: { 'AC/ActivePower': powerW, 'DC/Power': powerW, 'Energy/PvTotal': wh / 1000 },
});
const rowOf = async (sn: string, token = admin) =>
  (await portal.call(list, { condition: { moduleSN: sn } }, { token })).result.data[0];
const idOf = async (sn: string): Promise<string> =>
  (await portal.server.stores.db.selectFrom('loggers').select('id').where('sn', '=', sn).executeTakeFirstOrThrow()).id;
const imported = async (token = installer) => {
  const sn = freshSn();
  const { result } = await portal.call(importFile, { file: sn }, { token });
  return { sn, password: result.credentials[0]?.password ?? '', id: await idOf(sn) };
};

describe('a datalogger that comes with a provisioning key', () => {
  const waiting = async () => {
    const sn = freshSn();
    const datalogger = await connect(sn, KEY);
    const nowMs = Date.now();
    await datalogger.tell([
      reading(`Q-${sn}`, nowMs - 60_000, 1_000, 100_000),
      reading(`Q-${sn}`, nowMs, 1_200, 100_020),
    ]);
    await portal.server.ingestion.drain();
    return { sn, datalogger, id: await idOf(sn) };
  };

  test('is shown to administrators alone, with what hangs behind it, and to no plant', async () => {
    const { sn, datalogger } = await waiting();
    expect(await rowOf(sn)).toMatchObject({ state: 'quarantined', quarantined: true, children: 1, stationID: null });
    expect(await rowOf(sn, installer)).toBeUndefined();
    expect(await rowOf(sn, owner)).toBeUndefined();
    await datalogger.end();
  });

  test('is adopted to a plant with what it recorded while it waited; its new password and the key both let it in', async () => {
    const { sn, datalogger, id } = await waiting();
    const { db } = portal.server.stores;
    const device = () =>
      db.selectFrom('devices').select(['id', 'site_id', 'key']).where('sn', '=', `Q-${sn}`).executeTakeFirstOrThrow();
    const before = await device();
    expect(before.site_id).toBeNull();
    const input = { moduleID: id, organisationID: plantOrganisation, stationID: plantID };
    const { result } = await portal.call(adopt, input, { token: admin });
    expect(result.password).toMatch(/^[a-z2-7]{26}$/);
    expect(await device()).toEqual({ ...before, site_id: plantID });
    // Still the same connection: it is not shut out while the old password is good.
    await datalogger.tell(reading(`Q-${sn}`, Date.now(), 1_300, 100_040));
    await portal.server.ingestion.drain();
    expect(datalogger.client.connected).toBe(true);
    await datalogger.end();
    for (const password of [KEY, result.password ?? '']) await (await connect(sn, password)).end();
    expect(await isRefused(sn, 'another password')).toBe(true);
    expect(await rowOf(sn, installer)).toMatchObject({ stationID: plantID, quarantined: false });
    const again = await portal.call(adopt, input, { token: admin });
    expect(again.errno).toBe(errno.dataloggerNotQuarantined);
    expect((await portal.call(figures, { stationID: plantID }, { token: installer })).errno).toBe(0);
  });

  test('is adopted to no plant of another organisation', async () => {
    const { sn, datalogger, id } = await waiting();
    const input = { moduleID: id, organisationID: demoOrganisationId('distributor-2'), stationID: plantID };
    expect((await portal.call(adopt, input, { token: admin })).errno).toBe(errno.refusedInput);
    expect(await rowOf(sn)).toMatchObject({ state: 'quarantined' });
    await datalogger.end();
  });

  test('is turned away for good, until that is undone', async () => {
    const { sn, datalogger, id } = await waiting();
    const closed = new Promise<void>((done) => datalogger.client.once('close', () => done()));
    expect((await portal.call(refuse, { moduleID: id }, { token: admin })).errno).toBe(0);
    await closed;
    expect(await isRefused(sn, KEY)).toBe(true);
    expect(await rowOf(sn)).toBeUndefined();
    const deletion = await portal.server.stores.db
      .selectFrom('deletions')
      .select('id')
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow();
    expect((await portal.call(undo, { id: deletion.id }, { token: admin })).errno).toBe(0);
    await (await connect(sn, KEY)).end();
    expect(await rowOf(sn)).toMatchObject({ state: 'quarantined' });
  });
});

describe('an imported datalogger', () => {
  test('is of no plant, seen by its organisation alone, and linked without its key by nobody else', async () => {
    const { sn } = await imported();
    expect(await rowOf(sn, installer)).toMatchObject({ state: 'free', can: { bind: true } });
    const stranger = await portal.sessionOf('owner');
    expect(await rowOf(sn, stranger)).toBeUndefined();
    const ownPlant = (await portal.call(plants, {}, { token: stranger })).result.choices[0]?.id ?? '';
    const refused = await portal.call(bind, { stationID: ownPlant, sn }, { token: stranger });
    expect(refused).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'key', reason: 'keyNeeded' }] },
    });
  });

  test('comes alive once it is linked and connects; its history says who linked it', async () => {
    const { sn, password, id } = await imported();
    const { result } = await portal.call(bind, { stationID: plantID, sn }, { token: installer });
    expect(result).toMatchObject({ moduleID: id, moduleSN: sn, devices: 0 });
    const datalogger = await connect(sn, password);
    await datalogger.tell(reading(`B-${sn}`, Date.now(), 1_000, 5_000));
    await until(async () => {
      await portal.server.ingestion.drain();
      const row = await rowOf(sn, installer);
      return row?.communication === 1 && row.children === 1 && row.childrenHeard === 1;
    }, 'the datalogger to be heard');
    expect(await rowOf(sn, installer)).toMatchObject({ uplink: 'plain', stationID: plantID });
    const shown = await portal.call(detail, { moduleID: id }, { token: installer });
    expect(shown.result).toMatchObject({
      credential: 'own',
      devices: [{ deviceSN: `B-${sn}`, kind: 'inverter' }],
      history: [{ action: 'dataloggers.link', actor: 'installer' }],
    });
    expect((await portal.call(bind, { stationID: plantID, sn }, { token: installer })).errno).toBe(errno.refusedInput);
    await datalogger.end();
  });

  test('is taken off its plant, whose devices stay with it, and linked again', async () => {
    const { sn, id } = await imported();
    await portal.call(bind, { stationID: plantID, sn }, { token: installer });
    expect((await portal.call(unbind, { moduleID: id }, { token: owner })).errno).toBe(errno.noPermission);
    expect((await portal.call(unbind, { moduleID: id }, { token: installer })).errno).toBe(0);
    expect((await portal.call(unbind, { moduleID: id }, { token: installer })).errno).toBe(errno.dataloggerNotLinked);
    expect(await rowOf(sn, installer)).toMatchObject({ state: 'free', stationID: null });
    const { result } = await portal.call(detail, { moduleID: id }, { token: installer });
    expect(result.history.map(({ action }) => action)).toEqual(['dataloggers.unbind', 'dataloggers.link']);
    expect((await portal.call(bind, { stationID: plantID, sn }, { token: installer })).errno).toBe(0);
  });

  test('is deleted by administrators alone, shut out at once, and given back with its plant', async () => {
    const { sn, password, id } = await imported();
    await portal.call(bind, { stationID: plantID, sn }, { token: installer });
    const datalogger = await connect(sn, password);
    const closed = new Promise<void>((done) => datalogger.client.once('close', () => done()));
    expect((await portal.call(remove, { moduleID: id }, { token: installer })).errno).toBe(errno.noPermission);
    const { result } = await portal.call(remove, { moduleID: id }, { token: admin });
    expect(result.undoUntilMs).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await closed;
    expect(await isRefused(sn, password)).toBe(true);
    expect(await rowOf(sn)).toBeUndefined();
    const again = await portal.call(importFile, { file: sn }, { token: installer });
    expect(again).toMatchObject({ errno: errno.importRefused, result: { problems: [{ errno: errno.snExists }] } });
    const { id: deletion } = await portal.server.stores.db
      .selectFrom('deletions')
      .select('id')
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow();
    expect((await portal.call(undo, { id: deletion }, { token: admin })).errno).toBe(0);
    expect(await rowOf(sn, installer)).toMatchObject({ stationID: plantID });
    await (await connect(sn, password)).end();
  });
});

test('what was deleted for 30 days is forgotten but for its devices, and its number can be imported anew', async () => {
  const { sn, password, id } = await imported();
  await portal.call(bind, { stationID: plantID, sn }, { token: installer });
  const datalogger = await connect(sn, password);
  await datalogger.tell(reading(`P-${sn}`, Date.now(), 1_000, 5_000));
  await portal.server.ingestion.drain();
  await datalogger.end();
  const { db, telemetry } = portal.server.stores;
  const offered = `offered-to-${sn}`;
  const next = { next_token_hash: hashToken(offered), next_token_until: new Date(Date.now() + 86_400_000) };
  await db.updateTable('loggers').set(next).where('id', '=', id).execute();
  await portal.call(remove, { moduleID: id }, { token: admin });
  const ending = new AbortController().signal;
  const parts = { db, telemetry: telemetry.client, logger: pino({ level: 'silent' }), ending };
  await purgeDeletions(parts, Date.now() + 31 * 86_400_000);
  const device = () => db.selectFrom('devices').select('site_id').where('sn', '=', `P-${sn}`).executeTakeFirst();
  expect(await device()).toEqual({ site_id: plantID });
  const anew = await portal.call(importFile, { file: sn }, { token: admin });
  expect(anew.result.imported).toBe(1);
  await until(() => isRefused(sn, password), 'a refusal of the password before');
  expect(await isRefused(sn, offered)).toBe(true);
  await (await connect(sn, anew.result.credentials[0]?.password ?? '')).end();
  expect(await rowOf(sn, installer)).toBeUndefined();
});

describe('a new password', () => {
  test('and the one before both let a datalogger in over TLS, and its connection goes on; a day later only the new one does', async () => {
    const { sn, password, id } = await imported();
    const { db } = portal.server.stores;
    const port = portal.server.mqttTls?.port;
    const secure = (given: string) =>
      mqtt.connectAsync(
        `mqtts://localhost:${port}`,
        {
          protocolVersion: 4,
          clientId: sn,
          username: sn,
          password: given,
          reconnectPeriod: 0,
          rejectUnauthorized: false,
        },
        false,
      );
    const old = await secure(password);
    old.on('error', () => undefined);
    const { result } = await portal.call(renewPassword, { moduleID: id }, { token: installer });
    expect(result.formerUntilMs).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await old.publishAsync(`pv/v1/${sn}/status`, 'online', { qos: 1 });
    expect(old.connected).toBe(true);
    await old.endAsync(true);
    await (await secure(result.password)).endAsync(true);
    const former = await secure(password);
    former.on('error', () => undefined);
    const closed = new Promise<void>((done) => former.once('close', () => done()));
    // The day is over.
    await db
      .updateTable('loggers')
      .set({ former_token_until: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute();
    await closed;
    await expect(secure(password)).rejects.toThrow();
    await (await secure(result.password)).endAsync(true);
  });

  test('given twice within a day keeps all of them good: nobody is locked out by a password that was lost', async () => {
    const { sn, password, id } = await imported();
    const first = await portal.call(renewPassword, { moduleID: id }, { token: installer });
    const second = await portal.call(renewPassword, { moduleID: id }, { token: installer });
    for (const given of [password, first.result.password, second.result.password])
      await (await connect(sn, given)).end();
  });

  test('leaves one good that it was offered before, by a command, a second command too: it may have taken that', async () => {
    const { sn, password, id } = await imported();
    const { db } = portal.server.stores;
    const goodUntil = new Date(Date.now() + 3_600_000);
    const offer = async (): Promise<string> => {
      const commandID = randomUUID();
      await db.transaction().execute((tx) => offerPassword(tx, { id, commandID, until: goodUntil }));
      return (await offeredPassword(db, { id: commandID })) ?? '';
    };
    const [first, second] = [await offer(), await offer()];
    expect(new Set([password, first, second, '']).size).toBe(4);
    await (await connect(sn, first)).end();
    const renewed = await portal.call(renewPassword, { moduleID: id }, { token: installer });
    for (const given of [password, first, second, renewed.result.password]) await (await connect(sn, given)).end();
    await db
      .updateTable('loggers')
      .set({ former_token_until: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute();
    for (const given of [password, first, second])
      await until(() => isRefused(sn, given), 'a refusal of a password before');
  });

  test('prolongs none before it: the one that it replaces stays good for a day, older ones until their own end', async () => {
    const { sn, password, id } = await imported();
    const { db } = portal.server.stores;
    const hour = 3_600_000;
    const renewed = (nowMs: number, given: string) =>
      db.transaction().execute((tx) => givePassword(tx, id, hashToken(given), nowMs));
    const [first, second, third] = [`first-of-${sn}`, `second-of-${sn}`, `third-of-${sn}`] as const;
    await renewed(Date.now() - 25 * hour, first);
    await renewed(Date.now() - 23 * hour, second);
    await renewed(Date.now(), third);
    // The imported one ended an hour ago, though the ones after it were replaced since.
    await until(() => isRefused(sn, password), 'a refusal of the first password');
    for (const given of [first, second, third]) await (await connect(sn, given)).end();
  });

  test('is given to nobody who may not import, and for no stranger', async () => {
    const { id } = await imported(admin);
    const ofStranger = { moduleID: id };
    expect((await portal.call(renewPassword, ofStranger, { token: owner })).errno).toBe(errno.noPermission);
    expect((await portal.call(renewPassword, ofStranger, { token: installer })).errno).toBe(errno.dataloggerNotFound);
    expect((await portal.call(detail, ofStranger, { token: installer })).errno).toBe(errno.dataloggerNotFound);
  });
});
