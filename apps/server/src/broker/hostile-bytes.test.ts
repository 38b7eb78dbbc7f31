import { jsonTopic } from '@sonnenwarte/device-protocol/topics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';
import { connectBytes, publishBytes, RawMqtt } from '../testing/raw-mqtt.ts';

let stores: Stores;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
  ingestion = await startTestIngestion(stores);
});
afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

test('a publish larger than one read in the same write as a CONNECT with a wrong password ends that connection alone', async () => {
  const { sn } = await makePlant(stores.db);
  const hostile = await RawMqtt.open(ingestion.port);
  hostile.write(
    Buffer.concat([
      connectBytes(sn, { password: 'wrong' }),
      publishBytes(jsonTopic(sn, 'up'), Buffer.alloc(100_000, 0x20), 1),
    ]),
  );
  await hostile.closed;
  const good = await RawMqtt.open(ingestion.port);
  good.write(connectBytes(sn));
  expect(await good.packet(({ cmd }) => cmd === 'connack')).toMatchObject({ returnCode: 0 });
  await good.end();
});
