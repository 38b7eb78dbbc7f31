import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CommandDevice } from '../testing/command-device.ts';
import { until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { view, write, restore } = settingsEndpoints;
const { run, result, retryGroup } = groupEndpoints;
const LIMIT = 'Setting/ExportLimit';

let portal: TestPortal;
let token: string;
const devices: CommandDevice[] = [];

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});
afterAll(() => portal?.stop());
afterEach(async () => {
  for (const device of devices.splice(0)) await device.edge.end();
});

/** An inverter behind a datalogger of its own, whose settings the portal has heard. */
async function inverter(): Promise<{ device: CommandDevice; id: string }> {
  const { db } = portal.server.stores;
  const { sn } = await makePlant(db);
  const device = await CommandDevice.connect(portal.server.mqttPort ?? 0, sn, { [LIMIT]: 10_000 });
  devices.push(device);
  const { deviceID } = await device.row(db);
  await until(
    () => db.selectFrom('device_settings').select('name').where('subject_id', '=', deviceID).executeTakeFirst(),
    'what the birth tells of settings',
  );
  return { device, id: deviceID };
}

const limitOf = async (id: string) =>
  (await portal.call(view, { id }, { token })).result?.settings.find(({ rule }) => rule.name === LIMIT);
const inState = (id: string, state: string) =>
  until(async () => {
    const row = await limitOf(id);
    return row?.state === state ? row : undefined;
  }, `the export limit ${state}`);
const ended = (groupID: string) =>
  until(async () => {
    const { result: found } = await portal.call(result, { groupID }, { token });
    return found?.group.doneMs == null ? undefined : found;
  }, 'the end of the group');

describe('through the broker', () => {
  test('an export limit reaches the inverter and is confirmed by what is read back', async () => {
    const { device, id } = await inverter();
    const values = [{ name: LIMIT, value: 5_000, basedOn: 10_000 }];
    expect((await portal.call(write, { id, values }, { token })).errno).toBe(0);
    expect(await inState(id, 'confirmed')).toMatchObject({ reported: 5_000, desired: 5_000 });
    expect(device.settings[LIMIT]).toBe(5_000);
  });

  test('what an inverter changes by itself is shown as drift, and written again when that is asked for', async () => {
    const { device, id } = await inverter();
    await portal.call(write, { id, values: [{ name: LIMIT, value: 5_000 }] }, { token });
    await inState(id, 'confirmed');
    device.settings[LIMIT] = 8_000;
    await device.edge.send('DDATA', device.sn, [settingMetric(LIMIT, 8_000)]);
    expect(await inState(id, 'drifted')).toMatchObject({ reported: 8_000, desired: 5_000 });
    await portal.call(restore, { id, names: [LIMIT] }, { token });
    await inState(id, 'confirmed');
    expect(device.settings[LIMIT]).toBe(5_000);
  });

  test('of twenty inverters one refuses: nineteen have the limit, and the one takes it when it is tried again', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, inverter));
    const [stubborn] = all;
    if (stubborn === undefined) throw new Error('there is no inverter');
    stubborn.device.behaviour = () => ({ code: ResultCode.refused, message: 'in backup' });
    const begun = await portal.call(
      run,
      { deviceIDs: all.map(({ id }) => id), values: [{ name: LIMIT, value: 5_000 }] },
      { token },
    );
    const first = await ended(begun.result?.groupID ?? '');
    expect(first.group.counts).toMatchObject({ total: 20, confirmed: 19, failed: 1 });
    expect(first.devices[0]).toMatchObject({ deviceID: stubborn.id, state: 'refused', code: 6, message: 'in backup' });
    expect(all.map(({ device }) => device.settings[LIMIT])).toEqual([
      10_000,
      ...Array.from({ length: 19 }, () => 5_000),
    ]);
    stubborn.device.behaviour = () => ({});
    const groupID = first.group.groupID;
    const again = await portal.call(retryGroup, { groupID, deviceIDs: [stubborn.id] }, { token });
    expect((await ended(again.result?.groupID ?? '')).group.counts).toMatchObject({ total: 1, confirmed: 1 });
    expect(stubborn.device.settings[LIMIT]).toBe(5_000);
  });
});
