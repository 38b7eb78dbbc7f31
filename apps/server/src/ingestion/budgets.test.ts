import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { encodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken, MOST_PROVISIONED_PER_HOUR } from '../broker/credentials.ts';
import type { Stores } from '../stores/stores.ts';
import { TestEdge, until } from '../testing/edge.ts';
import {
  freshSn,
  makeOrganisation,
  makePlant,
  startTestIngestion,
  startTestStores,
  type TestIngestion,
} from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';

let stores: Stores;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
  ingestion = await startTestIngestion(stores, {
    failuresPerMinute: 1_000,
    limits: { bytesPerSecond: 60_000, burstBytes: 20_000 },
  });
});
afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

const held = (reason: string) => ingestion.counted('ingest_held_total', { reason });

async function storedOf(device: string): Promise<number> {
  const row = await stores.db.selectFrom('devices').select('key').where('sn', '=', device).executeTakeFirst();
  const query = `SELECT toUInt32(count()) AS n FROM raw_inverter FINAL WHERE device = ${row?.key ?? 0}`;
  const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ n: number }>())[0]?.n ?? 0;
}

describe('a logger beyond its budget', () => {
  let greedy: JsonDatalogger;
  let good: JsonDatalogger;
  beforeEach(async () => {
    greedy = await JsonDatalogger.connect(ingestion.port, (await makePlant(stores.db)).sn);
    good = await JsonDatalogger.connect(ingestion.port, (await makePlant(stores.db)).sn);
    return async () => {
      await greedy.end();
      await good.end();
    };
  });

  test.each([0, 1] as const)(
    'is held back with QoS %i; the other is acknowledged meanwhile, and all is stored',
    async (qos) => {
      const before = await held('bytes');
      const startMs = Date.now() - 3_600_000;
      const flood = Array.from({ length: 150 }, (_, at) => ({
        ts: startMs + at * 1_000,
        dev: `G${greedy.sn}`,
        kind: 'inverter',
        v: { 'AC/ActivePower': at, 'Vendor/Text': 'x'.repeat(200) },
      }));
      let acknowledged = 0;
      const sending = Promise.all(
        flood.map(async (message) => {
          await greedy.client.publishAsync(jsonTopic(greedy.sn, 'up'), JSON.stringify(message), { qos });
          acknowledged += 1;
        }),
      );
      await until(async () => (await held('bytes')) > before, 'the first to be held back');
      await good.tell({ dev: `N${good.sn}`, kind: 'inverter', v: { 'AC/ActivePower': 1 } });
      if (qos === 1) expect(acknowledged).toBeLessThan(flood.length);
      await sending;
      await until(async () => {
        await ingestion.drain();
        return (await storedOf(`G${greedy.sn}`)) === flood.length;
      }, 'all that was sent');
      expect(await storedOf(`N${good.sn}`)).toBe(1);
    },
  );

  test('with births is held back too, and all are born', async () => {
    const strict = await startTestIngestion(stores, { limits: { burstBirths: 2, birthsPerMinute: 300 } });
    const edge = await TestEdge.connect(strict.port, (await makePlant(stores.db)).sn);
    await edge.birth();
    await Promise.all(Array.from({ length: 8 }, (_, at) => edge.deviceBirth(`B${edge.sn}-${at}`, 'inverter')));
    expect(await strict.counted('ingest_held_total', { reason: 'births' })).toBeGreaterThan(0);
    await strict.drain();
    const born = await stores.db.selectFrom('devices').select('sn').where('sn', 'like', `B${edge.sn}-%`).execute();
    expect(born).toHaveLength(8);
    await edge.end();
    await strict.stop();
  });

  test('whose connection was not read for a while, while it was answered, is read again', async () => {
    const narrow = await startTestIngestion(stores, {
      limits: { bytesPerSecond: 40_000, burstBytes: 4_000, holdAboveBytes: 4_000 },
    });
    const datalogger = await JsonDatalogger.connect(narrow.port, (await makePlant(stores.db)).sn);
    const text = 'x'.repeat(1_000);
    const message = (at: number) => ({
      ts: Date.now() - 3_600_000 + at * 1_000,
      dev: `H${datalogger.sn}`,
      kind: 'inverter',
      v: { 'AC/ActivePower': at, 'Vendor/Text': text },
    });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => datalogger.tell(message(round * 20 + at))));
    }
    expect(await narrow.counted('ingest_held_total', { reason: 'bytes' })).toBeGreaterThan(0);
    await narrow.drain();
    expect(await storedOf(`H${datalogger.sn}`)).toBe(60);
    await datalogger.end();
    await narrow.stop();
  });

  test('who goes away with messages waiting leaves as it came: in order, and offline', async () => {
    const { sn } = await makePlant(stores.db);
    const edge = await TestEdge.connect(ingestion.port, sn);
    await edge.birth();
    const metrics = [{ name: 'Vendor/Text', datatype: DataType.String, value: 'x'.repeat(20_000) }];
    const payload = Buffer.from(encodePayload({ timestampMs: Date.now(), seq: 1, metrics }));
    for (let at = 0; at < 6; at += 1) {
      edge.client.publish(sparkplugTopic('solar', 'DDATA', sn, `O${sn}`), payload, { qos: 0 });
    }
    await edge.client.publishAsync(sparkplugTopic('solar', 'NDATA', sn), payload, { qos: 1 });
    await edge.breakOff();
    await ingestion.drain();
    const online = async () =>
      (await stores.db.selectFrom('loggers').select('online').where('sn', '=', sn).executeTakeFirst())?.online;
    await until(async () => (await online()) === false, 'the logger being offline');
  });
});

describe('a provisioning key', () => {
  async function keyWith(rows: number, createdAtMs: number): Promise<string> {
    const key = `key-${freshSn()}`;
    const organisation_id = await makeOrganisation(stores.db);
    const provisioned_by = hashToken(key);
    await stores.db.insertInto('provisioning_keys').values({ key_hash: provisioned_by, organisation_id }).execute();
    const made = Array.from({ length: rows }, () => ({
      sn: freshSn(),
      organisation_id,
      provisioned_by,
      quarantined: true,
      created_at: new Date(createdAtMs),
    }));
    await stores.db.insertInto('loggers').values(made).execute();
    // Keys are read every other second; one that is not known yet is refused.
    const known = made[0]?.sn ?? '';
    await until(async () => (await tryWith(key, known)) === 'in', 'the key');
    return key;
  }
  const tryWith = (key: string, sn = freshSn()) =>
    JsonDatalogger.connect(ingestion.port, sn, { password: key }).then(
      async (datalogger) => {
        await datalogger.end();
        return 'in';
      },
      (error: { code?: number }) => error.code,
    );

  test('lets in no more new loggers than it may in an hour: the next is told to come later, a known one comes back', async () => {
    const key = await keyWith(MOST_PROVISIONED_PER_HOUR - 1, Date.now());
    const before = await ingestion.counted('ingest_rejected_total', { reason: 'provisioning-limit' });
    const last = freshSn();
    expect(await tryWith(key, last)).toBe('in');
    const many = await Promise.all(Array.from({ length: 5 }, () => tryWith(key)));
    expect(many).toEqual([3, 3, 3, 3, 3]);
    expect(await tryWith(key, last)).toBe('in');
    expect(await ingestion.counted('ingest_rejected_total', { reason: 'provisioning-limit' })).toBe(before + 5);
    const { count } = await stores.db
      .selectFrom('loggers')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('provisioned_by', '=', hashToken(key))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(MOST_PROVISIONED_PER_HOUR);
  });

  test('counts the last hour only', async () => {
    const key = await keyWith(MOST_PROVISIONED_PER_HOUR, Date.now() - 61 * 60_000);
    expect(await tryWith(key)).toBe('in');
  });
});
