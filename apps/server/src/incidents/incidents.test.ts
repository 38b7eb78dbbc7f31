import { errno } from '@sonnenwarte/contract/errors';
import { incidentEndpoints, MOST_COMMENTS } from '@sonnenwarte/contract/incidents/incidents';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOW_MS, ownIncidents } from '../testing/incidents-fixture.ts';
import { forgetIncidents } from './watch.store.ts';
import { closeWhatIsDone } from './watch.ts';

const world = ownIncidents();
const { installerWithPlant, plantOf, tell, end, fold, listed } = world;

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
    await world.plants.db.updateTable('alarms').set({ folded: false }).where('device_id', '=', inverter.id).execute();
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
    expect(await world.plants.read(incidentEndpoints.acknowledge, { ids: [id], comment: 'Seen' }, token)).toEqual({
      done: 1,
    });
    expect((await listed(token))[0]).toMatchObject({ state: 'acknowledged', acknowledgedBy: 'test' });
    expect(await world.plants.read(incidentEndpoints.acknowledge, { ids: [id] }, token)).toEqual({ done: 0 });
    await end(first.id, NOW_MS - 10 * MINUTE_MS);
    await fold();
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'mended'))[0]).toMatchObject({ state: 'cleared', untilMs: NOW_MS - 10 * MINUTE_MS });
    const again = await tell({ device: inverter.id, sinceMs: NOW_MS - 5 * MINUTE_MS });
    await fold();
    expect((await listed(token))[0]).toMatchObject({ incidentID: id, state: 'acknowledged', times: 2, untilMs: null });
    await end(again.id, NOW_MS);
    await fold();
    world.plants.time.nowMs = NOW_MS + HOUR_MS;
    await closeWhatIsDone(world.plants.db, NOW_MS + HOUR_MS);
    const { incident, entries } = await world.plants.read(incidentEndpoints.detail, { id }, token);
    expect(incident.state).toBe('closed');
    expect(entries.map(({ kind, atMs }) => [kind, (atMs - NOW_MS) / MINUTE_MS]).toReversed()).toEqual([
      ['raised', -60],
      ['cleared', -10],
      ['returned', -5],
      ['acknowledged', 0],
      ['cleared', 0],
      ['closed', 60],
    ]);
    world.plants.time.nowMs = NOW_MS;
  });

  test('are commented a bounded number of times, by one account in ten minutes and altogether', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const id = (await listed(token))[0]?.incidentID ?? '';
    const comment = () => world.plants.call(incidentEndpoints.note, { id, text: 'Still there.' }, token);
    for (let count = 0; count < 19; count += 1) expect(await comment()).toMatchObject({ errno: 0 });
    await world.plants.db
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
      world.plants.db.updateTable('devices').set({ deleted_at: at }).where('id', '=', inverter.id).execute();
    await remove(new Date(NOW_MS));
    await closeWhatIsDone(world.plants.db, NOW_MS);
    expect(await listed(token)).toEqual([]);
    await remove(null);
    await fold();
    expect(await listed(token)).toHaveLength(1);
  });

  test('of a datalogger that is silent and of its devices are one incident that explains them', async () => {
    const { token, inverter, logger, siteId } = await installerWithPlant();
    await world.plants.db
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
    await world.plants.db
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
  expect(await forgetIncidents(world.plants.db, new Date(NOW_MS - 10 * day), 10)).toBe(1);
  expect((await listed(token, 'all')).map(({ code }) => code)).toEqual([2006]);
  const left = await world.plants.db.selectFrom('alarms').select('code').where('device_id', '=', inverter.id).execute();
  expect(left).toEqual([{ code: 2006 }]);
});

describe('a grid that is lost at many plants of a postcode', () => {
  test('is one incident to whom all of them belong, and each owner’s own to that owner', async () => {
    const { organisation, token } = await installerWithPlant();
    const owner = await world.plants.addAccount(organisation.id, 1);
    const ownerToken = world.plants.signInOf(owner, organisation.path);
    const postcode = '85354';
    for (let number = 0; number < 10; number += 1) {
      const { siteId, inverter } = await plantOf(organisation.id, { name: `Haus ${number}`, postcode });
      if (number === 0) {
        await world.plants.db
          .updateTable('sites')
          .set({ owner_account_id: owner.id })
          .where('id', '=', siteId)
          .execute();
      }
      await tell({ device: inverter.id, code: 1005, sinceMs: NOW_MS - HOUR_MS + number * 10_000 });
    }
    await fold();
    const incidents = await listed(token);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ code: 1005, region: 'DE 85354', plants: 10, children: 10, stationID: '' });
    expect((await listed(ownerToken)).map(({ plantName, region }) => [plantName, region])).toEqual([['Haus 0', '']]);
    const { done } = await world.plants.read(
      incidentEndpoints.acknowledge,
      { ids: [incidents[0]?.incidentID ?? ''] },
      token,
    );
    expect(done).toBe(11);
    await world.plants.db
      .updateTable('alarms')
      .set({ until: new Date(NOW_MS), folded: false })
      .where('code', '=', 1005)
      .execute();
    await fold();
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'mended'))[0]).toMatchObject({ region: 'DE 85354', state: 'cleared' });
  });

  test('is two incidents to two installers, and one to the agent above them', async () => {
    world.plants.time.nowMs = NOW_MS;
    const agent = await world.plants.addOrganisation('agent');
    const agentToken = world.plants.signInOf(await world.plants.addAccount(agent.id, 3), agent.path);
    const installers = await Promise.all([1, 2].map(() => world.plants.addOrganisation('installer', agent.path)));
    for (const each of [...installers, ...installers]) {
      const { inverter } = await plantOf(each.id, { postcode: '10115' });
      await tell({ device: inverter.id, code: 1005 });
    }
    await fold();
    expect((await listed(agentToken)).map(({ plants: count }) => count)).toEqual([4]);
    const [first] = installers;
    const token = world.plants.signInOf(await world.plants.addAccount(first?.id ?? '', 2), first?.path ?? []);
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
    expect(await world.plants.read(incidentEndpoints.mute, { ids: [id], untilMs, reason }, token)).toEqual({ done: 1 });
    expect(await listed(token)).toEqual([]);
    expect((await listed(token, 'muted'))[0]).toMatchObject({ mutedUntilMs: untilMs });
    expect(await world.plants.read(incidentEndpoints.detail, { id }, token)).toMatchObject({ muteReason: reason });
    world.plants.time.nowMs = untilMs + 1;
    expect(await listed(token)).toHaveLength(1);
    world.plants.time.nowMs = NOW_MS;
    expect(await world.plants.read(incidentEndpoints.unmute, { ids: [id] }, token)).toEqual({ done: 1 });
    expect(await listed(token)).toHaveLength(1);
  });

  test('muting until what is past, or for longer than 90 days, is refused at its field', async () => {
    const { token, inverter } = await installerWithPlant();
    await tell({ device: inverter.id });
    await fold();
    const ids = [(await listed(token))[0]?.incidentID ?? ''];
    for (const untilMs of [NOW_MS, NOW_MS + 91 * 24 * HOUR_MS]) {
      const answer = await world.plants.call(incidentEndpoints.mute, { ids, untilMs, reason: 'later' }, token);
      expect(answer).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'untilMs' }] } });
    }
  });

  test('one is given to who sees it, and to nobody whose organisation does not', async () => {
    const { token, inverter, organisation, account } = await installerWithPlant();
    const below = await world.plants.addOrganisation('installer', organisation.path);
    const stranger = await world.plants.addAccount(below.id, 2);
    await tell({ device: inverter.id });
    await fold();
    const ids = [(await listed(token))[0]?.incidentID ?? ''];
    const { choices } = await world.plants.read(incidentEndpoints.assignees, { incidentIDs: ids }, token);
    expect(choices.map(({ id }) => id)).toEqual([account.id]);
    expect(await world.plants.read(incidentEndpoints.assign, { ids, accountID: account.id }, token)).toEqual({
      done: 1,
    });
    expect(await listed(token, 'mine')).toHaveLength(1);
    const refused = await world.plants.call(incidentEndpoints.assign, { ids, accountID: stranger.id }, token);
    expect(refused.errno).toBe(errno.assigneeSeesNot);
    expect(await world.plants.read(incidentEndpoints.assign, { ids, accountID: null }, token)).toEqual({ done: 1 });
    expect(await listed(token, 'mine')).toEqual([]);
  });

  test('one that goes on cannot be closed; one that is over can, with what it was, which counts for the next', async () => {
    const { token, inverter } = await installerWithPlant();
    const told = await tell({ device: inverter.id, code: 2006, level: 2 });
    await fold();
    const id = (await listed(token))[0]?.incidentID ?? '';
    const close = () => world.plants.read(incidentEndpoints.close, { ids: [id], cause: 'shade' }, token);
    expect(await close()).toEqual({ done: 0 });
    await end(told.id, NOW_MS);
    await fold();
    expect(await close()).toEqual({ done: 1 });
    const { incident, found } = await world.plants.read(incidentEndpoints.detail, { id }, token);
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
    const answer = await world.plants.call(incidentEndpoints.acknowledge, { ids: [own, strange] }, mine.token);
    expect(answer.errno).toBe(errno.incidentNotFound);
    expect((await listed(mine.token))[0]?.state).toBe('open');
  });

  test('with whom a plant is shared reads its incidents and changes none', async () => {
    const { organisation, inverter, siteId } = await installerWithPlant();
    const guest = await world.plants.addAccount(organisation.id, 1);
    const guestToken = world.plants.signInOf(guest, organisation.path);
    await world.plants.db
      .insertInto('site_shares')
      .values({ site_id: siteId, account_id: guest.id, ended_at: null } as never)
      .execute();
    await tell({ device: inverter.id });
    await fold();
    const [incident] = await listed(guestToken);
    expect(incident?.can).toEqual({ work: false, assign: false });
    const answer = await world.plants.call(
      incidentEndpoints.note,
      { id: incident?.incidentID ?? '', text: 'Hello' },
      guestToken,
    );
    expect(answer.errno).toBe(errno.noPermission);
  });
});
