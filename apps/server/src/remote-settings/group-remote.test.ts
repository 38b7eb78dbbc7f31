import { errno } from '@sonnenwarte/contract/errors';
import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { LIMIT, ownGroups, values } from '../testing/group-remote-fixture.ts';
import { endCommands } from '../testing/setting-acts.ts';

const world = ownGroups();
const { inverters, ids, resultOf, begin, underWay, inState, confirm } = world;

const { findDevices, rules, preview, run, groups, retryGroup, revertGroup } = groupEndpoints;

describe('devices of a group', () => {
  test('are found by serial numbers of one kind; a stranger’s is missing like one that is none', async () => {
    const [own] = await inverters(1);
    const stranger = await world.plants.addSite((await world.plants.addOrganisation('installer')).id);
    const [other] = await inverters(1, {}, stranger.id);
    const sns = [own?.sn ?? '', other?.sn ?? '', 'NOBODY', ` ${own?.sn} `];
    expect(await world.plants.read(findDevices, { kind: 'inverter', sns }, world.me.token)).toEqual({
      found: [{ deviceID: own?.id, deviceSN: own?.sn, model: 'SW-H10T', stationName: 'Roof' }],
      missing: [other?.sn, 'NOBODY'],
    });
    expect((await world.plants.read(findDevices, { kind: 'meter', sns }, world.me.token)).found).toEqual([]);
  });

  test('that include a stranger’s are refused as a whole, in every call', async () => {
    const [own] = await inverters(1);
    const stranger = await world.plants.addSite((await world.plants.addOrganisation('installer')).id);
    const [other] = await inverters(1, {}, stranger.id);
    const deviceIDs = [own?.id ?? '', other?.id ?? ''];
    const answers = [
      await world.plants.call(rules, { deviceIDs }, world.me.token),
      await world.plants.call(preview, { deviceIDs, values }, world.me.token),
      await world.plants.call(run, { deviceIDs, values }, world.me.token),
    ];
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.deviceNotFound));
    expect((await world.plants.read(groups, {}, world.me.token)).data).toEqual([]);
  });

  test('have the settings in common that hold for each of them', async () => {
    const made = await inverters(1);
    const solar = await world.plants.addDevice(world.siteId, world.dataloggerId, { model: 'SW-S5S' });
    const common = await world.plants.read(rules, { deviceIDs: [...ids(made), solar.id] }, world.me.token);
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
          await world.plants.db
            .selectFrom('commands')
            .select('id')
            .where('device_id', '=', busy?.id ?? '')
            .execute()
        ).length,
    );
    const deviceIDs = [plain, same, secondary, without, busy].map((each) => each?.id ?? '');
    const { rows, isDangerous } = await world.plants.read(preview, { deviceIDs, values }, world.me.token);
    expect(isDangerous).toBe(false);
    expect(rows.map(({ obstacle }) => obstacle?.why ?? null)).toEqual([
      null,
      'sameValue',
      'blocked',
      'unknownSetting',
      'openCommand',
    ]);
    expect(rows[0]).toMatchObject({ values: [{ name: LIMIT, from: 10_000, to: 5_000 }], online: true });
    const high = await world.plants.read(
      preview,
      { deviceIDs, values: [{ name: LIMIT, value: 50_000 }] },
      world.me.token,
    );
    expect(high.rows[0]?.obstacle).toEqual({ why: 'outOfRange', name: LIMIT, detail: '40000' });
    const code = [{ name: 'Setting/GridCode', value: 'G98' }];
    expect((await world.plants.read(preview, { deviceIDs, values: code }, world.me.token)).isDangerous).toBe(true);
  });

  test('reckons from the own last 30 days what an export limit would cost a day', async () => {
    const site = await world.plants.addSite(world.me.organisationId, { feed_in_price: '0.10', currency: 'EUR' });
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
    await world.plants.insert('site_5m', rowsOf);
    const deviceIDs = [device?.id ?? '', unrecorded?.id ?? ''];
    const { rows } = await world.plants.read(preview, { deviceIDs, values }, world.me.token);
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
      world.plants,
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
      world.plants,
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
      answers.push((await world.plants.call(run, { deviceIDs, values: [{ name, value }] }, world.me.token)).errno);
    }
    expect(answers).toEqual([errno.settingNotAllowed, errno.settingUnknown, errno.refusedInput, errno.refusedInput]);
    expect((await world.plants.read(groups, {}, world.me.token)).data).toEqual([]);
  });

  test('to twenty inverters, one of which refuses, says how each of them went', async () => {
    const devices = await inverters(20);
    const groupID = await begin(ids(devices), { name: 'Roof to 5 kW' });
    const [first, ...others] = await underWay(groupID, 20);
    await endCommands(world.plants, [first?.commandID ?? ''], 'refused', { code: 6, message: 'in backup' });
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
    await world.plants.db
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
    await endCommands(
      world.plants,
      [commands.find(({ deviceID }) => deviceID === gone?.id)?.commandID ?? ''],
      'expired',
    );
    await confirm(commands.filter(({ deviceID }) => deviceID === there?.id));
    const done = await inState(groupID, 'done');
    expect(done.group.counts).toMatchObject({ away: 0, confirmed: 1, failed: 1, expired: 1, refused: 0, timedOut: 0 });
    expect(done.devices.map(({ awaitedUntilMs }) => awaitedUntilMs)).toEqual([null, null]);
  });

  test('tries again those that failed, with the same values under new ids', async () => {
    const devices = await inverters(2);
    const groupID = await begin(ids(devices));
    const [first, second] = await underWay(groupID, 2);
    await endCommands(world.plants, [first?.commandID ?? ''], 'timedOut');
    await confirm(second ? [second] : []);
    await inState(groupID, 'done');
    const wrong = await world.plants.call(retryGroup, { groupID, deviceIDs: ids(await inverters(3)) }, world.me.token);
    expect(wrong.errno).toBe(errno.deviceNotFound);
    const again = await world.plants.read(retryGroup, { groupID, deviceIDs: [first?.deviceID ?? ''] }, world.me.token);
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
    const back = await world.plants.read(revertGroup, { groupID }, world.me.token);
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
});
