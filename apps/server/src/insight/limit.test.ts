import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addRoof, addRoofDays, type Roof } from '../testing/roofs.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const DAY = '2026-06-19';
const LIMIT_W = 2_000;
const HOUSE_W = 400;

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants?.stop());

/** The days that are told of a roof, but with no more fed in than a limit. */
const holdBack = ({ key }: Roof) =>
  plants.stores.telemetry.client.command({
    query: `INSERT INTO site_5m (site, ts, version, pv_w, load_w, grid_w, battery_w)
      SELECT site, ts, 2, least(pv_w, ${LIMIT_W + HOUSE_W}) AS held_w, ${HOUSE_W}, ${HOUSE_W} - held_w, 0 FROM site_5m FINAL WHERE site = ${key}`,
  });

const setting = (name: string, value: number) => ({ [name]: [value, NOW_MS] as [number, number] });

test.each([
  ['what may be fed in', setting('Setting/ExportLimit', LIMIT_W), LIMIT_W],
  ['what it may give', setting('Setting/ActivePowerLimit', 24), LIMIT_W + HOUSE_W],
])('an inverter that was told last %s has that for a reason on a day that kept to it', async (_, values, limitW) => {
  const { installerId, token } = await plants.addInstaller();
  for (let place = 0; place < 6; place += 1) {
    const whole = await addRoof(plants, installerId, `Whole${place}`, { longitude: 11.5 + place / 100 });
    await addRoofDays(plants, [{ roof: whole, days: [DAY] }]);
  }
  const roof = await addRoof(plants, installerId, 'Held', { longitude: 11.6 });
  await addRoofDays(plants, [{ roof, days: [DAY] }]);
  await holdBack(roof);
  const datalogger = await plants.addDatalogger(roof.id);
  // Told by the device itself, beside what it did on that day.
  const { id } = await plants.addDevice(roof.id, datalogger.id, { values, rated_power_w: 10_000 });
  await plants.db
    .updateTable('device_latest')
    .set({ device_id: roof.inverter.id })
    .where('device_id', '=', id)
    .execute();
  await plants.db.deleteFrom('devices').where('id', '=', id).execute();
  const found = await plants.read(insightEndpoints.evidence, { stationID: roof.id, date: DAY }, token);
  expect(found.reasons.map(({ reason }) => reason)).toEqual([
    { kind: 'export-limit', evidence: { limitW, hours: expect.any(Number) } },
  ]);
  expect(found.unexplainedWh).toBe(0);
});
