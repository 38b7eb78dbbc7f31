import { commandEndpoints } from '@sonnenwarte/contract/commands/commands';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const { list, info } = commandEndpoints;
let api: PlantsFixture;
let installer: string;
let owner: string;
let stranger: string;
let ownerId: string;
let deviceID: string;
let loggerID: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
  const { id } = await api.addOrganisation('installer');
  const beside = await api.addOrganisation('installer');
  const account = await api.addAccount(id, 1);
  ownerId = account.id;
  installer = api.signIn(await api.addAccount(id, 2));
  owner = api.signIn(account);
  stranger = api.signIn(await api.addAccount(beside.id, 2));
  const site = await api.addSite(id, { owner_account_id: ownerId });
  loggerID = (await api.addDatalogger(site.id)).id;
  deviceID = (await api.addDevice(site.id, loggerID)).id;
});
afterAll(() => api.stop());

const ordered = (orderedBy: string | null, value: number): Promise<string[]> =>
  api.db.transaction().execute((trx) =>
    api.commands.order(trx, [
      {
        loggerID,
        deviceID,
        kind: 'write',
        content: { values: { 'Setting/ExportLimit': value } },
        source: 'hand',
        orderedBy,
      },
      { loggerID, deviceID: null, kind: 'read', content: { names: ['Report/Interval'] }, source: 'portal', orderedBy },
    ]),
  );

describe('commands as they are shown', () => {
  it('are listed of a device or datalogger, the newest first, by their states, with what they wait for', async () => {
    const [first = ''] = await ordered(null, 1_000);
    const [second = ''] = await ordered(ownerId, 2_000);
    const { total, data } = await api.read(list, { id: deviceID }, installer);
    expect(total).toBe(2);
    expect(data.map(({ commandID, waitsFor }) => [commandID, waitsFor])).toEqual([
      [second, 'turn'],
      [first, 'device'],
    ]);
    expect(data[0]).toMatchObject({
      subjectID: deviceID,
      kind: 'write',
      state: 'queued',
      source: 'hand',
      orderedBy: `user-${ownerId}`,
    });
    const ended = await api.read(list, { id: deviceID, condition: { states: ['confirmed'] } }, installer);
    expect(ended.total).toBe(0);
    const ofLogger = await api.read(list, { id: loggerID }, installer);
    expect(ofLogger.data.map(({ kind }) => kind)).toEqual(['read', 'read']);
  });

  it('are an owner only those that were ordered in their own name', async () => {
    const [others = ''] = await ordered(null, 3_000);
    const [own = ''] = await ordered(ownerId, 4_000);
    const { data } = await api.read(list, { id: deviceID }, owner);
    expect(new Set(data.map(({ orderedBy }) => orderedBy))).toEqual(new Set([`user-${ownerId}`]));
    expect(await api.read(info, { id: deviceID, commandID: own }, owner)).toMatchObject({ commandID: own });
    expect((await api.call(info, { id: deviceID, commandID: others }, owner)).errno).toBe(errno.commandNotFound);
    expect(await api.read(info, { id: deviceID, commandID: others }, installer)).toMatchObject({ commandID: others });
  });

  it('of a stranger are as if the device were not there', async () => {
    const [id = ''] = await ordered(null, 5_000);
    expect((await api.call(list, { id: deviceID }, stranger)).errno).toBe(errno.deviceNotFound);
    expect((await api.call(info, { id: deviceID, commandID: id }, stranger)).errno).toBe(errno.deviceNotFound);
  });

  it('stand in the audit log with who, what and what was before; reading does not', async () => {
    await api.db
      .insertInto('device_settings')
      .values({ subject_id: deviceID, name: 'Setting/ExportLimit', reported: '7000' })
      .execute();
    const [write = '', read = ''] = await ordered(ownerId, 6_000);
    const entries = await api.db.selectFrom('audit_log').selectAll().where('action', '=', 'commands.order').execute();
    const entry = entries.find(({ after }) => (after as { commandID?: string } | null)?.commandID === write);
    expect(entry).toMatchObject({
      actor: `user-${ownerId}`,
      actor_account_id: ownerId,
      record_kind: 'device',
      record_id: deviceID,
      before: { 'Setting/ExportLimit': 7_000 },
      after: { commandID: write, 'Setting/ExportLimit': 6_000, source: 'hand' },
    });
    expect(entries.some(({ after }) => (after as { commandID?: string } | null)?.commandID === read)).toBe(false);
  });
});
