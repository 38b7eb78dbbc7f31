import { gatewayList } from '@sonnenwarte/contract/devices/device-lists';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { told } from '../testing/listed-devices.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
const HOUR_MS = 3_600_000;
let plants: PlantsFixture;
let admin: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  admin = plants.signIn(await plants.addAccount((await plants.addOrganisation('platform')).id, 255));
});
afterAll(() => plants.stop());

const closed = { 'State/GridRelay': 1, 'AC/L1/Voltage': 231 };
const asleep = { 'State/GridRelay': 0, 'AC/L1/Voltage': 231, 'Eps/Voltage': 0 };
const island = { 'State/GridRelay': 0, 'AC/L1/Voltage': 0, 'Eps/Voltage': 230 };
const dark = { 'State/GridRelay': 0, 'AC/L1/Voltage': 2, 'Eps/Voltage': 0 };

test.each([
  ['a closed relay', [closed], true],
  ['a relay that is open for the night while the grid is at the terminals', [asleep], true],
  ['a backup output that is fed', [island], false],
  ['one that sleeps at the bus of an island', [asleep, island], false],
  ['one that feeds while another sleeps', [asleep, closed], true],
  ['no voltage at all', [dark], false],
  ['an open relay alone', [{ 'State/GridRelay': 0 }], null],
  ['nothing that tells', [{}], null],
] as const)(
  'a plant with %s is told the same on its page and in the list of gateways',
  async (_, inverters, onGrid) => {
    const organisation = await plants.addOrganisation('installer');
    const site = await plants.addSite(organisation.id);
    const logger = await plants.addDatalogger(site.id);
    const gateway = await plants.addDevice(site.id, logger.id, { kind: 'gateway', values: {} });
    for (const values of inverters) await plants.addDevice(site.id, logger.id, { values: told(values) });
    // One that has been silent for an hour tells nothing of now.
    const silent = await plants.addDatalogger(site.id, new Date(NOW_MS - HOUR_MS));
    const values = told(onGrid === true ? island : closed);
    await plants.addDevice(site.id, silent.id, { last_seen_at: new Date(NOW_MS - HOUR_MS), values });

    const live = await plants.read(siteEndpoints.live, { stationID: site.id }, admin);
    expect(live.gateway?.onGrid).toBe(onGrid);
    const { devices } = await plants.read(gatewayList, { condition: { stationID: site.id } }, admin);
    expect(devices).toMatchObject([{ deviceID: gateway.id, grid: onGrid === null ? null : onGrid ? 'on' : 'off' }]);
  },
);
