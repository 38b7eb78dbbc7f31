import { mqttAccessEndpoints } from '@sonnenwarte/contract/user-center/mqtt-access';
import type { Transaction } from 'kysely';
import type { IClientOptions } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import type { Database } from '../stores/schema.ts';
import { moveSites, tenancyChanged } from '../tenancy/moves.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { TestHomeAssistant } from '../testing/home-assistant.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { announcedTo } from './home-assistant.store.ts';

const SUBSCRIPTION_REFUSED = 128;
const NEIGHBOUR = 'neighbour';

let portal: TestPortal;
/** Two plants of the owner and one of a neighbour, each with a datalogger and an inverter. */
const plants: { siteId: string; sn: string; inverter: string; edge: TestEdge }[] = [];
const [HOUSE, BARN, NEXT_DOOR] = [0, 1, 2] as const;
const homes: TestHomeAssistant[] = [];

const db = () => portal.server.stores.db;
const port = () => portal.server.mqttPort ?? 0;
const plantOf = (index: number) => {
  const plant = plants[index];
  if (plant === undefined) throw new Error('no such plant');
  return plant;
};
const idOf = async (username: string) =>
  (await db().selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id;

beforeAll(async () => {
  portal = await startTestPortal();
  const owner = await db().selectFrom('accounts').selectAll().where('username', '=', 'owner').executeTakeFirstOrThrow();
  await db()
    .insertInto('accounts')
    .values({
      organisation_id: owner.organisation_id,
      username: NEIGHBOUR,
      email: 'neighbour@example.org',
      password_hash: '-',
      level: 1,
    })
    .execute();
  const loggers = await db()
    .selectFrom('loggers')
    .innerJoin('sites', 'sites.id', 'loggers.site_id')
    .select(['loggers.sn', 'sites.id as siteId'])
    .distinctOn('sites.id')
    .limit(3)
    .execute();
  const neighbour = await idOf(NEIGHBOUR);
  await db().updateTable('sites').set({ owner_account_id: null }).execute();
  for (const [index, { sn, siteId }] of loggers.entries()) {
    const owner_account_id = index === NEXT_DOOR ? neighbour : owner.id;
    await db()
      .updateTable('sites')
      .set({ owner_account_id, name: `Plant ${index}` })
      .where('id', '=', siteId)
      .execute();
    await db()
      .updateTable('loggers')
      .set({ token_hash: hashToken(TEST_PASSWORD) })
      .where('sn', '=', sn)
      .execute();
    const edge = await TestEdge.connect(port(), sn);
    plants.push({ siteId, sn, inverter: `INV-${index}`, edge });
    await edge.birth();
    await edge.deviceBirth(`INV-${index}`, 'inverter');
    await edge.data(`INV-${index}`, { 'AC/ActivePower': 1_000 + index, 'Energy/PvTotal': 50, 'State/Run': 4 });
  }
  await portal.server.ingestion.drain();
});
afterAll(async () => {
  for (const { edge } of plants) await edge.end();
  await portal?.stop();
});

beforeEach(async () => {
  await db().updateTable('accounts').set({ language: 'en' }).execute();
});
afterEach(async () => {
  await Promise.all(homes.splice(0).map(({ client }) => client.endAsync(true)));
});

async function accessOf(user: string): Promise<IClientOptions> {
  const token = await portal.sessionOf(user);
  const { result } = await portal.call(mqttAccessEndpoints.setEnabled, { enabled: true }, { token });
  return { clientId: result.clientID, username: user, password: await portal.apiKeyOf(user) };
}

async function connect(user: string, options: IClientOptions = {}): Promise<TestHomeAssistant> {
  const home = await TestHomeAssistant.connect(port(), { ...(await accessOf(user)), ...options });
  homes.push(home);
  return home;
}

async function start(user: string): Promise<TestHomeAssistant> {
  const home = await connect(user);
  await home.start();
  return home;
}

const powerOf = (home: TestHomeAssistant, index: number) => home.stateOf(plantOf(index).inverter, 'ac_active_power');
const shows = (home: TestHomeAssistant, index: number, state: string) =>
  until(() => powerOf(home, index) === state, `${state} W of plant ${index}`);

/** A change as the portal makes it: whoever is connected is told to look again. */
const withNotice = (change: (tx: Transaction<Database>) => Promise<unknown>): Promise<void> =>
  db()
    .transaction()
    .execute(async (tx) => {
      await change(tx);
      await tenancyChanged(tx);
    });

async function give(index: number, to: string): Promise<void> {
  const ownerAccountId = await idOf(to);
  await db()
    .transaction()
    .execute((tx) => moveSites(tx, [plantOf(index).siteId], { ownerAccountId }));
}

/** Serial numbers of all that is in a plant. */
async function snsOf(index: number): Promise<string[]> {
  const { siteId } = plantOf(index);
  const devices = db().selectFrom('devices').select('sn').where('site_id', '=', siteId);
  const rows = await devices.union(db().selectFrom('loggers').select('sn').where('site_id', '=', siteId)).execute();
  return rows.map(({ sn }) => sn);
}

const granted = (home: TestHomeAssistant, filter: string): Promise<number | undefined> =>
  home.client.subscribeAsync(filter).then(
    ([grant]) => grant?.qos,
    () => SUBSCRIPTION_REFUSED,
  );

describe('a Home Assistant that connects', () => {
  test('finds the devices of its account with their newest values, and follows them', async () => {
    const home = await start('owner');
    await shows(home, HOUSE, '1000');
    await shows(home, BARN, '1001');
    const { inverter, sn, edge } = plantOf(HOUSE);
    const device = home.devices.get(inverter);
    expect(device?.device).toMatchObject({
      name: `Inverter ${inverter}`,
      suggested_area: 'Plant 0',
      via_device: home.devices.get(sn)?.device.identifiers[0],
    });
    expect(device?.origin.name).toBe('Sonnenwarte');
    expect(device?.components.energy_pv_total).toMatchObject({
      device_class: 'energy',
      state_class: 'total_increasing',
      unit_of_measurement: 'kWh',
    });
    expect(device?.components.ac_active_power).toMatchObject({
      device_class: 'power',
      state_class: 'measurement',
      unit_of_measurement: 'W',
      state_topic: `pv/out/owner/${inverter}/ac_active_power`,
    });
    expect(home.stateOf(inverter, 'state_run')).toBe('Feeding (MPPT)');
    await edge.data(inverter, { 'AC/ActivePower': 1_500, 'AC/Frequency': 50.02 });
    await shows(home, HOUSE, '1500');
    await until(() => home.stateOf(inverter, 'ac_frequency') === '50.02', 'a value that is new');
    await edge.data(inverter, { 'AC/ActivePower': 1_000 });
    await shows(home, HOUSE, '1000');
  });

  test('is told of nobody else’s devices, whatever it asks for, and the broker keeps nothing for the next', async () => {
    const [home, next] = [await connect('owner'), await connect(NEIGHBOUR)];
    for (const each of [home, next]) await each.client.subscribeAsync('homeassistant/#');
    await next.client.subscribeAsync(`pv/out/${NEIGHBOUR}/#`);
    await shows(next, NEXT_DOOR, '1002');
    await shows(home, BARN, '1001');
    await home.greet();
    const { edge, inverter } = plantOf(HOUSE);
    await edge.data(inverter, { 'AC/ActivePower': 7 });
    await shows(home, HOUSE, '7');
    await edge.data(inverter, { 'AC/ActivePower': 1_000 });
    await plantOf(NEXT_DOOR).edge.data(plantOf(NEXT_DOOR).inverter, { 'AC/ActivePower': 8 });
    await shows(next, NEXT_DOOR, '8');
    await plantOf(NEXT_DOOR).edge.data(plantOf(NEXT_DOOR).inverter, { 'AC/ActivePower': 1_002 });
    const own = new Set(await snsOf(NEXT_DOOR));
    const strangers = next.log.filter(({ topic }) => !topic.split('/').some((level) => own.has(level)));
    expect(strangers).toEqual([]);
  });

  test('may ask for nothing of others, and say nothing but its greeting', async () => {
    const home = await connect('owner');
    for (const filter of ['#', '+/#', 'pv/out/#', 'pv/out/+/#', `pv/out/${NEIGHBOUR}/#`, 'tasmota/discovery/#']) {
      expect([filter, await granted(home, filter)]).toEqual([filter, SUBSCRIPTION_REFUSED]);
    }
    for (const topic of [
      `homeassistant/device/${plantOf(HOUSE).inverter}/config`,
      'pv/out/owner/x/y',
      'homeassistant/status/x',
    ]) {
      const writer = await connect('owner');
      const closed = new Promise<void>((resolve) => writer.client.once('close', () => resolve()));
      writer.client.publish(topic, '{}', { qos: 1, retain: true }, () => undefined);
      await closed;
    }
  });

  test('is told everything anew when it greets', async () => {
    const home = await start('owner');
    await shows(home, HOUSE, '1000');
    home.devices.clear();
    home.states.clear();
    await home.greet();
    await shows(home, HOUSE, '1000');
    await shows(home, BARN, '1001');
  });

  test.each([
    ['de', 'Wechselrichter', 'Wirkleistung'],
    ['ko', undefined, undefined],
  ] as const)('reads names in the language of its account: %s', async (language, kind, name) => {
    await db().updateTable('accounts').set({ language }).where('username', '=', 'owner').execute();
    const home = await start('owner');
    await shows(home, HOUSE, '1000');
    const device = home.devices.get(plantOf(HOUSE).inverter);
    if (kind === undefined) expect(device?.components.ac_active_power?.name).toMatch(/[\uac00-\ud7a3]/);
    else {
      expect(device?.device.name).toBe(`${kind} ${plantOf(HOUSE).inverter}`);
      expect(device?.components.ac_active_power?.name).toBe(name);
    }
  });
});

describe('what ends', () => {
  test('a device whose datalogger is lost is unavailable, and back with it', async () => {
    const home = await start('owner');
    await shows(home, HOUSE, '1000');
    const plant = plantOf(HOUSE);
    await plant.edge.breakOff();
    await shows(home, HOUSE, 'unavailable');
    await until(() => home.stateOf(plant.sn, 'connected') === 'OFF', 'the datalogger as not connected');
    expect(powerOf(home, BARN)).toBe('1001');
    plant.edge = await TestEdge.connect(port(), plant.sn);
    await plant.edge.birth();
    await plant.edge.deviceBirth(plant.inverter, 'inverter');
    await plant.edge.data(plant.inverter, { 'AC/ActivePower': 1_000 });
    await shows(home, HOUSE, '1000');
    await until(() => home.stateOf(plant.sn, 'connected') === 'ON', 'the datalogger as connected');
  });

  test('a plant that is sold disappears at once, with its states, and appears at its new owner’s', async () => {
    const [home, next] = [await start('owner'), await start(NEIGHBOUR)];
    await shows(home, BARN, '1001');
    await shows(next, NEXT_DOOR, '1002');
    await give(BARN, NEIGHBOUR);
    const { inverter, sn, edge } = plantOf(BARN);
    await until(() => !home.devices.has(inverter) && !home.devices.has(sn), 'the sold devices taken back');
    await shows(next, BARN, '1001');
    const before = home.log.length;
    await edge.data(inverter, { 'AC/ActivePower': 1_999 });
    await shows(next, BARN, '1999');
    await plantOf(HOUSE).edge.data(plantOf(HOUSE).inverter, { 'AC/ActivePower': 1_003 });
    await shows(home, HOUSE, '1003');
    expect(home.log.slice(before).filter(({ topic }) => topic.includes(inverter))).toEqual([]);
    await give(BARN, 'owner');
    await edge.data(inverter, { 'AC/ActivePower': 1_001 });
    await plantOf(HOUSE).edge.data(plantOf(HOUSE).inverter, { 'AC/ActivePower': 1_000 });
    await shows(home, BARN, '1001');
  });

  test('what was sold while nobody was connected is taken back at the next greeting', async () => {
    const home = await start('owner');
    await shows(home, BARN, '1001');
    await home.client.endAsync(true);
    await give(BARN, NEIGHBOUR);
    const again = await start('owner');
    const { inverter, sn } = plantOf(BARN);
    const isTakenBack = (each: string) =>
      again.log.some(({ topic, payload }) => topic === `homeassistant/device/${each}/config` && payload === '');
    await until(() => isTakenBack(inverter) && isTakenBack(sn), 'empty announcements');
    const account_id = await idOf('owner');
    const noted = () => announcedTo(db(), account_id);
    await until(async () => !(await noted()).includes(inverter), 'the sold inverter forgotten');
    await give(BARN, 'owner');
  });

  test('a shared plant is there until the share ends', async () => {
    const account_id = await idOf(NEIGHBOUR);
    const site_id = plantOf(HOUSE).siteId;
    const next = await start(NEIGHBOUR);
    await shows(next, NEXT_DOOR, '1002');
    await withNotice((tx) =>
      tx
        .insertInto('site_shares')
        .values({ site_id, account_id, given_by: null, ended_at: null, ended_by_change: null })
        .execute(),
    );
    await shows(next, HOUSE, '1000');
    await withNotice((tx) =>
      tx.updateTable('site_shares').set({ ended_at: new Date() }).where('account_id', '=', account_id).execute(),
    );
    await until(() => !next.devices.has(plantOf(HOUSE).inverter), 'the share taken back');
  });

  test('an account whose access is switched off is told nothing more', async () => {
    const home = await start('owner');
    await shows(home, HOUSE, '1000');
    const closed = new Promise<void>((resolve) => home.client.once('close', () => resolve()));
    const token = await portal.sessionOf('owner');
    await portal.call(mqttAccessEndpoints.setEnabled, { enabled: false }, { token });
    await closed;
    expect(home.client.connected).toBe(false);
  }, 20_000);
});
