import { alarmRuleEndpoints, MOST_RULES } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlantsFixture } from '../testing/plants-fixture.ts';
import { MINUTE_MS, NOW_MS, plainTerms, RulesFixture } from '../testing/rules-fixture.ts';

let rules: RulesFixture;
let plants: PlantsFixture;

beforeAll(async () => {
  rules = await RulesFixture.start();
  ({ plants } = rules);
});
afterAll(() => rules.stop());

describe('a rule', () => {
  test('is there for owners and installers from their first day on', async () => {
    const { id } = await plants.addOrganisation('installer');
    for (const level of [1, 2] as const) {
      const token = plants.signIn(await plants.addAccount(id, level));
      const { rules } = await plants.read(alarmRuleEndpoints.list, {}, token);
      expect(rules).toMatchObject([{ name: '', channels: ['inbox'], delayMinutes: 15, can: { edit: true } }]);
    }
    const agent = plants.signIn(await plants.addAccount(id, 3));
    expect((await plants.read(alarmRuleEndpoints.list, {}, agent)).rules).toEqual([]);
  });

  test('that tells somebody else is seen by who is told, who changes nothing of it but can leave it', async () => {
    const { organisation, token, ruleID, siteId } = await rules.installerWith();
    const about = { stationID: siteId, organisationID: organisation.id };
    const other = await plants.addAccount(organisation.id, 2);
    const otherToken = plants.signInOf(other, organisation.path);
    await plants.read(alarmRuleEndpoints.edit, { ...plainTerms, ...about, ruleID, receivers: [other.id] }, token);
    const seen = async () =>
      (await plants.read(alarmRuleEndpoints.list, {}, otherToken)).rules.filter((rule) => rule.ruleID === ruleID);
    expect(await seen()).toMatchObject([{ can: { edit: false, leave: true }, receivers: [{ accountID: other.id }] }]);
    const found = { condition: { content: 'secretplant' } };
    await plants.db.updateTable('sites').set({ name: 'Secretplant' }).where('id', '=', siteId).execute();
    expect(await seen()).toMatchObject([
      { stationID: null, organisationID: null, plantName: '', organisationName: '' },
    ]);
    expect((await plants.read(alarmRuleEndpoints.list, found, otherToken)).rules).toEqual([]);
    expect((await plants.read(alarmRuleEndpoints.list, found, token)).rules).toMatchObject([{ stationID: siteId }]);
    expect(await plants.call(alarmRuleEndpoints.remove, { ruleID }, otherToken)).toMatchObject({
      errno: errno.noPermission,
    });
    await plants.read(alarmRuleEndpoints.leave, { ruleID }, otherToken);
    expect(await seen()).toEqual([]);
    expect(await plants.call(alarmRuleEndpoints.leave, { ruleID }, otherToken)).toMatchObject({
      errno: errno.alarmRuleNotFound,
    });
  });

  test.each([
    ['a daily one without a time', { mode: 'daily' as const }, 'digestAt'],
    ['quiet hours without an end', { quietFrom: '22:00' }, 'quietTo'],
  ])('with %s is refused at its field', async (_, change, path) => {
    const { token } = await rules.installerWith();
    expect(await plants.call(alarmRuleEndpoints.add, { ...plainTerms, ...change }, token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path }] },
    });
  });

  test('tells nobody of another organisation, and an owner tells nobody else', async () => {
    const { token, organisation } = await rules.installerWith();
    const stranger = await rules.installerWith();
    const told = { ...plainTerms, receivers: [stranger.account.id] };
    expect(await plants.call(alarmRuleEndpoints.add, told, token)).toMatchObject({ errno: errno.receiverUnknown });
    const owner = plants.signIn(await plants.addAccount(organisation.id, 1));
    const colleague = { ...plainTerms, receivers: [(await plants.addAccount(organisation.id, 2)).id] };
    expect(await plants.call(alarmRuleEndpoints.add, colleague, owner)).toMatchObject({ errno: errno.receiverUnknown });
  });

  test('that is changed, tried and deleted at once is changed or not there: no failure of the portal', async () => {
    const { token } = await rules.installerWith();
    for (let round = 0; round < 4; round += 1) {
      const { ruleID } = await plants.read(alarmRuleEndpoints.add, plainTerms, token);
      const edit = () => plants.call(alarmRuleEndpoints.edit, { ruleID, ...plainTerms }, token);
      const answers = await Promise.all([
        edit(),
        plants.call(alarmRuleEndpoints.enable, { ruleID, enabled: false }, token),
        plants.call(alarmRuleEndpoints.test, { ruleID }, token),
        plants.call(alarmRuleEndpoints.remove, { ruleID }, token),
        edit(),
      ]);
      const allowed: readonly number[] = [0, errno.alarmRuleNotFound, errno.tooManyRequests];
      expect(answers.map((answer) => answer.errno).filter((each) => !allowed.includes(each))).toEqual([]);
    }
  });

  test('is one of at most twenty of an account', async () => {
    const { token } = await rules.installerWith();
    for (let count = 1; count < MOST_RULES; count += 1) await plants.read(alarmRuleEndpoints.add, plainTerms, token);
    expect(await plants.call(alarmRuleEndpoints.add, plainTerms, token)).toMatchObject({
      errno: errno.tooManyAlarmRules,
    });
  });

  test('says before it is saved what it would have told: the same as it then tells', async () => {
    const { token, siteId, logger } = await rules.installerWith({ channels: ['inbox'] });
    for (let count = 0; count < 24; count += 1) {
      const { id } = await plants.addDevice(siteId, logger.id);
      const sinceMs = NOW_MS + count * 4 * MINUTE_MS;
      await rules.tell(id, { sinceMs, ...(count % 3 === 0 && { untilMs: sinceMs + 5 * MINUTE_MS }) });
    }
    for (let minutes = 0; minutes <= 300; minutes += 1) await rules.at(NOW_MS + minutes * MINUTE_MS);
    const messages = await rules.inbox(token);
    const told = await plants.read(alarmRuleEndpoints.preview, plainTerms, token);
    expect(told).toMatchObject({
      deliveries: messages.length,
      incidents: messages.reduce((sum, { count }) => sum + count, 0),
      digests: messages.filter(({ count }) => count > 1).length,
      isMore: false,
    });
    expect(told.days).toHaveLength(30);
    expect(told.days.at(-1)).toMatchObject({ day: '2026-06-16', deliveries: messages.length });
  });
});
