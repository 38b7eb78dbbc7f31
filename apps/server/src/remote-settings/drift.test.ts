import { errno } from '@sonnenwarte/contract/errors';
import { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { endCommands, tell } from '../testing/setting-acts.ts';

const { view, write, accept, restore, drift } = settingsEndpoints;

let plants: PlantsFixture;
beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants?.stop());

let me: { readonly organisationId: string; readonly token: string };
let device: { id: string; sn: string };
beforeEach(async () => {
  const { id } = await plants.addOrganisation('installer');
  me = { organisationId: id, token: plants.signIn(await plants.addAccount(id, 2)) };
  const site = await plants.addSite(id);
  device = await plants.addDevice(site.id, (await plants.addDatalogger(site.id)).id, { model: 'SW-H10T' });
  const told = {
    'Setting/MinSoc': 10,
    'Setting/ExportLimit': 10_000,
    'Setting/IsoLimit': 100,
    'Setting/Vendor/Colour': 3,
  };
  await tell(plants.db, device.id, told, 'birth');
});

const row = async (name: string) =>
  (await plants.read(view, { id: device.id }, me.token)).settings.find(({ rule }) => rule.name === name);

async function written(name: string, value: number): Promise<void> {
  const { commandID } = await plants.read(write, { id: device.id, values: [{ name, value }] }, me.token);
  await endCommands(plants, [commandID], 'confirmed');
}

describe('drift', () => {
  beforeEach(async () => {
    await written('Setting/ExportLimit', 5_000);
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 8_000 });
  });

  test('is shown with its time, also to the owner, who cannot write', async () => {
    expect(await row('Setting/ExportLimit')).toMatchObject({
      state: 'drifted',
      reported: 8_000,
      desired: 5_000,
      driftedSinceMs: expect.any(Number),
    });
    const owner = await plants.addAccount(me.organisationId, 1);
    await plants.db
      .updateTable('sites')
      .set({ owner_account_id: owner.id })
      .where('organisation_id', '=', me.organisationId)
      .execute();
    const told = await plants.read(drift, { id: device.id }, plants.signIn(owner));
    expect(told).toMatchObject({ settings: [{ reported: 8_000, desired: 5_000 }], can: { write: false } });
  });

  test('is accepted as it was seen: what the device has is meant from then on, and nothing that came since', async () => {
    const seen = (value: number) => ({ id: device.id, values: [{ name: 'Setting/ExportLimit', value }] });
    const older = await plants.call(accept, seen(7_000), me.token);
    expect(older.errno).toBe(errno.settingChangedSince);
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'drifted', desired: 5_000 });
    await plants.read(accept, seen(8_000), me.token);
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'confirmed', desired: 8_000 });
    expect((await plants.read(drift, { id: device.id }, me.token)).settings).toEqual([]);
    const again = await plants.call(accept, seen(8_000), me.token);
    expect(again.errno).toBe(errno.settingNotDrifted);
  });

  test('of a setting that only higher levels write is not accepted by others', async () => {
    const names = ['Setting/IsoLimit'];
    await tell(plants.db, device.id, { 'Setting/IsoLimit': 60 });
    await plants.db
      .updateTable('device_settings')
      .set({ desired: JSON.stringify(40), drifted_since: new Date() })
      .where('subject_id', '=', device.id)
      .where('name', 'in', names)
      .execute();
    const refused = await plants.call(
      accept,
      { id: device.id, values: [{ name: 'Setting/IsoLimit', value: 60 }] },
      me.token,
    );
    expect(refused).toMatchObject({ errno: errno.settingNotAllowed });
    expect(await row('Setting/IsoLimit')).toMatchObject({ desired: 40 });
  });

  test('is restored: what is meant is written again', async () => {
    const { commandID } = await plants.read(restore, { id: device.id, names: ['Setting/ExportLimit'] }, me.token);
    await endCommands(plants, [commandID], 'confirmed');
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'confirmed', reported: 5_000, desired: 5_000 });
  });
});

describe('a setting that nobody has written here and that the device changes by itself', () => {
  const age = (id: string) =>
    plants.db
      .updateTable('devices')
      .set({ first_seen_at: new Date(Date.now() - 7_200_000) })
      .where('id', '=', id)
      .execute();

  test('has drifted from what it was told to be before, and is restored or accepted', async () => {
    await age(device.id);
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 4_000 });
    expect(await row('Setting/ExportLimit')).toMatchObject({
      state: 'drifted',
      reported: 4_000,
      desired: 10_000,
      desiredSource: 'told',
      driftedSinceMs: expect.any(Number),
    });
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 3_000 });
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'drifted', reported: 3_000, desired: 10_000 });
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 10_000 });
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'told', driftedSinceMs: null });
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 4_000 });
    const seen = { id: device.id, values: [{ name: 'Setting/ExportLimit', value: 4_000 }] };
    await plants.read(accept, seen, me.token);
    expect(await row('Setting/ExportLimit')).toMatchObject({ state: 'confirmed', desired: 4_000 });
  });

  test('is as it says of a new device, of what the catalogue does not know, and while a command writes it', async () => {
    await tell(plants.db, device.id, { 'Setting/MinSoc': 20 });
    await age(device.id);
    await tell(plants.db, device.id, { 'Setting/Vendor/Colour': 4 });
    const { commandID } = await plants.read(
      write,
      { id: device.id, values: [{ name: 'Setting/ExportLimit', value: 5_000 }] },
      me.token,
    );
    await plants.db.updateTable('commands').set({ state: 'sent' }).where('id', '=', commandID).execute();
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 4_600 });
    expect((await plants.read(drift, { id: device.id }, me.token)).settings).toEqual([]);
  });

  test('is as it says where an EMS unit of the plant directs the inverter', async () => {
    await age(device.id);
    const { site_id, logger_id } = await plants.db
      .selectFrom('devices')
      .select(['site_id', 'logger_id'])
      .where('id', '=', device.id)
      .executeTakeFirstOrThrow();
    await plants.addDevice(site_id, logger_id, { kind: 'ems' });
    await tell(plants.db, device.id, { 'Setting/ExportLimit': 4_000, 'Setting/IsoLimit': 90 });
    expect((await plants.read(drift, { id: device.id }, me.token)).settings).toMatchObject([
      { rule: { name: 'Setting/IsoLimit' }, desired: 100 },
    ]);
  });
});
