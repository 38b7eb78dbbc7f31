import { restart } from '@sonnenwarte/contract/dataloggers/managing';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { MOST_REFUSED_OF_DATALOGGER, testLogEndpoints } from '@sonnenwarte/contract/test-log/test-log';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { knownPhrase } from '../exports/phrase-text.ts';
import { refusalReasons } from '../ingestion/sessions/reasons.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { type NewMessage, writeMessages } from './recorder.store.ts';

const { messages, exportMessages, message, recordings, record, stop, remove, batteryLog, exportBatteryLog } =
  testLogEndpoints;

let portal: TestPortal;
let token: string;
/** Serial numbers of dataloggers of plants. */
let sns: string[];

const db = () => portal.server.stores.db;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
  const rows = await db()
    .selectFrom('loggers')
    .select('sn')
    .where('site_id', 'is not', null)
    .orderBy('sn')
    .limit(6)
    .execute();
  sns = rows.map(({ sn }) => sn);
  await db()
    .updateTable('loggers')
    .set({ token_hash: hashToken(TEST_PASSWORD) })
    .where('sn', 'in', sns)
    .execute();
});
afterAll(() => portal?.stop());

const snOf = (index: number): string => sns[index] ?? '';
const connect = (sn: string) => TestEdge.connect(portal.server.mqttPort ?? 0, sn);
const recordOf = async (dataloggerSN: string, hours = 1) => {
  const answer = await portal.call(record, { dataloggerSN, hours }, { token });
  expect(answer.errno).toBe(0);
  return answer.result.id;
};
const found = async (condition: Input<typeof messages>['condition']) =>
  (await portal.call(messages, { condition, pageSize: 50 }, { token })).result.messages;

/** Recorded within a moment of being switched on: the datalogger is asked for its births. */
async function recorded(sn: string): Promise<{ id: string; edge: TestEdge }> {
  const edge = await connect(sn);
  await edge.birth();
  const asked = edge.nextCommand();
  const id = await recordOf(sn);
  await asked;
  return { id, edge };
}

describe('a recording', () => {
  test('holds what a datalogger says and is told, with names, values and bytes', async () => {
    const sn = snOf(0);
    const { id, edge } = await recorded(sn);
    const power = { name: 'AC/ActivePower', alias: 3, datatype: DataType.Double };
    await edge.birth();
    await edge.deviceBirth('INV-T', 'inverter', [{ ...power, value: 10 }]);
    await edge.send('DDATA', 'INV-T', [{ alias: 3, datatype: DataType.Double, value: 1_234.5 }]);
    await until(async () => (await found({ content: sn, kind: 'DDATA' })).length === 1, 'the data message');
    const [data] = await found({ content: 'INV-T', kind: 'DDATA' });
    expect(data).toMatchObject({
      direction: 'up',
      dataloggerSN: sn,
      deviceSN: 'INV-T',
      refusedFor: '',
      withheld: false,
    });
    const { result } = await portal.call(message, { id: data?.id ?? 0 }, { token });
    expect(result.values).toEqual([{ name: 'AC/ActivePower', value: '1234.5', unit: 'W' }]);
    expect(result.hex).toHaveLength(2 * (data?.sizeBytes ?? 0));
    const [down] = await found({ content: sn, direction: 'down' });
    expect(down).toMatchObject({ kind: 'NCMD', summary: 'Node Control/Rebirth true' });
    const { result: held } = await portal.call(recordings, {}, { token });
    expect(held.recordings.find((each) => each.id === id)).toMatchObject({
      dataloggerSN: sn,
      end: null,
      startedBy: 'admin',
    });
    await edge.end();
  });

  test('is a file, in text and bytes', async () => {
    const file = await portal.fetch(
      exportMessages,
      { condition: { content: 'INV-T', kind: 'DDATA' }, columns: ['kind', 'dataloggerSN', 'direction', 'text', 'hex'] },
      { token },
    );
    const text = await file.text();
    expect(text).toContain(`DDATA;${snOf(0)};`.replaceAll(';', text.includes(';') ? ';' : ','));
    expect(text).toContain('AC/ActivePower=1234.5 W');
  });

  test('never holds a new credential, in neither direction', async () => {
    const sn = snOf(1);
    const { edge } = await recorded(sn);
    const secret = 'ABCDEFGHJKLMNPQRSTUVWXYZ23';
    const arrives = edge.nextCommand();
    await portal.server.ingestion.sendCommand(sn, undefined, {
      metrics: [{ name: 'Node Control/NewCredential', datatype: DataType.String, value: secret }],
    });
    expect((await arrives).metrics[0]?.value).toBe(secret);
    await edge.send('NDATA', undefined, [
      { name: 'Node Control/NewCredential', datatype: DataType.String, value: secret },
    ]);
    await until(async () => (await found({ content: sn, kind: 'NDATA' })).length === 1, 'the echo');
    expect((await found({ content: sn, kind: 'NDATA' }))[0]?.withheld).toBe(true);
    const rows = await db()
      .selectFrom('recorded_messages')
      .select(['payload', 'readable'])
      .where('sn', '=', sn)
      .execute();
    expect(rows.length).toBeGreaterThan(1);
    for (const { payload, readable } of rows) {
      expect(payload.toString('latin1') + JSON.stringify(readable)).not.toContain(secret);
    }
    await edge.end();
  });

  test('holds what the portal itself tells a datalogger to do', async () => {
    const sn = snOf(0);
    const edge = await connect(sn);
    await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    const { id } = await db().selectFrom('loggers').select('id').where('sn', '=', sn).executeTakeFirstOrThrow();
    const told = edge.nextCommand();
    expect((await portal.call(restart, { moduleID: id }, { token })).errno).toBe(0);
    await told;
    const commands = async () =>
      (await found({ content: sn, direction: 'down' })).filter(({ summary }) => !summary.includes('Rebirth'));
    await until(async () => (await commands()).length === 1, 'the command');
    expect((await commands())[0]).toMatchObject({ kind: 'NCMD', dataloggerSN: sn });
    await edge.end();
  });

  test('goes on, and all others do, where a datalogger sends what no database holds', async () => {
    const edge = await connect(snOf(1));
    await edge.birth();
    const odd = ['odd\0name', 'half \uD800 pair'];
    await edge.deviceBirth(
      'INV-ODD',
      'inverter',
      odd.map((name) => ({ name, datatype: DataType.String, value: `of ${name}` })),
    );
    await edge.send('DDATA', 'INV-ODD', [{ name: 'AC/ActivePower', datatype: DataType.Double, value: 5 }]);
    await until(async () => (await found({ content: 'INV-ODD', kind: 'DDATA' })).length === 1, 'the data after it');
    expect(await found({ content: 'INV-ODD', kind: 'DBIRTH' })).toHaveLength(1);
    await edge.end();
  });

  test('ends when it is stopped, and holds nothing from then on', async () => {
    const sn = snOf(2);
    const { id, edge } = await recorded(sn);
    await until(async () => (await found({ content: sn })).length > 0, 'something recorded');
    expect((await portal.call(stop, { id }, { token })).errno).toBe(0);
    const other = await recorded(snOf(3));
    const before = (await found({ content: sn })).length;
    await edge.birth();
    await other.edge.birth();
    await until(async () => (await found({ content: snOf(3), kind: 'NBIRTH' })).length > 0, 'the birth of the other');
    expect((await found({ content: sn })).length).toBe(before);
    expect((await portal.call(stop, { id }, { token })).errno).toBe(42331);
    await edge.end();
    await other.edge.end();
  });

  test('ends when its time is over, and when it is full', async () => {
    const id = await recordOf(snOf(4));
    const endOf = async () =>
      (await portal.call(recordings, {}, { token })).result.recordings.find((each) => each.id === id)?.end;
    await db().updateTable('message_recordings').set({ bytes: '99999999' }).where('id', '=', id).execute();
    await until(async () => (await endOf()) === 'full', 'the end of a full one');
    const again = await recordOf(snOf(4));
    await db().updateTable('message_recordings').set({ until: new Date() }).where('id', '=', again).execute();
    await until(
      async () =>
        (await portal.call(recordings, {}, { token })).result.recordings.find((each) => each.id === again)?.end ===
        'time',
      'the end of its time',
    );
  });

  test('of a datalogger that is recorded already moves its end', async () => {
    const first = await recordOf(snOf(5), 1);
    expect(await recordOf(snOf(5), 3)).toBe(first);
    const { result } = await portal.call(recordings, {}, { token });
    const { startedAtMs = 0, untilMs = 0 } = result.recordings.find(({ id }) => id === first) ?? {};
    expect(untilMs - startedAtMs).toBeGreaterThan(2 * 3_600_000);
    expect((await portal.call(remove, { id: first }, { token })).errno).toBe(0);
    expect((await portal.call(remove, { id: first }, { token })).errno).toBe(42331);
  });

  test('makes room for itself by the oldest that has ended, never by one that runs', async () => {
    await db().deleteFrom('message_recordings').execute();
    const ended = (minute: number) => ({
      sn: `9${minute}`,
      started_by: 'admin',
      until: new Date(),
      ended_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      end_reason: 'time' as const,
    });
    await db()
      .insertInto('message_recordings')
      .values(Array.from({ length: 20 }, (_, minute) => ended(minute)))
      .execute();
    await recordOf(snOf(0));
    const left = await db().selectFrom('message_recordings').select('sn').execute();
    expect(left.map(({ sn }) => sn).sort()).toEqual(
      [snOf(0), ...Array.from({ length: 19 }, (_, minute) => `9${minute + 1}`)].sort(),
    );
    await db()
      .updateTable('message_recordings')
      .set({ ended_at: null, until: new Date(Date.now() + 1e7) })
      .execute();
    expect((await portal.call(record, { dataloggerSN: snOf(1), hours: 1 }, { token })).errno).toBe(42330);
    await db().deleteFrom('message_recordings').execute();
  });
});

test('a message of a recording that is gone leaves the numbers of those beside it to them', async () => {
  const message = (recordingId: string | null, size: number): NewMessage => ({
    ...{ recordingId, sn: snOf(4), deviceSn: '', atMs: Date.now(), direction: 'up', kind: 'NDATA', size },
    ...{ payload: Buffer.from([size]), readable: {}, isWithheld: false, refusedFor: 'test' },
  });
  const [first, gone, last] = await writeMessages(db(), [
    message(null, 1),
    message('00000000-0000-4000-8000-00000000dead', 2),
    message(null, 3),
  ]);
  expect(gone).toBeUndefined();
  const rows = await db()
    .selectFrom('recorded_messages')
    .select(['id', 'size'])
    .where('id', 'in', [first ?? '', last ?? ''])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { id: first, size: 1 },
    { id: last, size: 3 },
  ]);
});

test('what is refused is there without a recording, with its reason, and only the newest of each datalogger', async () => {
  const sn = snOf(5);
  await db()
    .insertInto('recorded_messages')
    .values(
      Array.from({ length: 2 * MOST_REFUSED_OF_DATALOGGER }, (_, minute) => ({
        recording_id: null,
        device_sn: '',
        sn,
        at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
        direction: 'up' as const,
        kind: 'other',
        size: 1,
        payload: Buffer.alloc(1),
        readable: '{}',
        refused_for: 'topic',
      })),
    )
    .execute();
  const edge = await connect(sn);
  await edge.birth();
  const garbage = Buffer.from('\xff\xffnonsense', 'latin1');
  await edge.client.publishAsync(`spBv1.0/solar/DDATA/${sn}/X1`, garbage, { qos: 1 });
  const refused = await until(async () => {
    const rows = await found({ content: sn, refused: 'yes' });
    return rows[0]?.kind === 'DDATA' && rows.length === MOST_REFUSED_OF_DATALOGGER ? rows : undefined;
  }, 'the refused message and the newest before it');
  expect(refused[0]).toMatchObject({ deviceSN: 'X1', refusedFor: expect.stringMatching(/^[a-z-]+$/) });
  const { result } = await portal.call(message, { id: refused[0]?.id ?? 0 }, { token });
  expect(result.hex).toBe(garbage.toString('hex'));
  expect((await found({ content: sn, refused: 'no' })).length).toBe(0);
  await edge.end();
});

test('every reason for which a message is not taken has words', () => {
  expect(refusalReasons.filter((reason) => knownPhrase(`test-log.reason.${reason}`, 'en') === undefined)).toEqual([]);
});

test('a battery log tells each sample of a battery, page by page and as a file', async () => {
  const sn = snOf(1);
  const edge = await connect(sn);
  await edge.birth();
  await edge.deviceBirth('BAT-T', 'battery');
  const startMs = Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000;
  for (let minute = 0; minute < 25; minute += 1) {
    await edge.data(
      'BAT-T',
      { 'Bat/Soc': 40 + minute, 'Bat/Voltage': 51.2, 'Bat/CellVoltageMax': 3.345, 'Bat/State': 1 },
      { timestampMs: startMs + minute * 60_000, historical: true },
    );
  }
  await portal.server.ingestion.drain();
  const first = await portal.call(batteryLog, { condition: { content: 'BAT-T' }, pageSize: 20 }, { token });
  expect(first.result).toMatchObject({ total: 25, battery: { deviceSN: 'BAT-T' } });
  expect(first.result.samples[0]).toMatchObject({
    atMs: startMs + 24 * 60_000,
    socPercent: 64,
    voltageV: 51.2,
    cellVoltageMaxV: 3.345,
    state: 'points.batteryCharging',
    powerW: null,
  });
  const second = await portal.call(
    batteryLog,
    { condition: { content: 'BAT-T' }, pageSize: 20, currentPage: 2 },
    { token },
  );
  expect(second.result.samples.map(({ socPercent }) => socPercent)).toEqual([44, 43, 42, 41, 40]);
  const file = await portal.fetch(
    exportBatteryLog,
    { condition: { content: 'BAT-T' }, columns: ['socPercent', 'state'], sort: { field: 'atMs', order: 'asc' } },
    { token },
  );
  expect((await file.text()).trim().split('\n')).toHaveLength(26);
  const none = await portal.call(batteryLog, { condition: { content: 'NO-SUCH' } }, { token });
  expect(none.result).toMatchObject({ total: 0, battery: null });
  await edge.end();
});
