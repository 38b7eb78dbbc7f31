import { randomUUID } from 'node:crypto';
import { system } from '@sonnenwarte/contract/parallel-system/parallel-system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});

afterAll(() => plants?.stop());

describe('a parallel system', () => {
  test('tells role, power and state of each inverter as the device tells it, and their sum', async () => {
    const { id } = await plants.addOrganisation('installer');
    const site = await plants.addSite(id, { name: 'Three of them' });
    const { id: logger } = await plants.addDatalogger(site.id);
    const rated = { rated_power_w: 10_000, values: {} };
    await plants.addDevice(site.id, logger, { sn: 'A', role: 'master', powerW: 4_000, ...rated });
    await plants.addDevice(site.id, logger, { sn: 'B', role: 'slave', powerW: 4_000, ...rated });
    await plants.addDevice(site.id, logger, { sn: 'C', role: 'odd', powerW: 1_000, state: 'alarm', ...rated });
    await plants.addDevice(site.id, logger, { sn: 'D', kind: 'battery', powerW: -500, values: {} });
    const token = plants.signIn(await plants.addAccount(id, 2));
    const told = await plants.read(system, { stationID: site.id }, token);
    expect(told.name).toBe('Three of them');
    expect(told.inverters).toMatchObject({ sumW: 9_000, reporting: 3 });
    expect(told.inverters.units.map(({ deviceSN, role, state }) => [deviceSN, role, state])).toEqual([
      ['A', 'master', 'normal'],
      ['B', 'slave', 'normal'],
      ['C', null, 'alarm'],
    ]);
    expect(told.inverters.units.map(({ isMarked }) => isMarked)).toEqual([true, true, true]);
    expect(told.batteries).toMatchObject({ sumW: -500, reporting: 1 });
  });

  test('of a stranger is answered as one that does not exist', async () => {
    const { id } = await plants.addOrganisation('installer');
    const site = await plants.addSite(id);
    const other = await plants.addOrganisation('installer');
    const token = plants.signIn(await plants.addAccount(other.id, 2));
    const stranger = await plants.call(system, { stationID: site.id }, token);
    const missing = await plants.call(system, { stationID: randomUUID() }, token);
    expect(stranger.errno).toBe(missing.errno);
    expect(stranger.errno).not.toBe(0);
  });
});
