import { installTrendEndpoints } from '@sonnenwarte/contract/install-trend/install-trend';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { trend, list, exportList } = installTrendEndpoints;

let plants: PlantsFixture;
let token: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  const agent = await plants.addOrganisation('agent');
  const first = await plants.addOrganisation('installer', [agent.id]);
  const second = await plants.addOrganisation('installer', [agent.id]);
  const stranger = await plants.addOrganisation('installer');
  await plants.addSite(first.id, {
    commissioned_on: '2026-01-31',
    grid_connected_on: '2026-03-01',
    system_size_kwp: 10,
  });
  await plants.addSite(first.id, { commissioned_on: '2026-01-01', system_size_kwp: 5.5 });
  await plants.addSite(second.id, { grid_connected_on: '2026-03-31', country: 'FR', type: 2, system_size_kwp: 20 });
  await plants.addSite(second.id, {});
  await plants.addSite(second.id, { commissioned_on: '2026-01-15', deleted_at: new Date() });
  await plants.addSite(stranger.id, { commissioned_on: '2026-01-15' });
  token = plants.signIn(await plants.addAccount(agent.id, 3));
});

afterAll(() => plants?.stop());

const asked = (by: 'country' | 'type' | 'installer', span = {}) => ({
  condition: { content: '', by, first: '2026-01', last: '2026-03', ...span },
});

describe('the installation trend', () => {
  test('counts the plants in scope in the month of commission, or else of connection to the grid', async () => {
    expect(await plants.read(trend, asked('country'), token)).toEqual({
      months: ['2026-01', '2026-02', '2026-03'],
      groups: [
        { group: 'FR', plants: [0, 0, 1], kwp: [0, 0, 20] },
        { group: 'DE', plants: [2, 0, 0], kwp: [15.5, 0, 0] },
      ],
      before: { plants: 0, kwp: 0 },
      undated: 1,
    });
  });

  test('begins with what was there before its first month', async () => {
    const told = await plants.read(trend, asked('type', { first: '2026-02' }), token);
    expect(told.before).toEqual({ plants: 2, kwp: 15.5 });
    expect(told.groups).toEqual([{ group: '2', plants: [0, 1], kwp: [0, 20] }]);
  });

  test('is a list of the same months and groups', async () => {
    const told = await plants.read(list, asked('installer'), token);
    expect(told.total).toBe(2);
    expect(told.months.map(({ month, plants: count, kwp }) => [month, count, kwp])).toEqual([
      ['2026-03', 1, 20],
      ['2026-01', 2, 15.5],
    ]);
  });

  test('is a file with groups as people read them', async () => {
    const columns = ['month', 'group', 'plants', 'kwp'] as const;
    const answer = await plants.fetch(exportList, { ...asked('country'), format: 'csv', columns }, token);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(text).toContain('2026-01');
    expect(text).toMatch(/Deutschland|Germany/);
  });
});
