import { errno } from '@sonnenwarte/contract/errors';
import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { birthProperties } from '@sonnenwarte/device-protocol/points/births';
import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { view, write } = settingsEndpoints;
const LIMIT = 'Setting/ExportLimit';
const DELAY = 'Setting/ReconnectDelay';

let portal: TestPortal;
let token: string;
let edge: TestEdge;

beforeAll(async () => {
  portal = await startTestPortal();
  token = await portal.sessionOf('admin');
});
afterAll(async () => {
  await edge?.end();
  await portal?.stop();
});

const told = async (id: string) => {
  const settings = (await portal.call(view, { id }, { token })).result?.settings ?? [];
  return {
    limit: settings.find(({ rule }) => rule.name === LIMIT),
    delay: settings.find(({ rule }) => rule.name === DELAY),
  };
};

test('what the birth of a plain device lets be written is shown, checked for one and for many, and follows its next birth', async () => {
  const { db } = portal.server.stores;
  const { sn } = await makePlant(db);
  edge = await TestEdge.connect(portal.server.mqttPort ?? 0, sn);
  const device = `PLAIN${sn}`;
  const birth = async (low: number, high: number, isReadOnly: boolean) => {
    await edge.birth();
    await edge.deviceBirth(device, 'inverter', [
      { ...settingMetric(LIMIT, 3_000), properties: birthProperties({ unit: 'W', low, high }, false) },
      { ...settingMetric(DELAY, 60), properties: birthProperties({ unit: 's' }, isReadOnly) },
    ]);
  };
  await birth(1_000, 5_000, true);
  const { id } = await until(() => db.selectFrom('devices').select('id').where('sn', '=', device).executeTakeFirst());
  const first = await until(async () => {
    const { limit, delay } = await told(id);
    return limit?.rule.high === 5_000 ? { limit, delay } : undefined;
  }, 'the bounds of the birth');
  expect(first.limit).toMatchObject({ rule: { low: 1_000, high: 5_000 }, can: { write: true } });
  expect(first.delay?.can).toEqual({ write: false, whyNot: 'readOnly' });

  const refused = await portal.call(write, { id, values: [{ name: LIMIT, value: 5_100 }] }, { token });
  expect(refused).toMatchObject({ errno: errno.refusedInput });
  const readOnly = await portal.call(
    write,
    { id, values: [{ name: DELAY, value: 90 }], confirmation: device },
    { token },
  );
  expect(readOnly).toMatchObject({ errno: errno.settingReadOnly });
  const preview = async (value: number) =>
    (await portal.call(groupEndpoints.preview, { deviceIDs: [id], values: [{ name: LIMIT, value }] }, { token })).result
      ?.rows[0]?.obstacle;
  expect(await preview(5_100)).toMatchObject({ why: 'outOfRange', name: LIMIT });
  expect(await preview(4_900)).toBeNull();

  await birth(1_000, 8_000, false);
  await until(async () => (await told(id)).limit?.rule.high === 8_000, 'the bounds of the next birth');
  expect((await told(id)).delay?.can.write).toBe(true);
  expect((await portal.call(write, { id, values: [{ name: LIMIT, value: 5_100 }] }, { token })).errno).toBe(0);
});
