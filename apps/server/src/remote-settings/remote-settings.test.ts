import { errno } from '@sonnenwarte/contract/errors';
import type { Level } from '@sonnenwarte/contract/levels';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { endCommands, tell } from '../testing/setting-acts.ts';

const { view, read, write, accept, restore, revert, history, cancel, drift, presets, addPreset, removePreset } =
  settingsEndpoints;

let plants: PlantsFixture;
beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants?.stop());

interface Somebody {
  readonly organisationId: string;
  readonly token: string;
  readonly path: string[];
}

async function somebody(level: Level = 2, above: readonly string[] = []): Promise<Somebody> {
  const { id, path } = await plants.addOrganisation('installer', above);
  return { organisationId: id, path, token: plants.signIn(await plants.addAccount(id, level)) };
}

let me: Somebody;
let device: { id: string; sn: string };
let dataloggerId: string;
beforeEach(async () => {
  me = await somebody();
  const site = await plants.addSite(me.organisationId);
  const datalogger = await plants.addDatalogger(site.id);
  dataloggerId = datalogger.id;
  device = await plants.addDevice(site.id, datalogger.id, { model: 'SW-H10T' });
  await tell(
    plants.db,
    device.id,
    {
      'Setting/WorkMode': 1,
      'Setting/MinSoc': 10,
      'Setting/ExportLimit': 10_000,
      'Setting/ReactiveMode': 0,
      'Setting/PowerFactor': 1,
      'Setting/GridCode': 'VDE4105',
      'Setting/IsoLimit': 100,
      'Setting/Vendor/Colour': 3,
    },
    'birth',
  );
});

const viewed = (token = me.token) => plants.read(view, { id: device.id }, token);
const row = async (name: string, token = me.token) =>
  (await viewed(token)).settings.find(({ rule }) => rule.name === name);
const put = (name: string, value: number | string | boolean, more: object = {}, token = me.token) =>
  plants.call(write, { id: device.id, values: [{ name, value, ...more }] }, token);

async function written(name: string, value: number | string | boolean): Promise<string> {
  const { commandID } = await plants.read(write, { id: device.id, values: [{ name, value }] }, me.token);
  await endCommands(plants, [commandID], 'confirmed');
  return commandID;
}

describe('the settings of a device', () => {
  test('are those that it has told, with the bounds of its model, and what the catalogue does not know is only read', async () => {
    const { settings, subject } = await viewed();
    expect(subject).toMatchObject({ subjectSN: device.sn, kind: 'inverter', model: 'SW-H10T', online: true });
    expect(settings.map(({ rule }) => rule.name)).not.toContain('Setting/Afci');
    expect(await row('Setting/ExportLimit')).toMatchObject({
      rule: { low: 0, high: 40_000, step: 1, unit: 'W' },
      state: 'told',
      reported: 10_000,
      desired: null,
      can: { write: true, whyNot: null },
    });
    expect(await row('Setting/Vendor/Colour')).toMatchObject({
      reported: 3,
      can: { write: false, whyNot: 'unknown' },
    });
  });

  test('are all of its model before it has told any', async () => {
    const site = await plants.addSite(me.organisationId);
    const other = await plants.addDevice(site.id, dataloggerId, { model: 'SW-S20T' });
    const { settings } = await plants.read(view, { id: other.id }, me.token);
    expect(settings.map(({ rule }) => rule.name)).toContain('Setting/Afci');
    expect(settings.map(({ rule }) => rule.name)).not.toContain('Setting/MinSoc');
    expect(new Set(settings.map(({ state }) => state))).toEqual(new Set(['neverRead']));
  });

  test('say what blocks one of them', async () => {
    expect((await row('Setting/PowerFactor'))?.blockedBy).toEqual({
      name: 'Setting/ReactiveMode',
      labelKey: 'points.settingReactiveMode',
      value: 0,
    });
  });

  test('of a datalogger are its own', async () => {
    const { settings, subject } = await plants.read(view, { id: dataloggerId }, me.token);
    expect(subject.kind).toBe('logger');
    expect(settings.map(({ rule }) => rule.name)).toEqual(['Clock/TimeZone', 'Report/Interval']);
    const values = [{ name: 'Report/Interval', value: 120 }];
    const { commandID } = await plants.read(write, { id: dataloggerId, values }, me.token);
    await endCommands(plants, [commandID], 'confirmed');
    const after = await plants.read(view, { id: dataloggerId }, me.token);
    expect(after.settings.find(({ rule }) => rule.name === 'Report/Interval')).toMatchObject({
      state: 'confirmed',
      reported: 120,
    });
  });

  test('of a stranger answer as those of nobody, in every call', async () => {
    const stranger = await somebody();
    const id = device.id;
    const names = ['Setting/ExportLimit'];
    const values = [{ name: 'Setting/ExportLimit', value: 1 }];
    const answers = await Promise.all([
      plants.call(view, { id }, stranger.token),
      plants.call(read, { id }, stranger.token),
      plants.call(write, { id, values }, stranger.token),
      plants.call(accept, { id, values: names.map((name) => ({ name, value: 1 })) }, stranger.token),
      plants.call(restore, { id, names }, stranger.token),
      plants.call(revert, { id, changeID: '1' }, stranger.token),
      plants.call(history, { id }, stranger.token),
      plants.call(cancel, { id, commandID: '01JDKXYZABCDEFGHJKMNPQRSTV' }, stranger.token),
      plants.call(drift, { id }, stranger.token),
    ]);
    expect(answers.map((answer) => answer.errno)).toEqual(answers.map(() => errno.deviceNotFound));
  });

  test('go with the device, and the history with them', async () => {
    await written('Setting/ExportLimit', 5_000);
    await plants.db.deleteFrom('devices').where('id', '=', device.id).execute();
    for (const table of ['device_settings', 'setting_changes'] as const) {
      const left = await plants.db.selectFrom(table).select('name').where('subject_id', '=', device.id).execute();
      expect(left).toEqual([]);
    }
  });

  test('are asked for once, however often somebody asks', async () => {
    const first = await plants.read(read, { id: device.id }, me.token);
    expect(await plants.read(read, { id: device.id }, me.token)).toEqual(first);
    expect((await viewed()).commands).toMatchObject([{ kind: 'read', content: { names: ['Setting/*'] } }]);
  });
});

describe('writing', () => {
  test('goes from pending to confirmed, and is meant from then on', async () => {
    const { commandID } = await plants.read(
      write,
      { id: device.id, values: [{ name: 'Setting/ExportLimit', value: 5_000, basedOn: 10_000 }] },
      me.token,
    );
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'pending', reported: 10_000, desired: null });
    expect((await viewed()).writer).toMatchObject({ isSelf: true, commandID });
    await endCommands(plants, [commandID], 'confirmed');
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'confirmed', reported: 5_000, desired: 5_000 });
    expect((await viewed()).writer).toBeNull();
  });

  test('that the device refuses says so with its code and leaves what is meant', async () => {
    await written('Setting/ExportLimit', 5_000);
    const { commandID } = await plants.read(
      write,
      { id: device.id, values: [{ name: 'Setting/ExportLimit', value: 6_000 }] },
      me.token,
    );
    await endCommands(plants, [commandID], 'refused', { code: 6, message: 'in backup' });
    expect(await row('Setting/ExportLimit')).toMatchObject({
      state: 'refused',
      desired: 5_000,
      command: { commandID, code: 6, message: 'in backup' },
    });
  });

  test.each<[string, number | string | boolean, string]>([
    ['Setting/ExportLimit', 40_001, 'too_big'],
    ['Setting/ExportLimit', -1, 'too_small'],
    ['Setting/ExportLimit', 1.5, 'notAStep'],
    ['Setting/ExportLimit', '5000', 'invalid_type'],
    ['Setting/ExportLimit', true, 'invalid_type'],
    ['Setting/WorkMode', 9, 'invalid_value'],
  ])('%s = %j is refused at its field: %s', async (name, value, reason) => {
    expect(await put(name, value)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'values.0.value', reason }] },
    });
    expect((await viewed()).commands).toEqual([]);
  });

  test('is all or nothing: one value out of bounds keeps the others back', async () => {
    const values = [
      { name: 'Setting/ExportLimit', value: 5_000 },
      { name: 'Setting/MinSoc', value: 5 },
    ];
    expect(await plants.call(write, { id: device.id, values }, me.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'values.1.value', reason: 'too_small' }] },
    });
    expect((await viewed()).commands).toEqual([]);
  });

  test('of what the device does not have, of what nobody knows, twice in one, or without a change is refused', async () => {
    expect((await put('Setting/Afci', false)).errno).toBe(errno.settingUnknown);
    expect((await put('Setting/Vendor/Colour', 4)).errno).toBe(errno.settingUnknown);
    const twice = [1, 2].map((value) => ({ name: 'Setting/ExportLimit', value }));
    expect((await plants.call(write, { id: device.id, values: twice }, me.token)).errno).toBe(errno.refusedInput);
    expect((await put('Setting/ExportLimit', 10_000)).errno).toBe(errno.settingUnchanged);
  });

  test('a blocked setting is refused, unless what blocks it is changed with it', async () => {
    expect(await put('Setting/PowerFactor', 0.95)).toMatchObject({
      errno: errno.settingBlocked,
      result: { name: 'Setting/PowerFactor', by: 'Setting/ReactiveMode' },
    });
    const values = [
      { name: 'Setting/PowerFactor', value: 0.95 },
      { name: 'Setting/ReactiveMode', value: 1 },
    ];
    expect((await plants.call(write, { id: device.id, values }, me.token)).errno).toBe(0);
  });

  test('a dangerous setting needs the serial number, typed; spaces do not count', async () => {
    expect((await put('Setting/GridCode', 'EN50549')).errno).toBe(errno.settingConfirmation);
    const values = [{ name: 'Setting/GridCode', value: 'EN50549' }];
    const part = device.sn.slice(0, -1);
    expect((await plants.call(write, { id: device.id, values, confirmation: part }, me.token)).errno).toBe(
      errno.settingConfirmation,
    );
    const spaced = ` ${device.sn.slice(0, 4)} ${device.sn.slice(4).toLowerCase()} `;
    expect((await plants.call(write, { id: device.id, values, confirmation: spaced }, me.token)).errno).toBe(0);
  });

  test('a limit that protects people is not for installers', async () => {
    expect((await row('Setting/IsoLimit'))?.can).toEqual({ write: false, whyNot: 'level' });
    const confirmation = device.sn;
    const values = [{ name: 'Setting/IsoLimit', value: 90 }];
    expect((await plants.call(write, { id: device.id, values, confirmation }, me.token)).errno).toBe(
      errno.settingNotAllowed,
    );
    const agent = plants.signIn(await plants.addAccount(me.organisationId, 3));
    expect((await plants.call(write, { id: device.id, values, confirmation }, agent)).errno).toBe(0);
  });

  test.each(['Setting/EmsPort', 'Setting/EmsDeviceCount'])('%s of an EMS is from 1 to 65535', async (name) => {
    const row = await plants.db
      .selectFrom('devices')
      .select(['site_id', 'logger_id'])
      .where('id', '=', device.id)
      .executeTakeFirstOrThrow();
    const ems = await plants.addDevice(row.site_id, row.logger_id, { kind: 'ems' });
    await tell(plants.db, ems.id, { [name]: 2 });
    const answers = [];
    for (const value of [0, 65_536, 1.5, 65_535]) {
      answers.push((await plants.call(write, { id: ems.id, values: [{ name, value }] }, me.token)).errno);
    }
    expect(answers).toEqual([errno.refusedInput, errno.refusedInput, errno.refusedInput, 0]);
  });

  test('what was edited before the device came to have another value is refused', async () => {
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 7_000 });
    expect(await put('Setting/ExportLimit', 5_000, { basedOn: 10_000 })).toMatchObject({
      errno: errno.settingChangedSince,
      result: { name: 'Setting/ExportLimit', reported: 7_000 },
    });
    expect((await put('Setting/ExportLimit', 5_000, { basedOn: 7_000 })).errno).toBe(0);
  });

  test('two who write the same at once: one does, the other is told who', async () => {
    const other = plants.signIn(await plants.addAccount(me.organisationId, 2));
    const answers = await Promise.all([
      put('Setting/ExportLimit', 5_000, { basedOn: 10_000 }),
      put('Setting/ExportLimit', 6_000, { basedOn: 10_000 }, other),
    ]);
    expect(answers.map((answer) => answer.errno).sort()).toEqual([0, errno.settingBeingWritten].sort());
    const loser = answers.find((answer) => answer.errno !== 0);
    expect(loser?.result).toMatchObject({ by: expect.stringMatching(/^user-/), sinceMs: expect.any(Number) });
    const seen = await viewed(answers[0]?.errno === 0 ? other : me.token);
    expect(seen.writer).toMatchObject({ isSelf: false });
    expect((await put('Setting/MinSoc', 20, {}, other)).errno).toBe(0);
  });

  test('more commands than a device can ever be meant to do are refused', async () => {
    for (let value = 1; value <= 20; value += 1) expect((await put('Setting/ExportLimit', value)).errno).toBe(0);
    expect((await put('Setting/ExportLimit', 21)).errno).toBe(errno.tooManySettingCommands);
  });

  test('back to what the device has is sent while another value is on its way to it', async () => {
    expect((await put('Setting/ExportLimit', 0)).errno).toBe(0);
    expect((await put('Setting/ExportLimit', 10_000)).errno).toBe(0);
    const sent = (await viewed()).commands.map(({ content }) => content.values?.['Setting/ExportLimit']);
    expect(sent).toEqual([10_000, 0]);
  });

  test('the same again while it is on its way is answered with the command that is there', async () => {
    const first = await put('Setting/ExportLimit', 4_000);
    expect(await put('Setting/ExportLimit', 4_000)).toEqual(first);
    expect((await viewed()).commands).toHaveLength(1);
  });

  test('under one id is done once, also at once and after it is over; another content under it is refused', async () => {
    const requestID = '0b8a4a52-6a5f-4f52-8f5e-3f1d5a0a7c11';
    const ask = (value: number) =>
      plants.call(write, { id: device.id, values: [{ name: 'Setting/ExportLimit', value }], requestID }, me.token);
    const [first, second] = await Promise.all([ask(4_000), ask(4_000)]);
    expect(first.errno).toBe(0);
    expect(second).toEqual(first);
    await endCommands(plants, [first.result?.commandID ?? ''], 'confirmed');
    expect(await ask(4_000)).toEqual(first);
    expect((await ask(4_001)).errno).toBe(errno.refusedInput);
    expect((await viewed()).commands).toHaveLength(1);
  });

  test('a time zone is sent as zones are spelt', async () => {
    await tell(plants.db, dataloggerId, { 'Clock/TimeZone': 'UTC', 'Report/Interval': 60 });
    const values = [{ name: 'Clock/TimeZone', value: 'europe/berlin' }];
    await plants.read(write, { id: dataloggerId, values }, me.token);
    const [command] = (await plants.read(view, { id: dataloggerId }, me.token)).commands;
    expect(command?.content.values).toEqual({ 'Clock/TimeZone': 'Europe/Berlin' });
  });

  test('what waits can be taken back, by its own device only', async () => {
    const { commandID } = await plants.read(
      write,
      { id: device.id, values: [{ name: 'Setting/ExportLimit', value: 5_000 }] },
      me.token,
    );
    const elsewhere = await plants.call(cancel, { id: dataloggerId, commandID }, me.token);
    expect(elsewhere.errno).toBe(errno.settingCommandNotFound);
    expect(await plants.read(cancel, { id: device.id, commandID }, me.token)).toEqual({ cancelled: true });
    expect(await plants.read(cancel, { id: device.id, commandID }, me.token)).toEqual({ cancelled: false });
    expect((await row('Setting/ExportLimit'))?.state).toBe('told');
  });
});

describe('the history of a setting', () => {
  test('says who, when, from, to and by what, and one click writes what was before', async () => {
    await written('Setting/ExportLimit', 5_000);
    await written('Setting/MinSoc', 20);
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 8_000 });
    const all = await plants.read(history, { id: device.id }, me.token);
    expect(all.data.map(({ name, from, to, source }) => [name, from, to, source])).toEqual([
      ['Setting/ExportLimit', 5_000, 8_000, 'device'],
      ['Setting/MinSoc', 10, 20, 'hand'],
      ['Setting/ExportLimit', 10_000, 5_000, 'hand'],
    ]);
    const one = await plants.read(history, { id: device.id, name: 'Setting/MinSoc' }, me.token);
    expect(one).toMatchObject({ total: 1, data: [{ by: expect.stringMatching(/^user-/), unit: '%' }] });
    const { commandID } = await plants.read(revert, { id: device.id, changeID: one.data[0]?.changeID ?? '' }, me.token);
    await endCommands(plants, [commandID], 'confirmed');
    expect(await row('Setting/MinSoc')).toMatchObject({ reported: 10, desired: 10, desiredSource: 'revert' });
  });

  test('of another device reverts nothing', async () => {
    await written('Setting/ExportLimit', 5_000);
    const [change] = (await plants.read(history, { id: device.id }, me.token)).data;
    const answer = await plants.call(revert, { id: dataloggerId, changeID: change?.changeID ?? '' }, me.token);
    expect(answer.errno).toBe(errno.settingChangeNotFound);
    expect((await plants.call(revert, { id: device.id, changeID: 'x' }, me.token)).errno).toBe(
      errno.settingChangeNotFound,
    );
  });
});

describe('presets', () => {
  const values = [{ name: 'Setting/ActivePowerLimit', value: 70 }];

  test('are seen by those below, removed by the own organisation alone', async () => {
    const above = await somebody(3);
    const below = await somebody(2, above.path);
    plants.signOut(below.token);
    const account = await plants.addAccount(below.organisationId, 2);
    const token = plants.signInOf(account, below.path);
    const preset = { kind: 'inverter', name: '70 %', values } as const;
    const { presetID } = await plants.read(addPreset, preset, above.token);
    const seen = (await plants.read(presets, { kind: 'inverter' }, token)).presets;
    expect(seen).toMatchObject([{ presetID, name: '70 %', values: [{ value: 70 }], can: { remove: false } }]);
    expect((await plants.read(presets, { kind: 'ems' }, token)).presets).toEqual([]);
    expect((await plants.read(presets, { kind: 'inverter' }, me.token)).presets).toEqual([]);
    expect((await plants.call(removePreset, { presetID }, token)).errno).toBe(errno.presetNotFound);
    expect((await plants.call(addPreset, { ...preset, name: '70 % ' }, above.token)).errno).toBe(errno.refusedInput);
    await plants.read(removePreset, { presetID }, above.token);
    expect((await plants.read(presets, { kind: 'inverter' }, above.token)).presets).toEqual([]);
  });

  test('hold no value that nobody could write', async () => {
    const bad = [{ name: 'Setting/ActivePowerLimit', value: 101 }];
    expect((await plants.call(addPreset, { kind: 'inverter', name: 'x', values: bad }, me.token)).errno).toBe(
      errno.refusedInput,
    );
    const unknown = [{ name: 'Setting/Nothing', value: 1 }];
    expect((await plants.call(addPreset, { kind: 'inverter', name: 'x', values: unknown }, me.token)).errno).toBe(
      errno.settingUnknown,
    );
  });
});
