import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { errno } from '@sonnenwarte/contract/errors';
import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Channel } from '../commands/channel.ts';
import { until } from '../testing/edge.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { endCommands, tell } from '../testing/setting-acts.ts';
import { GroupRunner, MOST_UNDER_WAY } from './group-runner.ts';

const { findDevices, rules, preview, run, groups, result, controlGroup, retryGroup, revertGroup } = groupEndpoints;

const LIMIT = 'Setting/ExportLimit';
const values = [{ name: LIMIT, value: 5_000 }];

let plants: PlantsFixture;
let me: { organisationId: string; accountId: string; token: string };
let siteId: string;
let dataloggerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants?.stop());

beforeEach(async () => {
  const { id } = await plants.addOrganisation('installer');
  const account = await plants.addAccount(id, 2);
  me = { organisationId: id, accountId: account.id, token: plants.signIn(account) };
  siteId = (await plants.addSite(id, { name: 'Roof', feed_in_price: '0.08', currency: 'EUR' })).id;
  dataloggerId = (await plants.addDatalogger(siteId)).id;
});

async function inverters(count: number, told: Record<string, SettingValue> = { [LIMIT]: 10_000 }, onSite = siteId) {
  const made: { id: string; sn: string }[] = [];
  for (let place = 0; place < count; place += 1) {
    const device = await plants.addDevice(onSite, dataloggerId, {
      model: 'SW-H10T',
      sn: `${onSite.slice(0, 8)}-${count}-${place}`,
    });
    if (Object.keys(told).length > 0) await tell(plants.db, device.id, told, 'birth');
    made.push(device);
  }
  return made;
}

const ids = (devices: readonly { id: string }[]) => devices.map(({ id }) => id);
const resultOf = (groupID: string) => plants.read(result, { groupID }, me.token);
const begin = async (deviceIDs: string[], more: object = {}) =>
  (await plants.read(run, { deviceIDs, values, stopAfter: null, ...more }, me.token)).groupID;

/** Commands of a group that are open, by device. */
const open = async (groupID: string) =>
  (await resultOf(groupID)).devices.flatMap(({ deviceID, state, commandID }) =>
    state === 'queued' && commandID !== null ? [{ deviceID, commandID }] : [],
  );

const underWay = (groupID: string, count: number) =>
  until(async () => {
    const found = await open(groupID);
    return found.length === count ? found : undefined;
  }, `${count} devices under way`);

const inState = (groupID: string, state: string) =>
  until(async () => {
    const found = await resultOf(groupID);
    return found.group.state === state ? found : undefined;
  }, `the group ${state}`);

const confirm = async (commands: readonly { commandID: string }[]) =>
  endCommands(
    plants,
    commands.map(({ commandID }) => commandID),
    'confirmed',
  );

describe('devices of a group', () => {
  test('are found by serial numbers of one kind; a stranger’s is missing like one that is none', async () => {
    const [own] = await inverters(1);
    const stranger = await plants.addSite((await plants.addOrganisation('installer')).id);
    const [other] = await inverters(1, {}, stranger.id);
    const sns = [own?.sn ?? '', other?.sn ?? '', 'NOBODY', ` ${own?.sn} `];
    expect(await plants.read(findDevices, { kind: 'inverter', sns }, me.token)).toEqual({
      found: [{ deviceID: own?.id, deviceSN: own?.sn, model: 'SW-H10T', stationName: 'Roof' }],
      missing: [other?.sn, 'NOBODY'],
    });
    expect((await plants.read(findDevices, { kind: 'meter', sns }, me.token)).found).toEqual([]);
  });

  test('that include a stranger’s are refused as a whole, in every call', async () => {
    const [own] = await inverters(1);
    const stranger = await plants.addSite((await plants.addOrganisation('installer')).id);
    const [other] = await inverters(1, {}, stranger.id);
    const deviceIDs = [own?.id ?? '', other?.id ?? ''];
    const answers = [
      await plants.call(rules, { deviceIDs }, me.token),
      await plants.call(preview, { deviceIDs, values }, me.token),
      await plants.call(run, { deviceIDs, values }, me.token),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.deviceNotFound));
    expect((await plants.read(groups, {}, me.token)).data).toEqual([]);
  });

  test('have the settings in common that hold for each of them', async () => {
    const made = await inverters(1);
    const solar = await plants.addDevice(siteId, dataloggerId, { model: 'SW-S5S' });
    const common = await plants.read(rules, { deviceIDs: [...ids(made), solar.id] }, me.token);
    expect(common.devices).toBe(2);
    expect(common.rules.find(({ name }) => name === LIMIT)?.high).toBe(20_000);
    expect(common.rules.map(({ name }) => name)).not.toContain('Setting/MinSoc');
    expect(common.rules.map(({ name }) => name)).not.toContain('Setting/IsoLimit');
  });
});

describe('the preview', () => {
  test('says of each device what would change, and why it cannot be', async () => {
    const [plain] = await inverters(1);
    const [same] = await inverters(2, { [LIMIT]: 5_000 });
    const [secondary] = await inverters(3, { [LIMIT]: 10_000, 'Setting/ParallelMode': 2 });
    const [without] = await inverters(4, { 'Setting/MinSoc': 10 });
    const [busy] = await inverters(5);
    await begin([busy?.id ?? '']);
    await until(
      async () =>
        (
          await plants.db
            .selectFrom('commands')
            .select('id')
            .where('device_id', '=', busy?.id ?? '')
            .execute()
        ).length,
    );
    const deviceIDs = [plain, same, secondary, without, busy].map((each) => each?.id ?? '');
    const { rows, isDangerous } = await plants.read(preview, { deviceIDs, values }, me.token);
    expect(isDangerous).toBe(false);
    expect(rows.map(({ obstacle }) => obstacle?.why ?? null)).toEqual([
      null,
      'sameValue',
      'blocked',
      'unknownSetting',
      'openCommand',
    ]);
    expect(rows[0]).toMatchObject({ values: [{ name: LIMIT, from: 10_000, to: 5_000 }], online: true });
    const high = await plants.read(preview, { deviceIDs, values: [{ name: LIMIT, value: 50_000 }] }, me.token);
    expect(high.rows[0]?.obstacle).toEqual({ why: 'outOfRange', name: LIMIT, detail: '40000' });
    const code = [{ name: 'Setting/GridCode', value: 'G98' }];
    expect((await plants.read(preview, { deviceIDs, values: code }, me.token)).isDangerous).toBe(true);
  });

  test('reckons from the own last 30 days what an export limit would cost a day', async () => {
    const site = await plants.addSite(me.organisationId, { feed_in_price: '0.10', currency: 'EUR' });
    const [device] = await inverters(1, { [LIMIT]: 10_000 }, site.id);
    const [unrecorded] = await inverters(2);
    const day = Math.floor(Date.now() / 86_400_000 - 2) * 86_400;
    // 5 kW is 416.67 Wh in five minutes: of 500 Wh, 83.33 are cut off, twelve times.
    const rowsOf = Array.from({ length: 12 }, (_, place) => ({
      site: site.key,
      ts: day + 43_200 + place * 300,
      version: 1,
      qualities: 0,
      export_wh: 500,
    }));
    await plants.insert('site_5m', rowsOf);
    const deviceIDs = [device?.id ?? '', unrecorded?.id ?? ''];
    const { rows } = await plants.read(preview, { deviceIDs, values }, me.token);
    expect(rows[0]).toMatchObject({ costWhPerDay: 1_000, costPerDay: 0.1, currency: 'EUR' });
    expect(rows[1]).toMatchObject({ costWhPerDay: null, costPerDay: null });
  });
});

describe('a group write', () => {
  test('that stops after refusals reaches no more devices than that, until as many have taken it', async () => {
    const groupID = await begin(ids(await inverters(12)), { stopAfter: 3 });
    const first = await underWay(groupID, 3);
    await confirm(first);
    await confirm(await underWay(groupID, 3));
    const next = await underWay(groupID, 6);
    await endCommands(
      plants,
      next.slice(0, 3).map(({ commandID }) => commandID),
      'refused',
      { code: 6 },
    );
    expect((await inState(groupID, 'stopped')).group.counts).toMatchObject({ total: 12, confirmed: 6, waiting: 0 });
  });

  test('of a wrong value is found out at as few devices as may refuse', async () => {
    const groupID = await begin(ids(await inverters(8)), { stopAfter: 2 });
    const first = await underWay(groupID, 2);
    await endCommands(
      plants,
      first.map(({ commandID }) => commandID),
      'refused',
      { code: 6 },
    );
    expect((await inState(groupID, 'stopped')).group.counts).toMatchObject({ waiting: 6 });
  });

  test('that comes twice is one group, and under an id also after it is over', async () => {
    const deviceIDs = ids(await inverters(2));
    const groupID = await begin(deviceIDs);
    expect(await begin(deviceIDs)).toBe(groupID);
    const requestID = '7f9c0a52-1a5f-4f52-8f5e-3f1d5a0a7c22';
    const others = ids(await inverters(3));
    const second = await begin(others, { requestID });
    await confirm(await underWay(second, 3));
    await inState(second, 'done');
    expect(await begin(others, { requestID })).toBe(second);
  });

  test('of what no device of the kind could be told, or not at this level, is no group', async () => {
    const deviceIDs = ids(await inverters(1));
    const answers = [];
    for (const [name, value] of [
      ['Setting/IsoLimit', 90],
      ['Setting/Nothing', 1],
      [LIMIT, 'five'],
      [LIMIT, 1e308],
    ] as const) {
      answers.push((await plants.call(run, { deviceIDs, values: [{ name, value }] }, me.token)).errno);
    }
    expect(answers).toEqual([errno.settingNotAllowed, errno.settingUnknown, errno.refusedInput, errno.refusedInput]);
    expect((await plants.read(groups, {}, me.token)).data).toEqual([]);
  });

  test('to twenty inverters, one of which refuses, says how each of them went', async () => {
    const devices = await inverters(20);
    const groupID = await begin(ids(devices), { name: 'Roof to 5 kW' });
    const [first, ...others] = await underWay(groupID, 20);
    await endCommands(plants, [first?.commandID ?? ''], 'refused', { code: 6, message: 'in backup' });
    await confirm(others);
    const done = await inState(groupID, 'done');
    expect(done.group).toMatchObject({
      name: 'Roof to 5 kW',
      doneMs: expect.any(Number),
      refusals: 1,
      counts: { total: 20, waiting: 0, underWay: 0, confirmed: 19, failed: 1, cancelled: 0 },
    });
    expect(done.devices[0]).toMatchObject({
      deviceID: first?.deviceID,
      state: 'refused',
      code: 6,
      message: 'in backup',
      values: [{ name: LIMIT, from: 10_000, to: 5_000 }],
    });
    expect(new Set(done.devices.slice(1).map(({ state }) => state))).toEqual(new Set(['confirmed']));
  });

  test('says of a device that is not there until when its command waits for it, and counts it apart', async () => {
    const [there, gone] = await inverters(2);
    await plants.db
      .updateTable('devices')
      .set({ last_seen_at: new Date(Date.now() - 3_600_000) })
      .where('id', '=', gone?.id ?? '')
      .execute();
    const groupID = await begin([there?.id ?? '', gone?.id ?? '']);
    const commands = await underWay(groupID, 2);
    const told = await resultOf(groupID);
    expect(told.group.counts).toMatchObject({ underWay: 2, away: 1 });
    const untilMs = (id: string | undefined) => told.devices.find(({ deviceID }) => deviceID === id)?.awaitedUntilMs;
    expect([untilMs(there?.id), untilMs(gone?.id)]).toEqual([null, expect.any(Number)]);
    await endCommands(plants, [commands.find(({ deviceID }) => deviceID === gone?.id)?.commandID ?? ''], 'expired');
    await confirm(commands.filter(({ deviceID }) => deviceID === there?.id));
    const done = await inState(groupID, 'done');
    expect(done.group.counts).toMatchObject({ away: 0, confirmed: 1, failed: 1, expired: 1, refused: 0, timedOut: 0 });
    expect(done.devices.map(({ awaitedUntilMs }) => awaitedUntilMs)).toEqual([null, null]);
  });

  test('tries again those that failed, with the same values under new ids', async () => {
    const devices = await inverters(2);
    const groupID = await begin(ids(devices));
    const [first, second] = await underWay(groupID, 2);
    await endCommands(plants, [first?.commandID ?? ''], 'timedOut');
    await confirm(second ? [second] : []);
    await inState(groupID, 'done');
    const wrong = await plants.call(retryGroup, { groupID, deviceIDs: ids(await inverters(3)) }, me.token);
    expect(wrong.errno).toBe(errno.deviceNotFound);
    const again = await plants.read(retryGroup, { groupID, deviceIDs: [first?.deviceID ?? ''] }, me.token);
    const [retried] = await underWay(again.groupID, 1);
    expect(retried?.deviceID).toBe(first?.deviceID);
    expect(retried?.commandID).not.toBe(first?.commandID);
    await confirm(retried ? [retried] : []);
    expect((await inState(again.groupID, 'done')).group.counts.confirmed).toBe(1);
  });

  test('is taken back as a group: each device gets what it had before', async () => {
    const devices = [...(await inverters(1, { [LIMIT]: 9_000 })), ...(await inverters(2, { [LIMIT]: 8_000 }))];
    const groupID = await begin(ids(devices));
    await confirm(await underWay(groupID, 3));
    await inState(groupID, 'done');
    const back = await plants.read(revertGroup, { groupID }, me.token);
    const sent = await resultOf(back.groupID);
    expect(sent.group).toMatchObject({ revertsID: groupID, values: [] });
    await confirm(await underWay(back.groupID, 3));
    const done = await inState(back.groupID, 'done');
    expect(done.devices.map((each) => [each.values[0]?.from, each.values[0]?.to]).sort()).toEqual([
      [5_000, 8_000],
      [5_000, 8_000],
      [5_000, 9_000],
    ]);
  });

  test('stops after so many refusals, and goes on when it is told to', async () => {
    const groupID = await begin(ids(await inverters(9)), { stopAfter: 2 });
    await confirm(await underWay(groupID, 2));
    await confirm(await underWay(groupID, 2));
    const commands = await underWay(groupID, 4);
    await endCommands(
      plants,
      commands.slice(0, 2).map(({ commandID }) => commandID),
      'refused',
      { code: 6 },
    );
    const stopped = await inState(groupID, 'stopped');
    expect(stopped.group).toMatchObject({ refusals: 2, counts: { waiting: 1, underWay: 2 } });
    await confirm(commands.slice(2));
    await until(async () => (await resultOf(groupID)).group.counts.underWay === 0);
    expect((await resultOf(groupID)).group).toMatchObject({ state: 'stopped', counts: { waiting: 1 } });
    await plants.read(controlGroup, { groupID, action: 'resume' }, me.token);
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
    await plants.read(controlGroup, { groupID, action: 'pause' }, me.token);
    await confirm(commands);
    await until(async () => (await resultOf(groupID)).group.counts.underWay === 0);
    expect((await resultOf(groupID)).group).toMatchObject({ state: 'paused', counts: { waiting: 2 } });
    // As a process leaves it that is killed right after it was told to go on.
    await plants.db.updateTable('setting_groups').set({ state: 'running' }).where('id', '=', groupID).execute();
    const logger = pino({ level: 'silent' });
    const anew = new GroupRunner({
      db: plants.db,
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
    await plants.read(controlGroup, { groupID, action: 'cancel' }, me.token);
    await until(async () => (await resultOf(groupID)).group.doneMs !== null);
    expect((await resultOf(groupID)).group).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: devices.length },
    });
    for (const action of ['pause', 'resume', 'cancel'] as const) {
      expect((await plants.call(controlGroup, { groupID, action }, me.token)).errno).toBe(errno.settingGroupOver);
    }
  });

  test('leaves out a device that has left the scope of who ordered it', async () => {
    const devices = await inverters(MOST_UNDER_WAY + 1);
    const groupID = await begin(ids(devices));
    const commands = await underWay(groupID, MOST_UNDER_WAY);
    const last = devices.find(({ id }) => commands.every(({ deviceID }) => deviceID !== id));
    const elsewhere = await plants.addSite((await plants.addOrganisation('installer')).id);
    await plants.db
      .updateTable('devices')
      .set({ site_id: elsewhere.id })
      .where('id', '=', last?.id ?? '')
      .execute();
    await confirm(commands);
    const { group, devices: shown } = await inState(groupID, 'done');
    expect(group.counts).toMatchObject({ confirmed: MOST_UNDER_WAY, cancelled: 1 });
    expect(shown.map(({ deviceID }) => deviceID)).not.toContain(last?.id);
    const ordered = await plants.db
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
    await plants.db.updateTable('accounts').set({ disabled_at: new Date() }).where('id', '=', me.accountId).execute();
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
    expect((await plants.call(run, input, me.token)).errno).toBe(errno.settingConfirmation);
    expect((await plants.call(run, { ...input, confirmation: '3' }, me.token)).errno).toBe(errno.settingConfirmation);
    expect((await plants.call(run, { ...input, confirmation: ' 2' }, me.token)).errno).toBe(0);
  });

  test('of a dangerous setting is tried again only once the number of those devices was typed', async () => {
    const devices = await inverters(2, { 'Setting/StartStop': true });
    const dangerous = [{ name: 'Setting/StartStop', value: false }];
    const groupID = await begin(ids(devices), { values: dangerous, confirmation: '2' });
    const [first] = await underWay(groupID, 2);
    await endCommands(plants, [first?.commandID ?? ''], 'timedOut');
    expect(await resultOf(groupID)).toMatchObject({ isDangerous: true });
    const again = { groupID, deviceIDs: [first?.deviceID ?? ''] };
    await until(async () => (await resultOf(groupID)).devices.some(({ state }) => state === 'timedOut'));
    for (const confirmation of [undefined, '2']) {
      expect((await plants.call(retryGroup, { ...again, confirmation }, me.token)).errno).toBe(
        errno.settingConfirmation,
      );
    }
    expect((await plants.call(retryGroup, { ...again, confirmation: '1' }, me.token)).errno).toBe(0);
  });

  test('waits with a device to which somebody else writes the same setting, and writes to it afterwards', async () => {
    const [one, other] = await inverters(2);
    const by = { source: 'hand' as const, orderedBy: me.accountId };
    const [foreign = ''] = await plants.db.transaction().execute((tx) =>
      plants.commands.order(tx, [
        {
          loggerID: dataloggerId,
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
    const stranger = (await plants.addInstaller()).token;
    const answers = [
      await plants.call(result, { groupID }, stranger),
      await plants.call(controlGroup, { groupID, action: 'cancel' }, stranger),
      await plants.call(retryGroup, { groupID, deviceIDs: ids(devices) }, stranger),
      await plants.call(revertGroup, { groupID }, stranger),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.settingGroupNotFound));
    expect((await plants.read(groups, {}, stranger)).data).toEqual([]);
    const { id } = await plants.addOrganisation('platform');
    const admin = plants.signIn(await plants.addAccount(id, 255));
    const list = (await plants.read(groups, {}, admin)).data;
    expect(list.map((group) => group.groupID)).toContain(groupID);
  });
});
