import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandDevice } from '../testing/command-device.ts';
import { until } from '../testing/edge.ts';
import { makeDatalogger } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { LIMIT } from './load.ts';

let portal: TestPortal;
let token: string;
let planID: string;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
  const steps = [{ minutes: 60, percent: 30 }];
  await portal.call(calls.planAdd, { name: 'Thirty', durationMinutes: 60, steps, limits: {} }, { token });
  const { result } = await portal.call(calls.plans, { search: 'Thirty' }, { token });
  planID = result?.choices[0]?.id ?? '';
});
afterAll(() => portal?.stop());

const limited = (device: CommandDevice, percent: number) =>
  until(() => device.settings[LIMIT] === percent, `a limit of ${percent} % at the inverter`);
const stillOf = async (runID: string, sn: string) =>
  (await portal.call(calls.unit, { runID, sn }, { token })).result?.stillPercent;
const abort = (runID: string) => portal.call(calls.abort, { runID, reason: 'over' }, { token });

/** An inverter on a rack whose run tells it 30 %, which it has taken. */
async function burning() {
  const { db } = portal.server.stores;
  const loggerSn = await makeDatalogger(db, null);
  const device = await CommandDevice.connect(portal.server.mqttPort ?? 0, loggerSn, { [LIMIT]: 100 });
  const { deviceID } = await device.row(db);
  const settings = db.selectFrom('device_settings').where('subject_id', '=', deviceID);
  await until(() => settings.select('name').executeTakeFirst(), 'what the birth tells of settings');
  const { sn } = device;
  const { result } = await portal.call(calls.add, { planID, rack: 'R1', sns: [sn], setsLoad: true }, { token });
  const runID = result?.runID ?? '';
  await portal.call(calls.start, { runID }, { token });
  await limited(device, 30);
  await until(
    async () => (await settings.select('desired').where('name', '=', LIMIT).executeTakeFirst())?.desired === 30,
    'that the portal knows it',
  );
  return { device, deviceID, runID, sn };
}

describe('through the broker', () => {
  test('the load of a run reaches the inverter, and is taken back until it has taken that', async () => {
    const { device, runID, sn } = await burning();
    await abort(runID);
    expect(await stillOf(runID, sn)).toBe(30);
    await limited(device, 100);
    await until(async () => (await stillOf(runID, sn)) === null, 'the end of the limit');
    expect(device.done).toHaveLength(2);
    await device.end();
  });

  test('what somebody sets at the inverter meanwhile stays when the run is over', async () => {
    const { device, deviceID, runID, sn } = await burning();
    device.settings[LIMIT] = 60;
    await device.edge.send('DDATA', sn, [settingMetric(LIMIT, 60)]);
    const reported = portal.server.stores.db
      .selectFrom('device_settings')
      .select('reported')
      .where('subject_id', '=', deviceID)
      .where('name', '=', LIMIT);
    await until(
      async () => (await reported.executeTakeFirst())?.reported === 60,
      'that the portal knows the new limit',
    );
    await abort(runID);
    expect(await stillOf(runID, sn)).toBeNull();
    const orders = portal.server.stores.db.selectFrom('commands').select('id').where('device_id', '=', deviceID);
    expect(await orders.execute()).toHaveLength(1);
    expect(device.settings[LIMIT]).toBe(60);
    await device.end();
  });
});
