import { alarmRuleEndpoints, MOST_TOLD_PER_HOUR } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlantsFixture } from '../testing/plants-fixture.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS, plainTerms, RulesFixture } from '../testing/rules-fixture.ts';

let rules: RulesFixture;
let plants: PlantsFixture;

beforeAll(async () => {
  rules = await RulesFixture.start();
  ({ plants } = rules);
});
afterAll(() => rules.stop());

describe('somebody whom a rule tells', () => {
  test('hears of an incident when it has stood for the time of the rule, once, and sees how it went', async () => {
    const { token, inverter } = await rules.installerWith();
    await rules.tell(inverter.id);
    await rules.at(NOW_MS + 9 * MINUTE_MS);
    expect(await rules.inbox(token)).toEqual([]);
    for (const minutes of [10, 11, 60]) await rules.at(NOW_MS + minutes * MINUTE_MS);
    const [incident] = await rules.incidentsOf(token);
    const messages = await rules.inbox(token);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      kind: 'alarm',
      event: 'began',
      subject: 'Hof',
      text: inverter.sn,
      code: 3001,
      level: 3,
      count: 1,
      recordID: incident?.incidentID,
      isRead: false,
      atMs: NOW_MS + 10 * MINUTE_MS,
    });
    expect(await rules.delivered(token)).toMatchObject([
      { channel: 'inbox', state: 'sent', event: 'began', incidents: 1, ruleName: 'Faults', plantName: 'Hof' },
    ]);
    expect(await plants.read(messageEndpoints.unread, {}, token)).toMatchObject({ total: 1, byKind: { alarm: 1 } });
  });

  test('hears once of what flaps, of what two rules name, and of what was over before its time not at all', async () => {
    const { token, account, inverter } = await rules.installerWith();
    await plants.read(alarmRuleEndpoints.add, { ...plainTerms, name: 'Again' }, token);
    const first = await rules.tell(inverter.id);
    await rules.at(NOW_MS + 5 * MINUTE_MS);
    await rules.end(first.id, NOW_MS + 6 * MINUTE_MS);
    await rules.at(NOW_MS + 12 * MINUTE_MS);
    expect(await rules.inbox(token)).toEqual([]);
    expect(await rules.droppedFor(account.id)).toEqual(['over', 'over']);
    for (const minutes of [15, 40]) {
      const again = await rules.tell(inverter.id, { sinceMs: NOW_MS + minutes * MINUTE_MS });
      await rules.at(NOW_MS + (minutes + 12) * MINUTE_MS);
      await rules.end(again.id, NOW_MS + (minutes + 13) * MINUTE_MS);
      await rules.at(NOW_MS + (minutes + 14) * MINUTE_MS);
    }
    expect(await rules.inbox(token)).toHaveLength(1);
    expect((await rules.droppedFor(account.id)).toSorted()).toEqual(['told', 'toldAlready']);
  });

  test('hears nothing of what somebody has acknowledged, and of what is muted when that has ended', async () => {
    const { token, account, inverter } = await rules.installerWith();
    await rules.tell(inverter.id);
    await rules.tell(inverter.id, { code: 3006 });
    await rules.at(NOW_MS + MINUTE_MS);
    const [one, other] = await rules.incidentsOf(token);
    await plants.read(incidentEndpoints.acknowledge, { ids: [one?.incidentID ?? ''] }, token);
    await plants.read(
      incidentEndpoints.mute,
      { ids: [other?.incidentID ?? ''], untilMs: NOW_MS + 3 * HOUR_MS, reason: 'Waiting for a part' },
      token,
    );
    await rules.at(NOW_MS + 20 * MINUTE_MS);
    expect(await rules.inbox(token)).toEqual([]);
    expect((await rules.droppedFor(account.id)).toSorted()).toEqual(['acknowledged', 'waiting']);
    await rules.at(NOW_MS + 3 * HOUR_MS + MINUTE_MS);
    expect(await rules.inbox(token)).toMatchObject([{ recordID: other?.incidentID }]);
  });

  test('hears of a cause and not of what it explains', async () => {
    const { token, logger, inverter, siteId } = await rules.installerWith({ levels: [1, 2, 3, 4] });
    await plants.db
      .insertInto('alarms')
      .values({
        device_id: null,
        logger_id: logger.id,
        site_id: siteId,
        code: 5003,
        level: 2,
        since: new Date(NOW_MS),
        until: null,
        source: 'portal',
      })
      .execute();
    await rules.tell(inverter.id, { code: 5004, level: 2 });
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.inbox(token)).toMatchObject([{ code: 5003 }]);
  });

  test('hears nothing of plants that are somebody else’s, nor of those that have gone to somebody else', async () => {
    const { token, inverter, siteId, account } = await rules.installerWith();
    const [next, stranger] = [await rules.installerWith({ delayMinutes: 60 }), await rules.installerWith()];
    await rules.tell(inverter.id);
    await rules.at(NOW_MS + MINUTE_MS);
    await plants.db
      .updateTable('sites')
      .set({ organisation_id: next.organisation.id })
      .where('id', '=', siteId)
      .execute();
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.inbox(token)).toEqual([]);
    expect(await rules.droppedFor(account.id)).toEqual(['unseen']);
    expect(await rules.inbox(stranger.token)).toEqual([]);
  });

  test('is left alone in quiet hours, but for what is critical, and gets the rest in one when they end', async () => {
    const { token, account, inverter } = await rules.installerWith({ quietFrom: '12:00', quietTo: '18:00' });
    await plants.db.updateTable('accounts').set({ time_zone: 'Europe/Berlin' }).where('id', '=', account.id).execute();
    for (const code of [3001, 3004, 3005, 3006]) await rules.tell(inverter.id, { code });
    await rules.tell(inverter.id, { code: 2001, level: 4 });
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.inbox(token)).toMatchObject([{ code: 2001, level: 4 }]);
    await rules.at(NOW_MS + 4 * HOUR_MS + 59 * MINUTE_MS);
    expect(await rules.inbox(token)).toHaveLength(1);
    await rules.at(NOW_MS + 5 * HOUR_MS);
    expect(await rules.inbox(token)).toMatchObject([{ event: 'digest', count: 4 }, { code: 2001 }]);
  });

  test('hears of all of a day at one time of the own clock, where the rule says so', async () => {
    const { token, inverter } = await rules.installerWith({ mode: 'daily', digestAt: '07:00' });
    await rules.tell(inverter.id);
    await rules.tell(inverter.id, { code: 3006, sinceMs: NOW_MS + 3 * HOUR_MS });
    await rules.at(NOW_MS + 4 * HOUR_MS);
    expect(await rules.inbox(token)).toEqual([]);
    await rules.at(Date.UTC(2026, 5, 17, 7, 0));
    expect(await rules.inbox(token)).toMatchObject([{ event: 'digest', count: 2 }]);
  });

  test('hears when it is over, where the rule says so, and not of what comes back at once', async () => {
    const { token, inverter } = await rules.installerWith({ tellsEnd: true });
    const first = await rules.tell(inverter.id);
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    await rules.end(first.id, NOW_MS + 12 * MINUTE_MS);
    await rules.at(NOW_MS + 13 * MINUTE_MS);
    const again = await rules.tell(inverter.id, { sinceMs: NOW_MS + 20 * MINUTE_MS });
    await rules.at(NOW_MS + 28 * MINUTE_MS);
    expect(await rules.inbox(token)).toHaveLength(1);
    await rules.end(again.id, NOW_MS + 30 * MINUTE_MS);
    for (const minutes of [31, 46, 89]) await rules.at(NOW_MS + minutes * MINUTE_MS);
    expect(await rules.inbox(token)).toHaveLength(1);
    for (const minutes of [90, 91, 200]) await rules.at(NOW_MS + minutes * MINUTE_MS);
    expect(await rules.inbox(token)).toMatchObject([{ event: 'ended' }, { event: 'began' }]);
  });
});

test('whoever comes next is told of what nobody acknowledges in time, and of nothing else', async () => {
  const { organisation, inverter, token, ruleID } = await rules.installerWith();
  const chief = await plants.addAccount(organisation.id, 2);
  await plants.db.deleteFrom('alarm_rules').where('account_id', '=', chief.id).execute();
  const chiefToken = plants.signInOf(chief, organisation.path);
  await plants.read(
    alarmRuleEndpoints.edit,
    { ...plainTerms, ruleID, escalateMinutes: 30, escalateTo: [chief.id] },
    token,
  );
  await rules.tell(inverter.id);
  await rules.tell(inverter.id, { code: 3006 });
  await rules.at(NOW_MS + 11 * MINUTE_MS);
  expect(await rules.inbox(chiefToken)).toEqual([]);
  const [seen, unseen] = await rules.incidentsOf(token);
  await plants.read(incidentEndpoints.acknowledge, { ids: [seen?.incidentID ?? ''] }, token);
  await rules.at(NOW_MS + 60 * MINUTE_MS);
  expect(await rules.inbox(chiefToken)).toMatchObject([{ event: 'escalated', recordID: unseen?.incidentID }]);
  expect((await rules.delivered(token)).map(({ event }) => event).toSorted()).toEqual(['began', 'began', 'escalated']);
});

test('an escalation follows although another rule has told the beginning, and comes again with what comes back', async () => {
  const { organisation, inverter, token } = await rules.installerWith();
  const chief = await plants.addAccount(organisation.id, 2);
  await plants.db.deleteFrom('alarm_rules').where('account_id', '=', chief.id).execute();
  const chiefToken = plants.signInOf(chief, organisation.path);
  await plants.read(
    alarmRuleEndpoints.add,
    { ...plainTerms, name: 'Later', delayMinutes: 20, escalateMinutes: 30, escalateTo: [chief.id], tellsEnd: true },
    token,
  );
  const first = await rules.tell(inverter.id);
  await rules.at(NOW_MS + 21 * MINUTE_MS);
  expect(await rules.inbox(token)).toHaveLength(1);
  await rules.end(first.id, NOW_MS + 40 * MINUTE_MS);
  await rules.at(NOW_MS + 55 * MINUTE_MS);
  expect(await rules.inbox(chiefToken)).toEqual([]);
  const again = await rules.tell(inverter.id, { sinceMs: NOW_MS + 60 * MINUTE_MS });
  await rules.at(NOW_MS + 95 * MINUTE_MS);
  expect(await rules.inbox(chiefToken)).toMatchObject([{ event: 'escalated' }]);
  await rules.end(again.id, NOW_MS + 100 * MINUTE_MS);
  for (const minutes of [101, 161]) await rules.at(NOW_MS + minutes * MINUTE_MS);
  expect((await rules.inbox(token)).map(({ event }) => event)).toEqual(['ended', 'began']);
});

test('what becomes worse while it stands is told to whom only the worse concerns', async () => {
  const { token, inverter } = await rules.installerWith();
  const { id } = await rules.tell(inverter.id, { level: 2 });
  await rules.at(NOW_MS + 11 * MINUTE_MS);
  expect(await rules.inbox(token)).toEqual([]);
  await plants.db.updateTable('alarms').set({ level: 4, folded: false }).where('id', '=', id).execute();
  await rules.at(NOW_MS + 12 * MINUTE_MS);
  expect(await rules.inbox(token)).toMatchObject([{ level: 4 }]);
});

test('who takes a plant over is told of what stands there', async () => {
  const { inverter, siteId } = await rules.installerWith();
  const next = await rules.installerWith();
  await rules.tell(inverter.id);
  await rules.at(NOW_MS + 5 * MINUTE_MS);
  await plants.db
    .updateTable('sites')
    .set({ organisation_id: next.organisation.id })
    .where('id', '=', siteId)
    .execute();
  await rules.at(NOW_MS + 11 * MINUTE_MS);
  expect(await rules.inbox(next.token)).toMatchObject([{ recordID: expect.any(String), code: 3001 }]);
});

describe('nobody is told any more', () => {
  const waiting = async () => {
    const one = await rules.installerWith();
    const colleague = await plants.addAccount(one.organisation.id, 2);
    await plants.db.deleteFrom('alarm_rules').where('account_id', '=', colleague.id).execute();
    const told = { ...plainTerms, ruleID: one.ruleID, receivers: [colleague.id] };
    await plants.read(alarmRuleEndpoints.edit, told, one.token);
    await rules.tell(one.inverter.id);
    await rules.at(NOW_MS + MINUTE_MS);
    return { ...one, colleague, colleagueToken: plants.signInOf(colleague, one.organisation.path) };
  };
  const set = (id: string, values: { deleted_at?: Date; disabled_at?: Date }) =>
    plants.db.updateTable('accounts').set(values).where('id', '=', id).execute();

  test.each([
    [
      'who is deleted',
      ({ colleague }: Awaited<ReturnType<typeof waiting>>) => set(colleague.id, { deleted_at: new Date() }),
    ],
    ['who is disabled', ({ colleague }) => set(colleague.id, { disabled_at: new Date() })],
    ['by a rule whose keeper is disabled', ({ account }) => set(account.id, { disabled_at: new Date() })],
    [
      'who has left the rule',
      ({ colleagueToken, ruleID }) => plants.read(alarmRuleEndpoints.leave, { ruleID }, colleagueToken),
    ],
  ] as [string, (of: Awaited<ReturnType<typeof waiting>>) => Promise<unknown>][])('%s', async (_, happens) => {
    const of = await waiting();
    await happens(of);
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.droppedFor(of.colleague.id)).toEqual(['ruleChanged']);
    expect(await rules.inbox(of.colleagueToken)).toEqual([]);
  });
});

test('somebody who cannot be told keeps nobody else from being told', async () => {
  const [bad, good] = [await rules.installerWith(), await rules.installerWith()];
  await plants.db
    .updateTable('accounts')
    .set({ time_zone: 'Europe/Nowhere' })
    .where('id', '=', bad.account.id)
    .execute();
  for (const { inverter } of [bad, good]) await rules.tell(inverter.id);
  await rules.at(NOW_MS + 11 * MINUTE_MS);
  expect(await rules.inbox(good.token)).toHaveLength(1);
  expect(await rules.inbox(bad.token)).toHaveLength(1);
});

describe('a storm', () => {
  test('of trifles leaves room for what is critical', async () => {
    const { token, siteId, logger } = await rules.installerWith({ levels: [2, 4] });
    for (let count = 0; count < 8; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      await rules.tell(id, { level: 2, sinceMs: NOW_MS + count * 4 * MINUTE_MS });
      await rules.at(NOW_MS + (count * 4 + 11) * MINUTE_MS);
    }
    expect(await rules.inbox(token)).toHaveLength(MOST_TOLD_PER_HOUR - 1);
    const { id } = await plants.addDevice(siteId, logger.id);
    await rules.tell(id, { level: 4, sinceMs: NOW_MS + 40 * MINUTE_MS });
    await rules.at(NOW_MS + 51 * MINUTE_MS);
    expect((await rules.inbox(token))[0]).toMatchObject({ event: 'began', level: 4 });
  });

  test('of incidents that begin at once comes as one message', async () => {
    const { token, siteId, logger } = await rules.installerWith();
    for (let count = 0; count < 40; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      await rules.tell(id);
    }
    await rules.at(NOW_MS + 11 * MINUTE_MS);
    expect(await rules.inbox(token)).toMatchObject([{ event: 'digest', count: 40 }]);
  });

  test('that goes on for hours never passes the cap of an hour, and all of it is told', async () => {
    const { token, siteId, logger } = await rules.installerWith();
    const devices: string[] = [];
    for (let count = 0; count < 40; count += 1) devices.push((await plants.addDevice(siteId, logger.id)).id);
    for (const [place, device] of devices.entries()) {
      await rules.tell(device, { sinceMs: NOW_MS + place * 3 * MINUTE_MS });
      await rules.at(NOW_MS + (place * 3 + 1) * MINUTE_MS);
    }
    for (let minutes = 120; minutes <= 300; minutes += 5) await rules.at(NOW_MS + minutes * MINUTE_MS);
    const messages = await rules.inbox(token);
    expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(devices.length);
    for (const { atMs } of messages)
      expect(messages.filter((each) => each.atMs > atMs - HOUR_MS && each.atMs <= atMs).length).toBeLessThanOrEqual(
        MOST_TOLD_PER_HOUR,
      );
  });
});
