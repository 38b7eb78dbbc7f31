import { errno } from '@sonnenwarte/contract/errors';
import { faultRecordEndpoints } from '@sonnenwarte/contract/fault-records/fault-records';
import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { encodeFaultRecord, type FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { FaultRecordDevice } from '../testing/fault-record-device.ts';
import { makePlant } from '../testing/ingestion.ts';
import { LiveReader } from '../testing/plants-fixture.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { recordOf } from '../testing/recorded-fault.ts';
import { unzip } from '../testing/unzip.ts';

const { list, detail, listing, refresh, fetchRecords, download, devices, exportList } = faultRecordEndpoints;
const DAY_MS = 86_400_000;

let portal: TestPortal;
let token: string;
const connected: FaultRecordDevice[] = [];

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});
afterAll(() => portal?.stop());
afterEach(async () => {
  for (const device of connected.splice(0)) await device.end();
});

/** An inverter whose records are older than what is fetched by itself. */
async function inverter(
  records: FaultRecord[],
): Promise<{ device: FaultRecordDevice; deviceID: string; siteId: string }> {
  const { db } = portal.server.stores;
  const { sn, siteId } = await makePlant(db);
  const device = await FaultRecordDevice.connect(portal.server.mqttPort ?? 0, sn);
  connected.push(device);
  const { deviceID } = await device.row(db);
  device.records = records;
  return { device, deviceID, siteId };
}

const old = (index: number, more: Partial<FaultRecord> = {}) =>
  recordOf({ index, timeMs: Date.now() - 10 * DAY_MS + index * 60_000, ...more });

const listed = async (deviceID: string, as = token, more: object = {}) =>
  (await portal.call(list, { condition: { deviceID, ...more } }, { token: as })).result?.records ?? [];

const inState = (deviceID: string, index: number, state: string) =>
  until(async () => {
    const row = (await listed(deviceID)).find((each) => each.index === index);
    return row?.state === state ? row : undefined;
  }, `that record ${index} is ${state}`);

async function changed(live: LiveReader): Promise<void> {
  for (;;) {
    const event = await live.next();
    if (event === undefined) throw new Error('the stream has ended');
    if (event.type === 'changed' && event.subject === 'faultRecords') return;
  }
}

async function askedFor(deviceID: string, count: number) {
  expect((await portal.call(refresh, { deviceID }, { token })).errno).toBe(0);
  return until(async () => {
    const rows = await listed(deviceID);
    return rows.length === count ? rows : undefined;
  }, `that ${count} records are listed`);
}

describe('fault records', () => {
  test('are listed when an inverter is asked, fetched when somebody wants one, and shown with what was out of limits', async () => {
    const { device, deviceID } = await inverter([old(1), old(2, { code: 1002 })]);
    const rows = await askedFor(deviceID, 2);
    expect(rows.map(({ index, state, can }) => [index, state, can])).toEqual([
      [2, 'kept', { ask: true, download: false }],
      [1, 'kept', { ask: true, download: false }],
    ]);
    expect((await portal.call(listing, { deviceID }, { token })).result).toMatchObject({
      deviceSN: device.sn,
      isAsked: false,
      failure: null,
      listed: 2,
    });
    const id = rows[1]?.recordID ?? '';
    expect((await portal.call(detail, { id }, { token })).result?.content).toBeNull();
    expect((await portal.call(fetchRecords, { ids: [id] }, { token })).result).toEqual({ asked: 1 });
    const stored = await inState(deviceID, 1, 'stored');
    expect(stored).toMatchObject({
      trigger: 'AC/L1/Voltage',
      triggerValue: 256.4,
      triggerLimit: 253,
      triggerUnit: 'V',
      can: { ask: false, download: true },
    });
    const { content } = (await portal.call(detail, { id }, { token })).result ?? {};
    expect(content).toMatchObject({ rateHz: 3_200, before: 32, nominalHz: 50 });
    expect(content?.values.filter(({ isOutside }) => isOutside).map(({ variable }) => variable)).toEqual([
      'AC/L1/Voltage',
    ]);
    expect(content?.waves.map(({ variable, unit, values }) => [variable, unit, values.length])).toEqual([
      ['AC/L1/Voltage', 'V', 96],
      ['AC/L1/Current', 'A', 96],
    ]);
    expect(content?.waves[0]?.values[16]).toBe(350);
    // What is here is not asked for again.
    expect((await portal.call(fetchRecords, { ids: [id] }, { token })).result).toEqual({ asked: 0 });
    expect(device.askedFor(1)).toBe(1);
  });

  test('are found by plant, text, code, state and time', async () => {
    const { deviceID, siteId } = await inverter([old(1), old(2, { code: 2001 })]);
    const rows = await askedFor(deviceID, 2);
    const indexes = async (more: object) => (await listed(deviceID, token, more)).map(({ index }) => index);
    expect(await indexes({ code: 2001 })).toEqual([2]);
    expect(await indexes({ states: ['stored'] })).toEqual([]);
    expect(await indexes({ stationID: siteId, states: ['kept'] })).toEqual([2, 1]);
    expect(await indexes({ content: 'insulation' })).toEqual([2]);
    expect(await indexes({ fromMs: rows[0]?.occurredMs })).toEqual([2]);
    expect(await indexes({ toMs: rows[0]?.occurredMs })).toEqual([1]);
    const found = await portal.call(devices, { search: rows[0]?.deviceSN ?? '' }, { token });
    expect(found.result?.choices.map(({ id }) => id)).toEqual([deviceID]);
    const file = await portal.fetch(exportList, { condition: { deviceID }, columns: ['deviceSN', 'code'] }, { token });
    expect((await file.text()).trim().split('\n').length).toBe(3);
  });

  test('are told live to who looks, compared with those of neighbours at the same moment', async () => {
    const { deviceID, siteId } = await inverter([old(1)]);
    const other = await inverter([old(1)]);
    await portal.server.stores.db
      .updateTable('devices')
      .set({ site_id: siteId })
      .where('id', '=', other.deviceID)
      .execute();
    const [row] = await askedFor(deviceID, 1);
    const [neighbour] = await askedFor(other.deviceID, 1);
    const leaving = new AbortController();
    const subjects = ['faultRecords'];
    const live = new LiveReader(
      await portal.fetch(liveEndpoints.stream, { subjects }, { token, signal: leaving.signal }),
      leaving,
    );
    await changed(live);
    await portal.call(fetchRecords, { ids: [row?.recordID ?? '', neighbour?.recordID ?? ''] }, { token });
    await changed(live);
    await Promise.all([inState(deviceID, 1, 'stored'), inState(other.deviceID, 1, 'stored')]);
    const { fellows } = (await portal.call(detail, { id: row?.recordID ?? '' }, { token })).result ?? {};
    leaving.abort();
    expect(fellows).toMatchObject([{ recordID: neighbour?.recordID, of: 'neighbour' }]);
  });

  test('that the inverter will not give are told with its reason; one that it has lost cannot be asked for again', async () => {
    const { device, deviceID } = await inverter([old(1)]);
    const [row] = await askedFor(deviceID, 1);
    const ids = [row?.recordID ?? ''];
    device.code = ResultCode.busy;
    await portal.call(fetchRecords, { ids }, { token });
    expect(await inState(deviceID, 1, 'failed')).toMatchObject({
      failure: 'refused',
      deviceCode: 4,
      can: { ask: true },
    });
    device.code = ResultCode.ok;
    device.records = [];
    await portal.call(fetchRecords, { ids }, { token });
    await until(async () => (await listed(deviceID))[0]?.failure === 'gone', 'that it is gone');
    expect((await portal.call(fetchRecords, { ids }, { token })).errno).toBe(errno.faultRecordGone);
    expect((await portal.call(download, { id: ids[0] ?? '' }, { token })).errno).toBe(errno.faultRecordNotStored);
  });
});

describe('a stored record', () => {
  async function stored() {
    const { deviceID } = await inverter([old(1)]);
    const [row] = await askedFor(deviceID, 1);
    await portal.call(fetchRecords, { ids: [row?.recordID ?? ''] }, { token });
    return inState(deviceID, 1, 'stored');
  }

  const filesOf = async (id: string, format: 'csv' | 'comtrade') => {
    const file = await portal.fetch(download, { id, format }, { token });
    return unzip(Buffer.from(await file.arrayBuffer()));
  };

  test('is saved as two tables', async () => {
    const { recordID } = await stored();
    const [values, waves] = [...(await filesOf(recordID, 'csv')).values()];
    expect(values).toContain('Voltage L1,256.4,V,184,253');
    expect(waves?.split('\r\n')[0]).toBe('\uFEFFSince the fault (ms),Voltage L1 (V),Current L1 (A)');
    expect(waves?.split('\r\n')[33]).toMatch(/^0,/);
  });

  test('is saved as COMTRADE whose configuration says what its data hold, the trigger at the moment of the fault', async () => {
    const { recordID, occurredMs } = await stored();
    const files = [...(await filesOf(recordID, 'comtrade'))];
    const of = (ending: string) => files.find(([name]) => name.endsWith(ending))?.[1] ?? '';
    const config = of('.cfg').split('\r\n');
    expect(config[0]).toMatch(/,1999$/);
    expect(config[1]).toBe('2,2A,0D');
    expect(config[2]).toBe('1,AC/L1/Voltage,A,,V,0.05,0,0,-7000,7000,1,1,P');
    expect(config.slice(4, 7)).toEqual(['50', '1', '3200,96']);
    const stamp = new Date(occurredMs).toISOString();
    expect(config[8]).toBe(`${stamp.slice(8, 10)}/${stamp.slice(5, 7)}/${stamp.slice(0, 4)},${stamp.slice(11, 23)}000`);
    const data = of('.dat').trim().split('\r\n');
    expect(data.length).toBe(96);
    expect(data[0]).toBe('1,0,0,0');
    expect(data[16]).toBe('17,5000,7000,900');
    expect(of('.hdr')).toContain('Voltage L1: 256.4 V');
  });

  test('of the last hundred of a device stays, and for ninety days', async () => {
    const { db } = portal.server.stores;
    const { deviceID } = await stored();
    const { forgetBefore, forgetBeyond } = await import('./fetching.store.ts');
    const bytes = Buffer.from(encodeFaultRecord(old(1)));
    await db
      .insertInto('fault_records')
      .values(
        Array.from({ length: 120 }, (_, at) => ({
          device_id: deviceID,
          record_index: at + 10,
          occurred_at: new Date(Date.now() - 5 * DAY_MS + at * 1_000),
          code: 1001,
          size: bytes.length,
          listed_at: new Date(),
          state: 'stored' as const,
          stored_at: new Date(Date.now() - at * DAY_MS),
          content: bytes,
        })),
      )
      .execute();
    await db.transaction().execute((tx) => forgetBeyond(tx, deviceID, 100));
    const count = async () =>
      (await db.selectFrom('fault_records').select('record_index').where('device_id', '=', deviceID).execute()).length;
    expect(await count()).toBe(100);
    const gone = await forgetBefore(db, new Date(Date.now() - 90 * DAY_MS), 500);
    expect(await count()).toBe(100 - gone);
    expect(gone).toBe(30);
  });
});
