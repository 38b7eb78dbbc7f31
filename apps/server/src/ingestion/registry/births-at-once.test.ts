import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatalogger, makePlant, startTestStores, type TestStores } from '../../testing/ingestion.ts';
import { callInto } from '../../testing/row-locks.ts';
import { writeDevices } from '../latest/latest.store.ts';
import { DataloggerEntry, DeviceEntry } from './plant-model.ts';
import { insertDevices } from './registry.store.ts';

let stores: TestStores;
let siteId: string;

beforeAll(async () => {
  stores = await startTestStores();
  siteId = (await makePlant(stores.db)).siteId;
});
afterAll(() => stores.stop());

async function datalogger(): Promise<DataloggerEntry> {
  const sn = await makeDatalogger(stores.db, siteId);
  const row = await stores.db
    .selectFrom('loggers')
    .select(['id', 'key'])
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow();
  return new DataloggerEntry(row.id, row.key, sn);
}

const born = (logger: DataloggerEntry, sns: readonly string[]): DeviceEntry[] =>
  sns.map((sn) => new DeviceEntry(sn, 'inverter', logger));

/** Two writers begin while the device in the middle is held, so that each has what it takes first once it is free. */
async function together<T, U>(middle: string, first: () => Promise<T>, second: () => Promise<U>): Promise<[T, U]> {
  const { db } = stores;
  const answers = await db.transaction().execute(async (tx) => {
    await sql`update devices set hardware = 'held' where sn = ${middle}`.execute(tx);
    const one = await callInto(db, first);
    const other = await callInto(db, second);
    return [one.answer, other.answer] as const;
  });
  return Promise.all(answers);
}

test('births of the same devices in opposite orders at once are both written', async () => {
  const logger = await datalogger();
  const sns = ['SET-A', 'SET-M', 'SET-Z'];
  await insertDevices(stores.db, born(logger, sns));
  const [one, other] = await together(
    'SET-M',
    () => insertDevices(stores.db, born(logger, sns)),
    () => insertDevices(stores.db, born(logger, sns.toReversed())),
  );
  expect(one.map(({ sn }) => sn).sort()).toEqual(sns);
  expect(other.map(({ sn }) => sn).sort()).toEqual(sns);
});

test('births of devices that were not there before, named in opposite orders at once, are both written', async () => {
  const logger = await datalogger();
  await insertDevices(stores.db, born(logger, ['NEW-M']));
  const sns = ['NEW-A', 'NEW-M', 'NEW-Z'];
  const [one, other] = await together(
    'NEW-M',
    () => insertDevices(stores.db, born(logger, sns)),
    () => insertDevices(stores.db, born(logger, sns.toReversed())),
  );
  expect(one.map(({ id }) => id).sort()).toEqual(other.map(({ id }) => id).sort());
});

test('a birth and the newest states of the same devices at once are both written', async () => {
  const logger = await datalogger();
  const sns = ['LIV-A', 'LIV-M', 'LIV-Z'];
  const rows = await insertDevices(stores.db, born(logger, sns));
  const devices = born(logger, sns.toReversed());
  for (const device of devices) {
    device.id = rows.find(({ sn }) => sn === device.sn)?.id ?? '';
    device.online = true;
    device.state = 'fault';
  }
  await together(
    'LIV-M',
    () => insertDevices(stores.db, born(logger, sns)),
    () => writeDevices(stores.db, devices),
  );
  const states = await stores.db.selectFrom('devices').select('state').where('sn', 'in', sns).execute();
  expect(states.map(({ state }) => state)).toEqual(['fault', 'fault', 'fault']);
});
