import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { until } from './edge.ts';
import { PlantsFixture } from './plants-fixture.ts';
import { endCommands, tell } from './setting-acts.ts';

export const LIMIT = 'Setting/ExportLimit';
export const values = [{ name: LIMIT, value: 5_000 }];

/** An installer with a plant and its datalogger, anew for each test, whose inverters are written to as a group. */
export function ownGroups() {
  const { run, result } = groupEndpoints;
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

  return {
    get plants() {
      return plants;
    },
    get me() {
      return me;
    },
    get siteId() {
      return siteId;
    },
    get dataloggerId() {
      return dataloggerId;
    },
    inverters,
    ids,
    resultOf,
    begin,
    open,
    underWay,
    inState,
    confirm,
  };
}
