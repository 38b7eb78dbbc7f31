import { recordFailures } from '@sonnenwarte/contract/fault-records/fault-record';
import { encodeFaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { partMetrics, RecordName, recordParts } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { FaultRecordDevice } from '../testing/fault-record-device.ts';
import { makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { recordOf } from '../testing/recorded-fault.ts';

const own = ownIngestion({
  timing: { commands: { dataloggerMs: 400, deviceMs: 400, echoMs: 400, tries: 2 }, partMs: 300 },
});
const devices: FaultRecordDevice[] = [];
afterEach(async () => {
  for (const device of devices.splice(0)) await device.end();
});

const recent = (index: number) => recordOf({ index, timeMs: Date.now() - index * 1_000 });

async function inverter(records = [recent(1)], prepared: (device: FaultRecordDevice) => void = () => undefined) {
  const { sn } = await makePlant(own.stores.db);
  const device = await FaultRecordDevice.connect(own.ingestion.port, sn);
  devices.push(device);
  prepared(device);
  await device.row(own.stores.db);
  device.records = records;
  await device.announce();
  return device;
}

const rowsOf = async (device: FaultRecordDevice) =>
  own.stores.db
    .selectFrom('fault_records')
    .innerJoin('devices', 'devices.id', 'fault_records.device_id')
    .where('devices.sn', '=', device.sn)
    .selectAll('fault_records')
    .orderBy('record_index')
    .execute();

const inState = (device: FaultRecordDevice, state: string, index = 1) =>
  until(async () => {
    const row = (await rowsOf(device)).find((each) => each.record_index === index);
    return row?.state === state ? row : undefined;
  }, `that record ${index} is ${state}`);

const partsLeft = async (): Promise<number> =>
  (await own.stores.db.selectFrom('fault_record_parts').select('number').execute()).length;

describe('what an inverter has recorded', () => {
  test('is listed and fetched by itself once it says so, and stored bit by bit as it is', async () => {
    const device = await inverter([recent(3), recent(2), recent(1)].toReversed());
    const row = await inState(device, 'stored', 3);
    const [record] = device.records.filter(({ index }) => index === 3);
    expect(row.content).toEqual(Buffer.from(encodeFaultRecord(record ?? recent(0))));
    expect(row).toMatchObject({ trigger_name: 'AC/L1/Voltage', trigger_value: 256.4, trigger_limit: 253, failure: '' });
    await inState(device, 'stored', 1);
    expect(await partsLeft()).toBe(0);
    // Saying the same again asks for nothing.
    const heard = device.heard.length;
    await device.announce();
    await device.birth();
    await own.ingestion.drain();
    expect(device.heard.length).toBe(heard);
  });

  test('is whole although a part of it was lost: only that part is asked for again', async () => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = (parts, wanted) =>
        parts.filter(({ number }) => (wanted === undefined ? number !== 2 : wanted.has(number))).map(partMetrics);
    });
    await inState(device, 'stored');
    const again = device.heard.at(-1);
    expect(again?.settings.find(({ name }) => name === RecordName.requestParts)?.value).toBe('2');
    expect(device.askedFor(1)).toBe(2);
  });

  test('is stored however its parts come: last first, each twice', async () => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = (parts) => [...parts, ...parts].toReversed().map(partMetrics);
    });
    await inState(device, 'stored');
  });

  test('older than a day waits in the inverter until somebody asks', async () => {
    const device = await inverter([recordOf({ index: 1, timeMs: Date.now() - 2 * 86_400_000 })]);
    expect(await inState(device, 'kept')).toMatchObject({ on_device: true, content: null });
    expect(device.askedFor(1)).toBe(0);
  });

  test('and no longer keeps is forgotten unless it was fetched', async () => {
    const device = await inverter([recordOf({ index: 1, timeMs: Date.now() - 2 * 86_400_000 }), recent(2)]);
    await inState(device, 'stored', 2);
    device.records = [recent(3)];
    await device.announce();
    await inState(device, 'stored', 3);
    expect((await rowsOf(device)).map(({ record_index, on_device }) => [record_index, on_device])).toEqual([
      [2, false],
      [3, true],
    ]);
  });
});

describe('no false record is stored', () => {
  test('where every answer is damaged: it is asked for three times, then given up with that reason', async () => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = (parts) =>
        parts.map((part) => {
          const data = Uint8Array.from(part.data);
          data[0] = (data[0] ?? 0) ^ 1;
          return partMetrics({ ...part, data });
        });
    });
    expect(await inState(device, 'failed')).toMatchObject({ failure: 'damaged', content: null, parts: 0 });
    expect(device.askedFor(1)).toBe(3);
    expect(await partsLeft()).toBe(0);
  });

  test('where its bytes are another record than the one announced', async () => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = () => {
        const bytes = encodeFaultRecord(recordOf({ index: 1, timeMs: recent(1).timeMs, code: 1002 }));
        return recordParts(1, bytes, 128).map(partMetrics);
      };
    });
    expect(await inState(device, 'failed')).toMatchObject({ failure: 'damaged' });
  });

  test('where parts are missing, oversized, contradict each other or come unasked', async () => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = (parts) => {
        const [first] = parts;
        if (first === undefined) return [];
        const int = (name: string, value: number) => ({ name, datatype: DataType.Int32, value });
        return [
          [int(RecordName.partRecord, 1)],
          partMetrics(first).map((metric) => (metric.name === RecordName.partCrc32 ? { ...metric, value: 7 } : metric)),
          partMetrics({ ...first, size: 262_145 }),
          partMetrics({ ...first, data: new Uint8Array(20_000) }),
          partMetrics({ ...first, index: 77 }),
          [{ name: RecordName.list, datatype: DataType.String, value: 'none' }],
          [{ name: RecordName.newest, datatype: DataType.Double, value: Number.NaN }],
        ];
      };
    });
    expect(await inState(device, 'failed')).toMatchObject({ failure: 'silent', content: null });
    expect((await rowsOf(device)).length).toBe(1);
    await device.edge.data(device.sn, { 'AC/ActivePower': 1_234 });
    await own.ingestion.drain();
  });

  test.each([
    ['refused', ResultCode.busy, 'refused'],
    ['gone', ResultCode.outOfRange, 'gone'],
  ] as const)('where the inverter says that it is %s', async (_, code, failure) => {
    const device = await inverter([recent(1)], (each) => {
      each.sending = () => [];
    });
    await until(() => device.askedFor(1) > 0, 'that it is asked');
    device.code = code;
    expect(await inState(device, 'failed')).toMatchObject({ failure, device_code: code });
    expect(recordFailures).toContain(failure);
  });
});

test('a portal that is restarted in between goes on with the parts that it has', async () => {
  const device = await inverter([recent(1)], (each) => {
    each.sending = (parts, wanted) =>
      parts.filter(({ number }) => (wanted === undefined ? number < 2 : wanted.has(number))).map(partMetrics);
  });
  await inState(device, 'receiving');
  await device.end();
  devices.splice(devices.indexOf(device), 1);
  await own.restart();
  const again = await FaultRecordDevice.connect(own.ingestion.port, device.edge.sn, device.records);
  devices.push(again);
  await inState(again, 'stored');
  expect(again.heard.every(({ settings }) => settings.some(({ name }) => name === RecordName.requestParts))).toBe(true);
});
