import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOW_MS, ownIncidents } from '../testing/incidents-fixture.ts';

const world = ownIncidents();
const { installerWithPlant, plantOf, tell, fold, listed } = world;

test('an integrator reads what happens to a granted device, and neither what people say, nor who they are, nor what it costs', async () => {
  const { token, inverter } = await installerWithPlant();
  const other = await world.plants.addOrganisation('installer');
  const account = await world.plants.addAccount(other.id, 10);
  await world.plants.db
    .insertInto('device_grants')
    .values({ account_id: account.id, device_id: inverter.id })
    .execute();
  const integrator = world.plants.signIn(account);
  await tell({ device: inverter.id });
  await fold();
  const [{ incidentID: id } = { incidentID: '' }] = await listed(token);
  await world.plants.read(incidentEndpoints.note, { id, text: 'The key is under the mat' }, token);
  await world.plants.read(incidentEndpoints.acknowledge, { ids: [id] }, token);
  await world.plants.db
    .updateTable('incidents')
    .set({ lost_wh: 1_500, own_wh: 1_500, lost_money: '0.3', own_money: '0.3', currency: 'EUR' })
    .where('id', '=', id)
    .execute();
  const own = await world.plants.read(incidentEndpoints.detail, { id }, token);
  expect(own.entries.map(({ kind }) => kind).toSorted()).toEqual(['acknowledged', 'commented', 'raised']);
  const read = await world.plants.read(incidentEndpoints.detail, { id }, integrator);
  expect(read.entries).toMatchObject([{ kind: 'raised', by: '', text: '' }]);
  expect(read.incident).toMatchObject({
    lostWh: 1_500,
    lostMoney: null,
    currency: '',
    acknowledgedBy: '',
    assignee: '',
  });
  const { lostOpen } = await world.plants.read(incidentEndpoints.summary, {}, integrator);
  expect(lostOpen).toEqual({ wh: 1_500, money: [], unknown: 0 });
});

test('what shows an incident are the values of it that its device has told', async () => {
  const { token, organisation, siteId } = await installerWithPlant();
  const logger = await world.plants.addDatalogger(siteId);
  const values = { 'DC/Mppt1/Power': [900, NOW_MS], 'DC/Mppt2/Power': [400, NOW_MS] } as Record<
    string,
    [number, number]
  >;
  const { id } = await world.plants.addDevice(siteId, logger.id, { values });
  await tell({ device: id, code: 2006, level: 2 });
  await fold();
  const [incident] = await listed(token);
  const { evidence } = await world.plants.read(incidentEndpoints.detail, { id: incident?.incidentID ?? '' }, token);
  expect(evidence).toMatchObject({
    variables: ['DC/Mppt1/Power', 'DC/Mppt2/Power'],
    day: '2026-06-16',
    dayBefore: '2026-06-15',
  });
  const currents: typeof values = { 'DC/String1/Current': [4.2, NOW_MS], 'DC/String2/Current': [1.1, NOW_MS] };
  const withStrings = { ...values, ...currents };
  const { id: told } = await world.plants.addDevice(siteId, logger.id, { values: withStrings });
  await tell({ device: told, code: 2006, level: 2 });
  await fold();
  const [ofString] = await listed(token, 'open', { deviceID: told });
  const shown = await world.plants.read(incidentEndpoints.detail, { id: ofString?.incidentID ?? '' }, token);
  expect(shown.evidence?.variables).toEqual(['DC/String1/Current', 'DC/String2/Current']);
  const silent = await plantOf(organisation.id);
  await tell({ device: silent.inverter.id, code: 2007 });
  await fold();
  const [other] = await listed(token, 'open', { deviceID: silent.inverter.id });
  const of = await world.plants.read(incidentEndpoints.detail, { id: other?.incidentID ?? '' }, token);
  expect(of.evidence).toBeNull();
});

describe('the list of incidents', () => {
  test('has what costs most first, what costs nobody knows what last, and finds by name of alarm, plant and device', async () => {
    const { token, organisation, inverter } = await installerWithPlant({ name: 'Weingut' });
    const second = await plantOf(organisation.id, { name: 'Bodega' });
    const third = await plantOf(organisation.id, { name: 'Mühle' });
    await tell({ device: inverter.id, code: 3001 });
    await tell({ device: second.inverter.id, code: 2006, level: 2 });
    await tell({ device: third.inverter.id, code: 4007, level: 2 });
    await fold();
    await world.plants.db.updateTable('incidents').set({ lost_wh: 500 }).where('device_id', '=', inverter.id).execute();
    await world.plants.db
      .updateTable('incidents')
      .set({ lost_wh: 900 })
      .where('device_id', '=', second.inverter.id)
      .execute();
    const names = async (condition: Record<string, unknown> = {}) =>
      (await listed(token, 'open', condition)).map(({ plantName }) => plantName);
    expect(await names()).toEqual(['Bodega', 'Weingut', 'Mühle']);
    expect(await names({ content: 'bode' })).toEqual(['Bodega']);
    expect(await names({ content: '4007' })).toEqual(['Mühle']);
    expect(await names({ content: third.inverter.sn })).toEqual(['Mühle']);
    expect(await names({ levels: [3] })).toEqual(['Weingut']);
    expect(await names({ deviceID: second.inverter.id })).toEqual(['Bodega']);
  });

  test('counts its parts as it shows them, and tells when something new has come', async () => {
    const { token, inverter, organisation } = await installerWithPlant();
    const before = await world.plants.read(incidentEndpoints.summary, {}, token);
    expect(before).toMatchObject({ counts: { open: 0, unacknowledged: 0, mended: 0 }, told: 0, newest: 0 });
    const { inverter: other } = await plantOf(organisation.id);
    await tell({ device: inverter.id });
    await tell({ device: other.id, sinceMs: NOW_MS - 3 * HOUR_MS, untilMs: NOW_MS - 175 * MINUTE_MS });
    await fold();
    const after = await world.plants.read(incidentEndpoints.summary, {}, token);
    expect(after).toMatchObject({
      counts: { open: 1, unacknowledged: 1, mine: 0, muted: 0, mended: 1 },
      brief: 1,
      told: 1,
      oldestUnacknowledgedMs: NOW_MS - HOUR_MS,
    });
    expect(after.newest).toBeGreaterThan(before.newest);
  });
});

test('what nobody has reckoned yet is unknown in the sums too, and nothing that is wrong has cost nothing', async () => {
  const { token, inverter } = await installerWithPlant();
  const sums = async () => {
    const { lostOpen, lostToday } = await world.plants.read(incidentEndpoints.summary, {}, token);
    return [lostOpen.wh, lostToday.wh, lostOpen.unknown, lostToday.unknown];
  };
  expect(await sums()).toEqual([0, 0, 0, 0]);
  await tell({ device: inverter.id });
  await fold();
  expect(await sums()).toEqual([null, null, 1, 1]);
  await world.plants.db
    .updateTable('incidents')
    .set({ lost_wh: 500, own_wh: 500 })
    .where('device_id', '=', inverter.id)
    .execute();
  await tell({ device: inverter.id, code: 3005 });
  await fold();
  expect(await sums()).toEqual([500, 0, 1, 1]);
});

test('a file of incidents has all of a view, with the names of alarms and what they cost', async () => {
  const { token, inverter } = await installerWithPlant({ name: 'Hof' });
  await tell({ device: inverter.id });
  await fold();
  await world.plants.db
    .updateTable('incidents')
    .set({ lost_wh: 1_500, lost_money: '0.3', currency: 'EUR' })
    .where('device_id', '=', inverter.id)
    .execute();
  const answer = await world.plants.fetch(
    incidentEndpoints.exportList,
    { condition: {}, format: 'csv', columns: ['plantName', 'code', 'lostWh', 'lostMoney'] },
    token,
  );
  const text = await answer.text();
  expect(text).toContain('Hof');
  expect(text).toMatch(/3001 /);
  expect(text).toMatch(/1[,.]5/);
});
