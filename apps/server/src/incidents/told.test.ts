import { type ActiveAlarm, alarmsToDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { foldTold } from './fold-told.ts';

const own = ownIngestion({ timing: { clearAlarmMs: 50 } });

async function plantWithInverter() {
  const { sn, siteId } = await makePlant(own.stores.db);
  const device = `D${sn}`;
  const edge = await TestEdge.connect(own.ingestion.port, sn);
  await edge.birth();
  await edge.deviceBirth(device, 'inverter', [{ name: 'AC/ActivePower', datatype: DataType.Float, value: 1_000 }]);
  const tell = (list: ActiveAlarm[]) =>
    edge.send('DDATA', device, [{ name: 'Alarm/Active', datatype: DataType.DataSet, value: alarmsToDataSet(list) }]);
  const incidents = async () => {
    while ((await foldTold(own.stores.db, Date.now())) > 0);
    return own.stores.db
      .selectFrom('incidents')
      .select(['code', 'state', 'times', 'since', 'extra'])
      .where('site_id', '=', siteId)
      .orderBy('number')
      .execute();
  };
  return { edge, tell, incidents };
}

test('what a device tells over MQTT is an incident with its words, and what it tells no more is over, and comes back as the same', async () => {
  const { edge, tell, incidents } = await plantWithInverter();
  const sinceMs = Date.now() - 10_000;
  const alarm: ActiveAlarm = { code: 3001, level: 3, sinceMs, extra: 'heat sink 81 °C' };
  await tell([alarm]);
  const [opened] = await until(async () => {
    const list = await incidents();
    return list.length > 0 ? list : undefined;
  });
  expect(opened).toMatchObject({ code: 3001, state: 'open', times: 1, extra: 'heat sink 81 °C' });
  expect(opened?.since.getTime()).toBe(sinceMs);
  await tell([]);
  await until(async () => (await incidents())[0]?.state === 'cleared');
  await tell([{ ...alarm, sinceMs: Date.now() }]);
  await until(async () => (await incidents())[0]?.state === 'open');
  expect(await incidents()).toMatchObject([{ state: 'open', times: 2 }]);
  await edge.end();
});

test('an alarm that stands while the portal starts anew is neither lost nor told twice', async () => {
  const { edge, tell, incidents } = await plantWithInverter();
  await tell([{ code: 2006, level: 2, sinceMs: Date.now() - 60_000, extra: '' }]);
  await until(async () => (await incidents()).length === 1);
  await edge.end();
  await own.restart();
  expect(await incidents()).toMatchObject([{ code: 2006, state: 'open', times: 1 }]);
});
