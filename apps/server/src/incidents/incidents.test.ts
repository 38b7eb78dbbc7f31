import { errno } from '@sonnenwarte/contract/errors';
import { incidentEndpoints, MOST_COMMENTS } from '@sonnenwarte/contract/incidents/incidents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { endAlarm, tellAlarm } from '../testing/told-alarms.ts';
import { foldTold } from './fold-told.ts';
import { forgetIncidents } from './watch.store.ts';
import { closeWhatIsDone } from './watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;

beforeAll(async () => {
  // Nothing is folded by itself: tests say when.
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
});

afterAll(() => plants.stop());

/** An installer with a plant, its own clock and nothing wrong. */
async function installerWithPlant(site: { name?: string; postcode?: string } = {}) {
  plants.time.nowMs = NOW_MS;
  const organisation = await plants.addOrganisation('installer');
  const account = await plants.addAccount(organisation.id, 2);
  const token = plants.signInOf(account, organisation.path);
  return { organisation, account, token, ...(await plantOf(organisation.id, site)) };
}

async function plantOf(organisationID: string, site: { name?: string; postcode?: string } = {}) {
  const { id: siteId } = await plants.addSite(organisationID, site);
  const logger = await plants.addDatalogger(siteId);
  const inverter = await plants.addDevice(siteId, logger.id);
  return { siteId, logger, inverter };
}

interface Told {
  device?: string;
  code?: number;
  level?: number;
  sinceMs?: number;
  untilMs?: number | null;
}

/** A device tells an alarm, of an hour ago unless said otherwise. */
const tell = ({ device, sinceMs = NOW_MS - HOUR_MS, ...told }: Told) =>
  tellAlarm(plants, { device: device ?? null, sinceMs, ...told });

const end = (id: string, untilMs: number) => endAlarm(plants, id, untilMs);

const fold = () => foldTold(plants.db, plants.time.nowMs ?? NOW_MS);

type View = 'open' | 'unacknowledged' | 'mine' | 'muted' | 'mended' | 'all';
const listed = async (token: string, view: View = 'open', condition: Record<string, unknown> = {}) =>
  (await plants.read(incidentEndpoints.list, { condition: { view, ...condition } }, token)).incidents;

describe('alarms that are told', () => {
  test('are one incident that is open, with its device and plant', async () => {
    const { token, inverter, siteId, logger } = await installerWithPlant({ name: 'Hof' });
    await tell({ device: inverter.id });
    await fold();
    const [incident, ...others] = await listed(token);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      code: 3001,
      level: 3,
      state: 'open',
      stationID: siteId,
      plantName: 'Hof',
      deviceSN: inverter.sn,
      moduleSN: logger.sn,
      sinceMs: NOW_MS - HOUR_MS,
      untilMs: null,
      times: 1,
      lostWh: null,
      can: { work: true, assign: true },
    });
  });

  test('that flap are one row with a count, and folding them twice changes nothing', async () => {
    const { token, inverter } = await installerWithPlant();
    for (let turn = 0; turn < 14; turn += 1) {
      const sinceMs = NOW_MS - 2 * HOUR_MS + turn * 5 * MINUTE_MS;
      await tell({ device: inverter.id, sinceMs, untilMs: sinceMs + MINUTE_MS });
    }
    await fold();
    await plants.db.updateTable('alarms').set({ folded: false }).where('device_id', '=', inverter.id).execute();
    await fold();
    const incidents = await listed(token, 'all');
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ times: 14, state: 'cleared', sinceMs: NOW_MS - 2 * HOUR_MS });
  });

  test('go from open over acknowledged and cleared to closed, and come back meanwhile as acknowledged', async () => {
    const { token, inverter } = await installerWithPlant();
    const first = await tell({ device: inverter.id });
    await fold();
    const [opened] = await listed(token);
    const id = opened?.incidentID ?? '';
    expect(await plants.read(incidentEndpoints.acknowledge, { ids: [id], comment: 'Seen' }, token)).toEqual({
      done: 1,
    });
    expect((await listed(token))[0]).toMatchObject({ state: 'acknowledged', acknowledgedBy: 'test' });
    expect(await plants.read(incidentEndpoints.acknowledge, { ids: [id] }, token)).toEqual({ done: 0 });
    await end(first.id, NOW_MS - 10 * MINUTE_MS);
    await fold();
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'mended'))[0]).toMatchObject({ state: 'cleared', untilMs: NOW_MS - 10 * MINUTE_MS });
    const again = await tell({ device: inverter.id, sinceMs: NOW_MS - 5 * MINUTE_MS });
    await fold();
    expect((await listed(token))[0]).toMatchObject({ incidentID: id, state: 'acknowledged', times: 2, untilMs: null });
    await end(again.id, NOW_MS);
    await fold();
    plants.time.nowMs = NOW_MS + HOUR_MS;
    await closeWhatIsDone(plants.db, NOW_MS + HOUR_MS);
    const { incident, entries } = await plants.read(incidentEndpoints.detail, { id }, token);
    expect(incident.state).toBe('closed');
    expect(entries.map(({ kind, atMs }) => [kind, (atMs - NOW_MS) / MINUTE_MS]).toReversed()).toEqual([
      ['raised', -60],
      ['cleared', -10],
      ['returned', -5],
      ['acknowledged', 0],
      ['cleared', 0],
      ['closed', 60],
    ]);
    plants.time.nowMs = NOW_MS;
  });

  test('are commented a bounded number of times, by one account in ten minutes and altogether', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const id = (await listed(token))[0]?.incidentID ?? '';
    const comment = () => plants.call(incidentEndpoints.note, { id, text: 'Still there.' }, token);
    for (let count = 0; count < 19; count += 1) expect(await comment()).toMatchObject({ errno: 0 });
    await plants.db
      .insertInto('incident_entries')
      .values(
        Array.from({ length: MOST_COMMENTS - 19 }, () => ({
          incident_id: id,
          at: new Date(NOW_MS),
          kind: 'commented' as const,
          account_id: null,
          actor: 'x',
          text: 'x',
        })),
      )
      .execute();
    expect(await comment()).toMatchObject({ errno: errno.incidentFull });
    expect(await comment()).toMatchObject({ errno: errno.tryLater, result: { retryAfterMs: expect.any(Number) } });
  });

  test('an hour after it was over are another incident', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id, sinceMs: NOW_MS - 5 * HOUR_MS, untilMs: NOW_MS - 4 * HOUR_MS });
    await fold();
    await tell({ device: inverter.id, sinceMs: NOW_MS - HOUR_MS });
    await fold();
    const incidents = await listed(token, 'all', {});
    expect(incidents.map(({ state, times }) => [state, times]).toSorted()).toEqual([
      ['closed', 1],
      ['open', 1],
    ]);
  });

  test('of a device that is deleted are over, and are there again when it comes back', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const remove = (at: Date | null) =>
      plants.db.updateTable('devices').set({ deleted_at: at }).where('id', '=', inverter.id).execute();
    await remove(new Date(NOW_MS));
    await closeWhatIsDone(plants.db, NOW_MS);
    expect(await listed(token)).toEqual([]);
    await remove(null);
    await fold();
    expect(await listed(token)).toHaveLength(1);
  });

  test('of a datalogger that is silent and of its devices are one incident that explains them', async () => {
    const { token, inverter, logger, siteId } = await installerWithPlant();
    await plants.db
      .insertInto('alarms')
      .values({
        device_id: null,
        logger_id: logger.id,
        site_id: siteId,
        code: 5003,
        level: 2,
        since: new Date(NOW_MS - HOUR_MS),
        until: null,
        source: 'portal',
      })
      .execute();
    const device = await tell({ device: inverter.id, code: 5004, level: 2 });
    await fold();
    const incidents = await listed(token);
    expect(incidents).toHaveLength(1);
    const [silent] = incidents;
    expect(silent).toMatchObject({ code: 5003, moduleSN: logger.sn, deviceSN: '', children: 1 });
    expect((await listed(token, 'all', { causeID: silent?.incidentID })).map(({ code }) => code)).toEqual([5004]);
    await plants.db
      .updateTable('alarms')
      .set({ until: new Date(NOW_MS), folded: false })
      .where('logger_id', '=', logger.id)
      .execute();
    await fold();
    // The datalogger is heard again, the device is not: that is its own trouble now.
    expect((await listed(token)).map(({ code }) => code)).toEqual([5004]);
    await end(device.id, NOW_MS);
    await fold();
    expect(await listed(token)).toEqual([]);
  });
});

test('an incident that was closed long ago is forgotten with what was told, and none that goes on', async () => {
  const { token, inverter } = await installerWithPlant();
  const day = 24 * HOUR_MS;
  await tell({ device: inverter.id, sinceMs: NOW_MS - 20 * day, untilMs: NOW_MS - 19 * day });
  await tell({ device: inverter.id, code: 2006, level: 2, sinceMs: NOW_MS - 20 * day });
  await fold();
  expect(await listed(token, 'all')).toHaveLength(2);
  expect(await forgetIncidents(plants.db, new Date(NOW_MS - 10 * day), 10)).toBe(1);
  expect((await listed(token, 'all')).map(({ code }) => code)).toEqual([2006]);
  const left = await plants.db.selectFrom('alarms').select('code').where('device_id', '=', inverter.id).execute();
  expect(left).toEqual([{ code: 2006 }]);
});

describe('a grid that is lost at many plants of a postcode', () => {
  test('is one incident to whom all of them belong, and each owner’s own to that owner', async () => {
    const { organisation, token } = await installerWithPlant();
    const owner = await plants.addAccount(organisation.id, 1);
    const ownerToken = plants.signInOf(owner, organisation.path);
    const postcode = '85354';
    for (let number = 0; number < 10; number += 1) {
      const { siteId, inverter } = await plantOf(organisation.id, { name: `Haus ${number}`, postcode });
      if (number === 0) {
        await plants.db.updateTable('sites').set({ owner_account_id: owner.id }).where('id', '=', siteId).execute();
      }
      await tell({ device: inverter.id, code: 1005, sinceMs: NOW_MS - HOUR_MS + number * 10_000 });
    }
    await fold();
    const incidents = await listed(token);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ code: 1005, region: 'DE 85354', plants: 10, children: 10, stationID: '' });
    expect((await listed(ownerToken)).map(({ plantName, region }) => [plantName, region])).toEqual([['Haus 0', '']]);
    const { done } = await plants.read(incidentEndpoints.acknowledge, { ids: [incidents[0]?.incidentID ?? ''] }, token);
    expect(done).toBe(11);
    await plants.db
      .updateTable('alarms')
      .set({ until: new Date(NOW_MS), folded: false })
      .where('code', '=', 1005)
      .execute();
    await fold();
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'mended'))[0]).toMatchObject({ region: 'DE 85354', state: 'cleared' });
  });

  test('is two incidents to two installers, and one to the agent above them', async () => {
    plants.time.nowMs = NOW_MS;
    const agent = await plants.addOrganisation('agent');
    const agentToken = plants.signInOf(await plants.addAccount(agent.id, 3), agent.path);
    const installers = await Promise.all([1, 2].map(() => plants.addOrganisation('installer', agent.path)));
    for (const each of [...installers, ...installers]) {
      const { inverter } = await plantOf(each.id, { postcode: '10115' });
      await tell({ device: inverter.id, code: 1005 });
    }
    await fold();
    expect((await listed(agentToken)).map(({ plants: count }) => count)).toEqual([4]);
    const [first] = installers;
    const token = plants.signInOf(await plants.addAccount(first?.id ?? '', 2), first?.path ?? []);
    expect((await listed(token)).map(({ region }) => region)).toEqual(['', '']);
  });
});

describe('what people do with incidents', () => {
  test('a muted one is not open until its time is over, and says who muted it and why', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const id = (await listed(token))[0]?.incidentID ?? '';
    const untilMs = NOW_MS + 24 * HOUR_MS;
    const reason = 'Fan is ordered';
    expect(await plants.read(incidentEndpoints.mute, { ids: [id], untilMs, reason }, token)).toEqual({ done: 1 });
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'muted'))[0]).toMatchObject({ mutedUntilMs: untilMs });
    expect(await plants.read(incidentEndpoints.detail, { id }, token)).toMatchObject({ muteReason: reason });
    plants.time.nowMs = untilMs + 1;
    expect(await listed(token)).toHaveLength(1);
    plants.time.nowMs = NOW_MS;
    expect(await plants.read(incidentEndpoints.unmute, { ids: [id] }, token)).toEqual({ done: 1 });
    expect(await listed(token)).toHaveLength(1);
  });

  test('muting until what is past, or for longer than 90 days, is refused at its field', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const ids = [(await listed(token))[0]?.incidentID ?? ''];
    for (const untilMs of [NOW_MS, NOW_MS + 91 * 24 * HOUR_MS]) {
      const answer = await plants.call(incidentEndpoints.mute, { ids, untilMs, reason: 'later' }, token);
      expect(answer).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'untilMs' }] } });
    }
  });

  test('one is given to who sees it, and to nobody whose organisation does not', async () => {
    const { token, inverter, organisation, account } = await installerWithPlant();
    const below = await plants.addOrganisation('installer', organisation.path);
    const stranger = await plants.addAccount(below.id, 2);
    await tell({ device: inverter.id });
    await fold();
    const ids = [(await listed(token))[0]?.incidentID ?? ''];
    const { choices } = await plants.read(incidentEndpoints.assignees, { incidentIDs: ids }, token);
    expect(choices.map(({ id }) => id)).toEqual([account.id]);
    expect(await plants.read(incidentEndpoints.assign, { ids, accountID: account.id }, token)).toEqual({ done: 1 });
    expect(await listed(token, 'mine')).toHaveLength(1);
    const refused = await plants.call(incidentEndpoints.assign, { ids, accountID: stranger.id }, token);
    expect(refused.errno).toBe(errno.assigneeSeesNot);
    expect(await plants.read(incidentEndpoints.assign, { ids, accountID: null }, token)).toEqual({ done: 1 });
    expect(await listed(token, 'mine')).toEqual([]);
  });

  test('one that goes on cannot be closed; one that is over can, with what it was, which counts for the next', async () => {
    const { token, inverter } = await installerWithPlant();
    const told = await tell({ device: inverter.id, code: 2006, level: 2 });
    await fold();
    const id = (await listed(token))[0]?.incidentID ?? '';
    const close = () => plants.read(incidentEndpoints.close, { ids: [id], cause: 'shade' }, token);
    expect(await close()).toEqual({ done: 0 });
    await end(told.id, NOW_MS);
    await fold();
    expect(await close()).toEqual({ done: 1 });
    const { incident, found } = await plants.read(incidentEndpoints.detail, { id }, token);
    expect(incident).toMatchObject({ state: 'closed', cause: 'shade' });
    expect(found).toEqual([{ cause: 'shade', incidents: 1 }]);
  });

  test('all of several are changed or none: one that is a stranger’s changes nothing', async () => {
    const mine = await installerWithPlant();
    const other = await installerWithPlant();
    await tell({ device: mine.inverter.id });
    await tell({ device: other.inverter.id });
    await fold();
    const own = (await listed(mine.token))[0]?.incidentID ?? '';
    const strange = (await listed(other.token))[0]?.incidentID ?? '';
    const answer = await plants.call(incidentEndpoints.acknowledge, { ids: [own, strange] }, mine.token);
    expect(answer.errno).toBe(errno.incidentNotFound);
    expect((await listed(mine.token))[0]?.state).toBe('open');
  });

  test('with whom a plant is shared reads its incidents and changes none', async () => {
    const { organisation, inverter, siteId } = await installerWithPlant();
    const guest = await plants.addAccount(organisation.id, 1);
    const guestToken = plants.signInOf(guest, organisation.path);
    await plants.db
      .insertInto('site_shares')
      .values({ site_id: siteId, account_id: guest.id, ended_at: null } as never)
      .execute();
    await tell({ device: inverter.id });
    await fold();
    const [incident] = await listed(guestToken);
    expect(incident?.can).toEqual({ work: false, assign: false });
    const answer = await plants.call(
      incidentEndpoints.note,
      { id: incident?.incidentID ?? '', text: 'Hello' },
      guestToken,
    );
    expect(answer.errno).toBe(errno.noPermission);
  });
});

test('an integrator reads what happens to a granted device, and neither what people say, nor who they are, nor what it costs', async () => {
  const { token, inverter } = await installerWithPlant();
  const other = await plants.addOrganisation('installer');
  const account = await plants.addAccount(other.id, 10);
  await plants.db.insertInto('device_grants').values({ account_id: account.id, device_id: inverter.id }).execute();
  const integrator = plants.signIn(account);
  await tell({ device: inverter.id });
  await fold();
  const [{ incidentID: id } = { incidentID: '' }] = await listed(token);
  await plants.read(incidentEndpoints.note, { id, text: 'The key is under the mat' }, token);
  await plants.read(incidentEndpoints.acknowledge, { ids: [id] }, token);
  await plants.db
    .updateTable('incidents')
    .set({ lost_wh: 1_500, own_wh: 1_500, lost_money: '0.3', own_money: '0.3', currency: 'EUR' })
    .where('id', '=', id)
    .execute();
  const own = await plants.read(incidentEndpoints.detail, { id }, token);
  expect(own.entries.map(({ kind }) => kind).toSorted()).toEqual(['acknowledged', 'commented', 'raised']);
  const read = await plants.read(incidentEndpoints.detail, { id }, integrator);
  expect(read.entries).toMatchObject([{ kind: 'raised', by: '', text: '' }]);
  expect(read.incident).toMatchObject({
    lostWh: 1_500,
    lostMoney: null,
    currency: '',
    acknowledgedBy: '',
    assignee: '',
  });
  const { lostOpen } = await plants.read(incidentEndpoints.summary, {}, integrator);
  expect(lostOpen).toEqual({ wh: 1_500, money: [], unknown: 0 });
});

test('what shows an incident are the values of it that its device has told', async () => {
  const { token, organisation, siteId } = await installerWithPlant();
  const logger = await plants.addDatalogger(siteId);
  const values = { 'DC/Mppt1/Power': [900, NOW_MS], 'DC/Mppt2/Power': [400, NOW_MS] } as Record<
    string,
    [number, number]
  >;
  const { id } = await plants.addDevice(siteId, logger.id, { values });
  await tell({ device: id, code: 2006, level: 2 });
  await fold();
  const [incident] = await listed(token);
  const { evidence } = await plants.read(incidentEndpoints.detail, { id: incident?.incidentID ?? '' }, token);
  expect(evidence).toMatchObject({
    variables: ['DC/Mppt1/Power', 'DC/Mppt2/Power'],
    day: '2026-06-16',
    dayBefore: '2026-06-15',
  });
  const currents: typeof values = { 'DC/String1/Current': [4.2, NOW_MS], 'DC/String2/Current': [1.1, NOW_MS] };
  const withStrings = { ...values, ...currents };
  const { id: told } = await plants.addDevice(siteId, logger.id, { values: withStrings });
  await tell({ device: told, code: 2006, level: 2 });
  await fold();
  const [ofString] = await listed(token, 'open', { deviceID: told });
  const shown = await plants.read(incidentEndpoints.detail, { id: ofString?.incidentID ?? '' }, token);
  expect(shown.evidence?.variables).toEqual(['DC/String1/Current', 'DC/String2/Current']);
  const silent = await plantOf(organisation.id);
  await tell({ device: silent.inverter.id, code: 2007 });
  await fold();
  const [other] = await listed(token, 'open', { deviceID: silent.inverter.id });
  const of = await plants.read(incidentEndpoints.detail, { id: other?.incidentID ?? '' }, token);
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
    await plants.db.updateTable('incidents').set({ lost_wh: 500 }).where('device_id', '=', inverter.id).execute();
    await plants.db
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
    const before = await plants.read(incidentEndpoints.summary, {}, token);
    expect(before).toMatchObject({ counts: { open: 0, unacknowledged: 0, mended: 0 }, told: 0, newest: 0 });
    const { inverter: other } = await plantOf(organisation.id);
    await tell({ device: inverter.id });
    await tell({ device: other.id, sinceMs: NOW_MS - 3 * HOUR_MS, untilMs: NOW_MS - 175 * MINUTE_MS });
    await fold();
    const after = await plants.read(incidentEndpoints.summary, {}, token);
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
    const { lostOpen, lostToday } = await plants.read(incidentEndpoints.summary, {}, token);
    return [lostOpen.wh, lostToday.wh, lostOpen.unknown, lostToday.unknown];
  };
  expect(await sums()).toEqual([0, 0, 0, 0]);
  await tell({ device: inverter.id });
  await fold();
  expect(await sums()).toEqual([null, null, 1, 1]);
  await plants.db
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
  await plants.db
    .updateTable('incidents')
    .set({ lost_wh: 1_500, lost_money: '0.3', currency: 'EUR' })
    .where('device_id', '=', inverter.id)
    .execute();
  const answer = await plants.fetch(
    incidentEndpoints.exportList,
    { condition: {}, format: 'csv', columns: ['plantName', 'code', 'lostWh', 'lostMoney'] },
    token,
  );
  const text = await answer.text();
  expect(text).toContain('Hof');
  expect(text).toMatch(/3001 /);
  expect(text).toMatch(/1[,.]5/);
});
