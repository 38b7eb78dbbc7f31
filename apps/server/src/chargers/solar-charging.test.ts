import { chargerEndpoints, type Pile } from '@sonnenwarte/contract/chargers/chargers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawChargePoint } from '../testing/charge-point.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { add, list, setMode } = chargerEndpoints;
const START_MS = Date.UTC(2026, 5, 21, 9);
const STEP_MS = 10_000;

let plants: PlantsFixture;
let clock: ManualClock;
let token: string;
let site: { id: string; key: number };
let point: RawChargePoint;
let pile: { deviceID: string };
let meterId: string;
let address: string;
let access: { user: string; password: string };

beforeAll(async () => {
  clock = new ManualClock(START_MS);
  // What is told decides, and not the time that passes beside.
  plants = await PlantsFixture.start(() => ({ nowMs: () => clock.nowMs(), after: () => () => undefined }));
  plants.time.nowMs = START_MS;
  const { installerId } = await plants.addInstaller();
  const owner = await plants.addAccount(installerId, 1);
  token = plants.signIn(owner);
  site = await plants.addSite(installerId, { owner_account_id: owner.id, latest: { grid_w: 0 } });
  const datalogger = await plants.addDatalogger(site.id);
  meterId = (await plants.addDevice(site.id, datalogger.id, { kind: 'meter', role: 'grid', values: {} })).id;
  const described = { name: 'Carport', ratedPowerW: 7_400, phases: 'one', mostCurrentA: 32 } as const;
  const added = await plants.read(add, { stationID: site.id, deviceSN: 'CP-SUN', ...described }, token);
  pile = added;
  await plants.read(setMode, { deviceID: added.deviceID, mode: 'solar', limitA: null, times: [] }, token);
  access = added;
  address = `${plants.url.replace('http', 'ws')}/ocpp/CP-SUN`;
  point = await RawChargePoint.connect(address, access);
});

afterAll(async () => {
  point?.cut();
  await plants?.stop();
});

async function shown(): Promise<Pile> {
  const { piles } = await plants.read(list, { stationID: site.id }, token);
  const found = piles.find(({ deviceID }) => deviceID === pile.deviceID);
  if (found === undefined) throw new Error('the pile is not listed');
  return found;
}

/** The plant measures anew, and whoever listens is told. */
async function measure(values: { gridW: number; batteryW?: number }): Promise<void> {
  const ts = new Date(clock.nowMs());
  plants.time.nowMs = clock.nowMs();
  await plants.db
    .updateTable('site_latest')
    .set({ grid_w: values.gridW, battery_w: values.batteryW ?? null, ts })
    .where('site_id', '=', site.id)
    .execute();
  await plants.db.updateTable('device_latest').set({ ts }).where('device_id', '=', meterId).execute();
  await plants.bus.publish({ sites: [site.key], devices: [] });
}

/** The values have been thought over: what is left over is shown as they say. */
const thoughtOver = (surplusW: number) =>
  expect.poll(async () => (await shown()).surplusW, { timeout: 10_000 }).toBe(surplusW);

const limitOf = (profile: Record<string, unknown>): number => {
  const { csChargingProfiles } = profile as {
    csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: { limit: number }[] } };
  };
  return csChargingProfiles.chargingSchedule.chargingSchedulePeriod[0]?.limit ?? -1;
};

async function meters(powerW: number): Promise<void> {
  await point.call('MeterValues', {
    connectorId: 1,
    meterValue: [
      {
        timestamp: new Date(clock.nowMs()).toISOString(),
        sampledValue: [{ value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' }],
      },
    ],
  });
}

/** Ten seconds with so much left over: the plant is measured, and when the vehicle has followed, the pile. */
async function step(freeW: number): Promise<void> {
  const { isCharging, offeredA } = await shown();
  const drawnW = isCharging ? Math.round((offeredA ?? 0) * 230) : 0;
  await measure({ gridW: drawnW - freeW });
  await thoughtOver(freeW);
  await clock.advance(6_000);
  if (isCharging) await meters(Math.round(((await shown()).offeredA ?? 0) * 230));
  await clock.advance(STEP_MS - 6_000);
}

/** The same again and again, each time a Watt more, so that it is seen when it has been thought over. */
async function steps(count: number, freeW: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await step(freeW + done);
}

test('it waits for sun, starts with the least current, follows what is left, and goes down at once when a cloud comes', async () => {
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  expect(limitOf(await point.next('SetChargingProfile'))).toBe(0);
  // The contactor may have been switched just before the portal came to know of the pile.
  await steps(31, 4_000);
  expect(limitOf(await point.next('SetChargingProfile', (profile) => limitOf(profile) > 0))).toBe(6);
  expect(await point.next('RemoteStartTransaction')).toMatchObject({ connectorId: 1 });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });

  await clock.advance(6_000);
  await meters(1_380);
  await clock.advance(4_000);
  await steps(10, 4_000);
  // No more is at stake than may be bought until it has followed.
  const { offeredA: raised, ...now } = await shown();
  expect(raised).toBeGreaterThan(8);
  expect(raised).toBeLessThanOrEqual((4_000 - 60) / 230);
  expect(now).toMatchObject({ why: 'solar', offeredPhases: 1 });

  const drawnW = Math.round((raised ?? 0) * 230);
  await measure({ gridW: drawnW - 500 });
  const isRaised = (profile: Record<string, unknown>) => limitOf(profile) === raised;
  await point.next('SetChargingProfile', isRaised);
  expect(limitOf(await point.next('SetChargingProfile'))).toBe(6);
  expect(await shown()).toMatchObject({ why: 'minimum', offeredA: 6 });
}, 120_000);

test('connected again in the middle of charging, it goes on at the least current and opens no contactor', async () => {
  point.cut();
  point = await RawChargePoint.connect(address, access);
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });
  expect(limitOf(await point.next('SetChargingProfile'))).toBe(6);
});

test('what charges or leaves the battery is not left over for the car', async () => {
  await expect.poll(async () => (await shown()).offeredA).toBe(6);
  await clock.advance(6_000);
  await meters(1_380);
  await clock.advance(4_000);
  await measure({ gridW: 0, batteryW: 1_380 });
  await thoughtOver(0);
});
