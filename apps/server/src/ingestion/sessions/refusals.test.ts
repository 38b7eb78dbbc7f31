import { alarmsToDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  COMPRESSED_UUID,
  encodePayload,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../stores/stores.ts';
import { breakable } from '../../testing/breakable-telemetry.ts';
import { TestEdge, until } from '../../testing/edge.ts';
import { type ExternalBroker, startAedesBroker } from '../../testing/external-broker.ts';
import {
  freshSn,
  makePlant,
  startTestIngestion,
  startTestStores,
  type TestIngestion,
} from '../../testing/ingestion.ts';
import { JsonDatalogger } from '../../testing/json-datalogger.ts';
import { type RefusalReason, refusalReasons } from './reasons.ts';

let stores: Stores;
let telemetry: ReturnType<typeof breakable>;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
  telemetry = breakable(stores.telemetry);
  ingestion = await startTestIngestion({ ...stores, telemetry }, { timing: { reorderMs: 20 } });
});
afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

/** Provokes one refusal; answers the ingestion that counted it, where that is another. */
type Case = () => Promise<TestIngestion | undefined>;

const counted = (of: TestIngestion, reason: RefusalReason) => of.counted('ingest_rejected_total', { reason });

const json =
  (message: (device: string) => unknown): Case =>
  async () => {
    const { sn } = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(ingestion.port, sn);
    await datalogger.tell(message(`R${sn}`));
    await datalogger.end();
    return undefined;
  };

/** A reading of an inverter that is right but for what is given. */
const reading = (wrong: Record<string, unknown>) =>
  json((dev) => ({ dev, kind: 'inverter', v: { 'AC/Frequency': 50 }, ...wrong }));
const values = (v: Record<string, unknown>) => reading({ v: { 'AC/Frequency': 50, ...v } });

const edge =
  (speak: (edge: TestEdge, device: string) => Promise<void>): Case =>
  async () => {
    const { sn } = await makePlant(stores.db);
    const speaker = await TestEdge.connect(ingestion.port, sn);
    await speaker.birth();
    await speak(speaker, `R${sn}`);
    await ingestion.drain();
    await speaker.end();
    return undefined;
  };

const payload = (bytes: Uint8Array) =>
  edge(async ({ client, sn }, device) => {
    await client.publishAsync(sparkplugTopic('solar', 'DDATA', sn, device), Buffer.from(bytes), { qos: 1 });
  });

const external =
  (topic: (sn: string) => string, isKnown: boolean): Case =>
  async () => {
    const broker: ExternalBroker = await startAedesBroker();
    const other = await startTestIngestion(stores, { mqttUrl: broker.url });
    const sn = isKnown ? (await makePlant(stores.db)).sn : freshSn();
    const client = await mqtt.connectAsync(broker.url, { protocolVersion: 4, reconnectPeriod: 0 });
    await client.publishAsync(topic(sn), '{}', { qos: 1 });
    const reason = isKnown ? 'topic' : 'unknown-logger';
    await until(async () => (await counted(other, reason)) > 0, reason);
    await client.endAsync(true);
    await other.stop();
    await broker.stop();
    return other;
  };

const number = (name: string, value: number, more: Partial<SparkplugMetric> = {}): SparkplugMetric => ({
  name,
  datatype: DataType.Double,
  value,
  ...more,
});

/** Another plant's device, and a logger that names it too. */
async function claimant(devices: number) {
  const [holder, other] = [await makePlant(stores.db), await makePlant(stores.db)];
  const readings = Array.from({ length: devices }, (_, at) => ({
    dev: `C${holder.sn}-${at}`,
    kind: 'inverter',
    v: { 'AC/ActivePower': at },
  }));
  const first = await JsonDatalogger.connect(ingestion.port, holder.sn);
  await first.tell(readings);
  await first.end();
  const second = await JsonDatalogger.connect(ingestion.port, other.sn);
  return { second, readings, sn: `C${holder.sn}-0` };
}

const failing = async (fail: (body: Buffer) => Error | undefined, run: () => Promise<void>) => {
  telemetry.failure = fail;
  try {
    await run();
  } finally {
    telemetry.failure = undefined;
  }
  return undefined;
};
const storeDown = () => Object.assign(new Error('Code: 243. DB::Exception: not enough space'), { code: '243' });

/** How to be refused for each reason; a text says why nobody can be from outside. */
const cases: Readonly<Record<RefusalReason, Case | string>> = {
  'unknown-logger': external((sn) => jsonTopic(sn, 'up'), false),
  topic: external((sn) => `spBv1.0/solar/DTOAST/${sn}`, true),
  internal: 'a fault of the server itself',
  truncated: payload(Buffer.from('0801120c0a', 'hex')),
  malformed: payload(Buffer.from('1202650000803f', 'hex')),
  unsupported: payload(
    encodePayload({
      uuid: COMPRESSED_UUID,
      metrics: [{ name: 'algorithm', datatype: DataType.String, value: 'ZIP' }],
      body: new Uint8Array(8),
    }),
  ),
  'too-large': json((dev) => Array.from({ length: 1_001 }, () => ({ dev, kind: 'inverter', v: {} }))),
  'not-json': json(() => 'x{'),
  'bad-shape': json(() => []),
  'no-birth': edge((speaker, device) => speaker.send('DDATA', device, [{ alias: 5, value: 1 }])),
  overloaded: async () => {
    const small = await startTestIngestion({ ...stores, telemetry }, { mostQueuedBytes: 20_000 });
    await failing(storeDown, async () => {
      const { sn } = await makePlant(stores.db);
      const datalogger = await JsonDatalogger.connect(small.port, sn);
      const closed = new Promise<void>((resolve) => datalogger.client.once('close', () => resolve()));
      const message = (at: number) => ({ dev: `R${sn}`, kind: 'inverter', ts: Date.now() + at, v: { 'DC/Power': at } });
      for (let at = 0; at < 200; at += 1) datalogger.tell(message(at)).catch(() => undefined);
      await closed;
      await datalogger.end();
    });
    await small.stop();
    return small;
  },
  'over-budget': async () => {
    const strict = await startTestIngestion(stores, {
      limits: { mostWaitingBytes: 100, bytesPerSecond: 1, burstBytes: 1 },
    });
    const { sn } = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(strict.port, sn);
    const closed = new Promise<void>((resolve) => datalogger.client.once('close', () => resolve()));
    for (let at = 0; at < 20; at += 1) {
      datalogger.tell({ dev: `R${sn}`, kind: 'inverter', v: { 'DC/Power': at } }).catch(() => undefined);
    }
    await closed;
    await datalogger.end();
    await strict.stop();
    return strict;
  },
  'bad-time': reading({ ts: 1.5 }),
  'bad-device': reading({ dev: 'a/b' }),
  'bad-kind': reading({ kind: 'logger' }),
  'kind-changed': json((dev) => [
    { dev, kind: 'inverter', v: { 'AC/Frequency': 50 } },
    { dev, kind: 'meter', v: { 'Meter/Frequency': 50 } },
  ]),
  'too-many-devices': json((dev) =>
    Array.from({ length: 251 }, (_, at) => ({ dev: `${dev}-${at}`, kind: 'meter', v: { 'Meter/Frequency': 50 } })),
  ),
  'too-many-samples': edge((speaker, device) => {
    const nowMs = Date.now();
    const samples = Array.from({ length: 2_001 }, (_, at) =>
      number('DC/Power', at, { isHistorical: true, timestampMs: nowMs - 10_000 - at }),
    );
    return speaker.send('DBIRTH', device, samples);
  }),
  'too-many-claims': async () => {
    const { second, readings } = await claimant(21);
    await second.tell(readings);
    await second.end();
    return undefined;
  },
  'device-of-another-logger': async () => {
    const { second, readings, sn } = await claimant(1);
    await second.tell(readings);
    const before = await counted(ingestion, 'device-of-another-logger');
    await stores.db.updateTable('device_claims').set({ state: 'kept' }).where('sn', '=', sn).execute();
    await until(async () => {
      await second.tell(readings);
      return (await counted(ingestion, 'device-of-another-logger')) > before;
    }, 'the decision');
    await second.end();
    return undefined;
  },
  'empty-sample': reading({ v: {} }),
  'impossible-time': reading({ ts: 0, hist: true }),
  'unknown-alias': edge(async (speaker, device) => {
    await speaker.deviceBirth(device, 'inverter');
    await speaker.send('DDATA', device, [{ alias: 999, value: 5 }]);
  }),
  'bad-name': values({ ['n'.repeat(129)]: 1 }),
  'bad-value': values({ 'AC/ActivePower': 1e300 }),
  'null-value': values({ 'AC/ActivePower': null }),
  'text-cut': values({ 'Vendor/Text': 'x'.repeat(257) }),
  'too-many-names': edge(async (speaker, device) => {
    const birth = Array.from({ length: 2_000 }, (_, at) => number(`N${at}`, at, { isHistorical: true }));
    for (let at = 0; at < 21; at += 1) await speaker.deviceBirth(`${device}-${at}`, 'inverter', birth);
  }),
  'too-many-others': values(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`Vendor/${at}`, at]))),
  'bad-alarm': reading({ alarms: [{ code: 'x' }] }),
  'too-many-alarms': reading({ alarms: Array.from({ length: 101 }, (_, at) => ({ code: 7_000 + at })) }),
  'historical-alarm': edge(async (speaker, device) => {
    await speaker.deviceBirth(device, 'inverter');
    const value = alarmsToDataSet([{ code: 1001, level: 3, sinceMs: 1, extra: '' }]);
    await speaker.send('DDATA', device, [
      { name: 'Alarm/Active', datatype: DataType.DataSet, isHistorical: true, timestampMs: Date.now(), value },
    ]);
  }),
  'sequence-gap': edge(async (speaker, device) => {
    await speaker.deviceBirth(device, 'inverter');
    const asked = speaker.nextCommand();
    await speaker.data(device, { 'AC/ActivePower': 1 }, { seq: 40 });
    await asked;
  }),
  'clock-skew': edge((speaker) => speaker.birth([], Date.now() - 120_000)),
  'stale-birth': 'the broker ends the older connection of a client id before the newer one is heard',
  'row-refused': () => {
    const marker = Buffer.alloc(4);
    // In steps of 0.1 W.
    marker.writeInt32LE(7_775);
    const isMarked = (body: Buffer) =>
      body.includes(marker) ? new Error('Code: 33. DB::Exception: Cannot read all data') : undefined;
    return failing(isMarked, async () => void (await values({ 'AC/ActivePower': 777.5 })()));
  },
  'store-error': async () => {
    const ending = await startTestIngestion({ ...stores, telemetry });
    await failing(storeDown, async () => {
      const { sn } = await makePlant(stores.db);
      const datalogger = await JsonDatalogger.connect(ending.port, sn);
      datalogger.tell({ dev: `R${sn}`, kind: 'inverter', v: { 'DC/Power': 1 } }).catch(() => undefined);
      await until(() => ending.state().storage === 'holding', 'the failure');
      await ending.stop();
      await datalogger.end();
    });
    return ending;
  },
};

describe('what is not taken is counted by its reason', () => {
  const provoked = refusalReasons.filter((reason) => typeof cases[reason] === 'function');
  test.each(provoked)(
    '%s',
    async (reason) => {
      const before = await counted(ingestion, reason);
      const provoke = cases[reason];
      const where = typeof provoke === 'function' ? await provoke() : undefined;
      await ingestion.drain();
      expect(await counted(where ?? ingestion, reason)).toBeGreaterThan(where === undefined ? before : 0);
    },
    30_000,
  );
});

describe('values that loggers in the field send as they like', () => {
  const powerOf = async (value: unknown): Promise<number | null | undefined> => {
    const { sn } = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(ingestion.port, sn);
    const v = JSON.stringify(value);
    await datalogger.tell(`{"dev":"V${sn}","kind":"inverter","v":{"AC/Frequency":50,"AC/ActivePower":${v ?? value}}}`);
    await datalogger.end();
    await ingestion.drain();
    const row = await stores.db
      .selectFrom('device_latest')
      .innerJoin('devices', 'devices.id', 'device_latest.device_id')
      .select('power_w')
      .where('devices.sn', '=', `V${sn}`)
      .executeTakeFirst();
    return row?.power_w;
  };
  const badValues = () => counted(ingestion, 'bad-value');

  test.each([
    ['3120', 3120],
    [' 3.5 ', 3.5],
    ['1e3', 1000],
    ['-12.25', -12.25],
    ['+7', 7],
    ['.5', 0.5],
  ])('the text %j is taken as a number', async (text, expected) => {
    const before = await badValues();
    expect(await powerOf(text)).toBe(expected);
    expect(await badValues()).toBe(before);
  });

  test.each([
    '',
    ' ',
    '3,5',
    '0x10',
    '1e999',
    'NaN',
    'Infinity',
    '12 W',
    '1_000',
    '--1',
    true,
    false,
    {},
    [],
    [1],
    1e300,
  ])('%j is no number: counted, and the rest of the sample is taken', async (value) => {
    const before = await badValues();
    expect(await powerOf(value)).toBeNull();
    expect(await badValues()).toBe(before + 1);
  });

  test('switches are told by true and false, texts by numbers', async () => {
    const { sn } = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(ingestion.port, sn);
    const before = await badValues();
    await datalogger.tell([
      { dev: `S${sn}`, kind: 'inverter', v: { 'State/GridRelay': true } },
      { dev: `B${sn}`, kind: 'battery', v: { 'Bat/BmsFirmware': 12, 'Bat/Soc': '55' } },
    ]);
    await datalogger.end();
    await ingestion.drain();
    const rows = await stores.db
      .selectFrom('device_latest')
      .innerJoin('devices', 'devices.id', 'device_latest.device_id')
      .select(['values', 'soc_percent'])
      .where('devices.sn', 'in', [`S${sn}`, `B${sn}`])
      .orderBy('devices.sn', 'desc')
      .execute();
    expect(rows).toMatchObject([
      { values: { 'State/GridRelay': [1, expect.any(Number)] } },
      { values: { 'Bat/BmsFirmware': ['12', expect.any(Number)] }, soc_percent: 55 },
    ]);
    expect(await badValues()).toBe(before);
  });

  test('a sample of which nothing is left is no row', async () => {
    const { sn } = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(ingestion.port, sn);
    const before = await counted(ingestion, 'empty-sample');
    await datalogger.tell({ dev: `E${sn}`, kind: 'inverter', v: { 'AC/ActivePower': 'none' } });
    await datalogger.tell({ dev: `E${sn}`, kind: 'inverter', v: {} });
    await datalogger.end();
    await ingestion.drain();
    const { key } = await stores.db
      .selectFrom('devices')
      .select('key')
      .where('sn', '=', `E${sn}`)
      .executeTakeFirstOrThrow();
    const query = `SELECT toUInt8(count()) AS n FROM raw_inverter WHERE device = ${key}`;
    const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
    expect(await answer.json()).toEqual([{ n: 0 }]);
    expect(await counted(ingestion, 'empty-sample')).toBe(before + 2);
  });

  test('no alarm, whatever it holds, keeps the newest values of others from being written', async () => {
    const hostile = await makePlant(stores.db);
    const datalogger = await JsonDatalogger.connect(ingestion.port, hostile.sn);
    await datalogger.tell({
      dev: `A${hostile.sn}`,
      kind: 'inverter',
      v: { 'AC/ActivePower': 1 },
      alarms: [{ code: 99_999_999_999 }, { code: 1001, extra: 'x\u0000y\ud800' }, { code: -1 }],
    });
    expect(await powerOf(61)).toBe(61);
    const rows = await stores.db
      .selectFrom('alarms')
      .select(['code', 'extra'])
      .where('site_id', '=', hostile.siteId)
      .execute();
    expect(rows).toEqual([{ code: 1001, extra: 'xy\ufffd' }]);
    await datalogger.end();
  });
});
