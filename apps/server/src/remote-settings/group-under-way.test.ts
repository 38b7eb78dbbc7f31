import { errno } from '@sonnenwarte/contract/errors';
import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Channel } from '../commands/channel.ts';
import { until } from '../testing/edge.ts';
import { LIMIT, ownGroups } from '../testing/group-remote-fixture.ts';
import { endCommands } from '../testing/setting-acts.ts';
import { GroupRunner, MOST_UNDER_WAY } from './group-runner.ts';

const world = ownGroups();
const { inverters, ids, resultOf, begin, open, underWay, inState, confirm } = world;

const { run, groups, result, controlGroup, retryGroup, revertGroup } = groupEndpoints;

describe('a group write', () => {
  test('stops after so many refusals, and goes on when it is told to', async () => {
    const groupID = await begin(ids(await inverters(9)), { stopAfter: 2 });
    await confirm(await underWay(groupID, 2));
    await confirm(await underWay(groupID, 2));
    const commands = await underWay(groupID, 4);
    await endCommands(
      world.plants,
      commands.slice(0, 2).map(({ commandID }) => commandID),
      'refused',
      { code: 6 },
    );
    const stopped = await inState(groupID, 'stopped');
    expect(stopped.group).toMatchObject({ refusals: 2, counts: { waiting: 1, underWay: 2 } });
    await confirm(commands.slice(2));
    await until(async () => (await resultOf(groupID)).group.counts.underWay === 0);
    expect((await resultOf(groupID)).group).toMatchObject({ state: 'stopped', counts: { waiting: 1 } });
    await world.plants.read(controlGroup, { groupID, action: 'resume' }, world.me.token);
    await confirm(await underWay(groupID, 1));
    expect((await inState(groupID, 'done')).group.refusals).toBe(0);
  });

  test('has no more than a window of devices under way, and gives each its command once', async () => {
    const devices = await inverters(2 * MOST_UNDER_WAY + 7);
    const groupID = await begin(ids(devices), { stopAfter: null });
    const seen = new Set<string>();
    while (seen.size < devices.length) {
      const commands = await until(async () => {
        const found = await open(groupID);
        return found.length > 0 ? found : undefined;
      });
      expect(commands.length).toBeLessThanOrEqual(MOST_UNDER_WAY);
      for (const { deviceID } of commands) {
        expect(seen.has(deviceID)).toBe(false);
        seen.add(deviceID);
      }
      await confirm(commands);
    }
    expect((await inState(groupID, 'done')).group.counts.confirmed).toBe(devices.length);
  });

  test('pauses, and goes on where it was in a server that was started anew', async () => {
    const devices = await inverters(MOST_UNDER_WAY + 2);
    const groupID = await begin(ids(devices));
    const commands = await underWay(groupID, MOST_UNDER_WAY);
    await world.plants.read(controlGroup, { groupID, action: 'pause' }, world.me.token);
    await confirm(commands);
    await until(async () => (await resultOf(groupID)).group.counts.underWay === 0);
    expect((await resultOf(groupID)).group).toMatchObject({ state: 'paused', counts: { waiting: 2 } });
    // As a process leaves it that is killed right after it was told to go on.
    await world.plants.db.updateTable('setting_groups').set({ state: 'running' }).where('id', '=', groupID).execute();
    const logger = pino({ level: 'silent' });
    const anew = new GroupRunner({
      db: world.plants.db,
      commands: new Channel(Date.now, logger),
      nowMs: Date.now,
      logger,
    });
    await anew.takeUp();
    await anew.idle();
    await confirm(await underWay(groupID, 2));
    await anew.close();
    expect((await inState(groupID, 'done')).group.counts.confirmed).toBe(devices.length);
  });

  test('that is ended takes back what was not sent, and is over', async () => {
    const devices = await inverters(MOST_UNDER_WAY + 1);
    const groupID = await begin(ids(devices));
    await underWay(groupID, MOST_UNDER_WAY);
    await world.plants.read(controlGroup, { groupID, action: 'cancel' }, world.me.token);
    await until(async () => (await resultOf(groupID)).group.doneMs !== null);
    expect((await resultOf(groupID)).group).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: devices.length },
    });
    for (const action of ['pause', 'resume', 'cancel'] as const) {
      expect((await world.plants.call(controlGroup, { groupID, action }, world.me.token)).errno).toBe(
        errno.settingGroupOver,
      );
    }
  });

  test('leaves out a device that has left the scope of who ordered it', async () => {
    const devices = await inverters(MOST_UNDER_WAY + 1);
    const groupID = await begin(ids(devices));
    const commands = await underWay(groupID, MOST_UNDER_WAY);
    const last = devices.find(({ id }) => commands.every(({ deviceID }) => deviceID !== id));
    const elsewhere = await world.plants.addSite((await world.plants.addOrganisation('installer')).id);
    await world.plants.db
      .updateTable('devices')
      .set({ site_id: elsewhere.id })
      .where('id', '=', last?.id ?? '')
      .execute();
    await confirm(commands);
    const { group, devices: shown } = await inState(groupID, 'done');
    expect(group.counts).toMatchObject({ confirmed: MOST_UNDER_WAY, cancelled: 1 });
    expect(shown.map(({ deviceID }) => deviceID)).not.toContain(last?.id);
    const ordered = await world.plants.db
      .selectFrom('commands')
      .select('id')
      .where('device_id', '=', last?.id ?? '')
      .execute();
    expect(ordered).toEqual([]);
  });

  test('sends nothing more once who ordered it is disabled', async () => {
    const devices = await inverters(MOST_UNDER_WAY + 1);
    const groupID = await begin(ids(devices));
    const commands = await underWay(groupID, MOST_UNDER_WAY);
    await world.plants.db
      .updateTable('accounts')
      .set({ disabled_at: new Date() })
      .where('id', '=', world.me.accountId)
      .execute();
    await confirm(commands);
    expect((await inState(groupID, 'stopped')).group.counts).toMatchObject({ waiting: 1 });
  });

  test('sends nothing to a device that has the values already, or cannot take them; the rule to stop does not count those', async () => {
    const [same] = await inverters(1, { [LIMIT]: 5_000 });
    const [secondary] = await inverters(2, { [LIMIT]: 10_000, 'Setting/ParallelMode': 2 });
    const groupID = await begin([same?.id ?? '', secondary?.id ?? ''], { stopAfter: 1 });
    const { group, devices } = await inState(groupID, 'done');
    expect(group.refusals).toBe(0);
    expect(devices).toMatchObject([
      { deviceID: secondary?.id, state: 'refused', code: 6, commandID: null },
      { deviceID: same?.id, state: 'confirmed', commandID: null },
    ]);
  });

  test('of a dangerous setting needs the number of devices, typed', async () => {
    const devices = await inverters(2, { [LIMIT]: 10_000 });
    const input = { deviceIDs: ids(devices), values: [{ name: 'Setting/StartStop', value: false }] };
    expect((await world.plants.call(run, input, world.me.token)).errno).toBe(errno.settingConfirmation);
    expect((await world.plants.call(run, { ...input, confirmation: '3' }, world.me.token)).errno).toBe(
      errno.settingConfirmation,
    );
    expect((await world.plants.call(run, { ...input, confirmation: ' 2' }, world.me.token)).errno).toBe(0);
  });

  test('of a dangerous setting is tried again only once the number of those devices was typed', async () => {
    const devices = await inverters(2, { 'Setting/StartStop': true });
    const dangerous = [{ name: 'Setting/StartStop', value: false }];
    const groupID = await begin(ids(devices), { values: dangerous, confirmation: '2' });
    const [first] = await underWay(groupID, 2);
    await endCommands(world.plants, [first?.commandID ?? ''], 'timedOut');
    expect(await resultOf(groupID)).toMatchObject({ isDangerous: true });
    const again = { groupID, deviceIDs: [first?.deviceID ?? ''] };
    await until(async () => (await resultOf(groupID)).devices.some(({ state }) => state === 'timedOut'));
    for (const confirmation of [undefined, '2']) {
      expect((await world.plants.call(retryGroup, { ...again, confirmation }, world.me.token)).errno).toBe(
        errno.settingConfirmation,
      );
    }
    expect((await world.plants.call(retryGroup, { ...again, confirmation: '1' }, world.me.token)).errno).toBe(0);
  });

  test('waits with a device to which somebody else writes the same setting, and writes to it afterwards', async () => {
    const [one, other] = await inverters(2);
    const by = { source: 'hand' as const, orderedBy: world.me.accountId };
    const [foreign = ''] = await world.plants.db.transaction().execute((tx) =>
      world.plants.commands.order(tx, [
        {
          loggerID: world.dataloggerId,
          deviceID: one?.id ?? '',
          kind: 'write',
          content: { values: { [LIMIT]: 7_000 } },
          ...by,
        },
      ]),
    );
    const groupID = await begin([one?.id ?? '', other?.id ?? '']);
    const [sent] = await underWay(groupID, 1);
    expect(sent?.deviceID).toBe(other?.id);
    await confirm(sent === undefined ? [] : [sent]);
    const { group } = await until(async () => {
      const told = await resultOf(groupID);
      return told.group.counts.confirmed === 1 ? told : undefined;
    }, 'the other device confirmed');
    expect(group).toMatchObject({ state: 'running', counts: { waiting: 1, underWay: 0 } });
    await confirm([{ commandID: foreign }]);
    const [late] = await underWay(groupID, 1);
    expect(late?.deviceID).toBe(one?.id);
    await confirm(late === undefined ? [] : [late]);
    const done = await inState(groupID, 'done');
    expect(done.devices.find(({ deviceID }) => deviceID === one?.id)?.values).toMatchObject([
      { from: 7_000, to: 5_000 },
    ]);
  });

  test('is seen and controlled from above, and by no stranger', async () => {
    const devices = await inverters(1);
    const groupID = await begin(ids(devices));
    const stranger = (await world.plants.addInstaller()).token;
    const answers = [
      await world.plants.call(result, { groupID }, stranger),
      await world.plants.call(controlGroup, { groupID, action: 'cancel' }, stranger),
      await world.plants.call(retryGroup, { groupID, deviceIDs: ids(devices) }, stranger),
      await world.plants.call(revertGroup, { groupID }, stranger),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.settingGroupNotFound));
    expect((await world.plants.read(groups, {}, stranger)).data).toEqual([]);
    const { id } = await world.plants.addOrganisation('platform');
    const admin = world.plants.signIn(await world.plants.addAccount(id, 255));
    const list = (await world.plants.read(groups, {}, admin)).data;
    expect(list.map((group) => group.groupID)).toContain(groupID);
  });
});
