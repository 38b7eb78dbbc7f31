import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../stores/in-transaction.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { groupsToAdvance, insertGroup, unfinishedGroups } from './groups.store.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const values = { 'Setting/ExportLimit': 5_000 };
const WAVE = 2;

let plants: PlantsFixture;
let me: { organisationId: string; accountId: string };
let devices: { id: string; loggerId: string }[];

beforeAll(async () => {
  plants = await PlantsFixture.start();
  const { id } = await plants.addOrganisation('installer');
  me = { organisationId: id, accountId: (await plants.addAccount(id, 2)).id };
  const site = await plants.addSite(id);
  const logger = await plants.addDatalogger(site.id);
  devices = [];
  while (devices.length < 3) devices.push({ id: (await plants.addDevice(site.id, logger.id)).id, loggerId: logger.id });
});
afterAll(() => plants?.stop());
beforeEach(async () => {
  await plants.db.deleteFrom('setting_groups').execute();
  await plants.db.deleteFrom('commands').execute();
});

/** A write to three devices, to the first of which something is said. */
async function group(underWay: number): Promise<{ groupId: string; commands: string[] }> {
  return inTransaction(plants.db, async (tx) => {
    const groupId = await insertGroup(tx, {
      ...{ organisationId: me.organisationId, kind: 'inverter', name: '', content: values, reverts: null },
      ...{ stopAfter: null, orderedBy: me.accountId },
      devices: devices.map(({ id }) => ({ id, content: values })),
    });
    const told = devices.slice(0, underWay);
    const commands = await plants.commands.order(
      tx,
      told.map(({ id, loggerId }) => ({
        ...{ loggerID: loggerId, deviceID: id, kind: 'write', content: { values } },
        ...{ source: 'group', orderedBy: me.accountId, batchID: groupId },
      })),
    );
    for (const [place, { id }] of told.entries()) {
      await tx
        .updateTable('setting_group_devices')
        .set({ state: 'open', command_id: commands[place] ?? null })
        .where('group_id', '=', groupId)
        .where('device_id', '=', id)
        .execute();
    }
    return { groupId, commands };
  });
}

const toAdvance = () => groupsToAdvance(plants.db, FIRST_ID, 200, WAVE);

describe('a write to many devices that stands still', () => {
  test('is left alone while its devices are away and no more may be told', async () => {
    await group(WAVE);
    expect(await toAdvance()).toEqual([]);
  });

  test('is taken further when a command has ended, or is no more', async () => {
    const ended = await group(WAVE);
    await plants.db
      .updateTable('commands')
      .set({ state: 'expired', done_at: new Date() })
      .where('id', '=', ended.commands[0] ?? '')
      .execute();
    const gone = await group(WAVE);
    await plants.db
      .deleteFrom('commands')
      .where('id', '=', gone.commands[0] ?? '')
      .execute();
    expect(await toAdvance()).toEqual([ended.groupId, gone.groupId].sort());
  });

  test('is taken further where more devices may be told, unless it is paused', async () => {
    const running = await group(1);
    const paused = await group(1);
    await plants.db.updateTable('setting_groups').set({ state: 'paused' }).where('id', '=', paused.groupId).execute();
    expect(await toAdvance()).toEqual([running.groupId]);
  });

  test('is ended where no device is left', async () => {
    const { groupId } = await group(0);
    await plants.db
      .updateTable('setting_group_devices')
      .set({ state: 'confirmed' })
      .where('group_id', '=', groupId)
      .execute();
    expect(await toAdvance()).toEqual([groupId]);
  });

  test('is among all that is taken up after a start, however many there are', async () => {
    const made = [await group(WAVE), await group(1), await group(WAVE)].map(({ groupId }) => groupId).sort();
    const first = await unfinishedGroups(plants.db, FIRST_ID, 2);
    const rest = await unfinishedGroups(plants.db, first[1] ?? randomUUID(), 2);
    expect([...first, ...rest]).toEqual(made);
  });
});
