import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import { errno } from '@sonnenwarte/contract/errors';
import { OcppClient } from 'ocpp-ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RawChargePoint } from '../testing/charge-point.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const { add, list, setMode, start, stop, sessions, renewPassword, remove, edit } = chargerEndpoints;

let portal: TestPortal;
let owner: string;
let stationID: string;
let strangersID: string;

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.sessionOf('owner');
  const sites = await portal.server.stores.db.selectFrom('sites').select('id').orderBy('key').execute();
  stationID = sites[0]?.id ?? '';
  strangersID = sites[5]?.id ?? '';
});

afterAll(() => portal?.stop());

const described = { name: 'Carport', ratedPowerW: 11_000, phases: 'three', mostCurrentA: 16 } as const;
let added = 0;

interface Pile {
  deviceID: string;
  address: string;
  user: string;
  password: string;
}

async function newPile(options: Partial<typeof described> = {}): Promise<Pile> {
  added += 1;
  const answer = await portal.call(
    add,
    { stationID, deviceSN: `CP-${added}`, ...described, ...options },
    { token: owner },
  );
  expect(answer.errno).toBe(0);
  return { ...answer.result, address: `${portal.url.replace('http', 'ws')}/ocpp/${answer.result.user}` };
}

const connect = (pile: Pile, protocols?: string[]) =>
  RawChargePoint.connect(pile.address, { ...pile, ...(protocols && { protocols }) });

/** Piles of one test must not stand in the way of the next. */
beforeEach(async () => {
  const { db } = portal.server.stores;
  await db.deleteFrom('attempts').execute();
  await db.deleteFrom('charging_sessions').execute();
  await db.deleteFrom('charge_points').execute();
});

const shown = async (deviceID: string) => {
  const { result } = await portal.call(list, { stationID }, { token: owner });
  const pile = result.piles.find((each) => each.deviceID === deviceID);
  if (pile === undefined) throw new Error('the pile is not listed');
  return pile;
};

const shownSessions = async () =>
  (await portal.call(sessions, { condition: { stationID } }, { token: owner })).result.sessions;

const refusals = async (reason: string): Promise<number> => {
  const text = await (await fetch(`${portal.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`sonnenwarte_ocpp_refused_total{reason="${reason}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

const at = (ms: number) => new Date(ms).toISOString();
const register = (tsMs: number, wh: number, powerW?: number) => ({
  timestamp: at(tsMs),
  sampledValue: [
    { value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
    ...(powerW === undefined ? [] : [{ value: String(powerW / 1_000), measurand: 'Power.Active.Import', unit: 'kW' }]),
  ],
});

describe('who is let in', () => {
  test('an unknown id, a wrong password, none, and another path are refused alike, and counted', async () => {
    const pile = await newPile();
    const before = await refusals('credentials');
    await expect(connect({ ...pile, password: 'wrong' })).rejects.toThrow('answered 401');
    await expect(connect({ ...pile, address: `${pile.address}x`, user: `${pile.user}x` })).rejects.toThrow(
      'answered 401',
    );
    await expect(RawChargePoint.connect(pile.address, { user: pile.user })).rejects.toThrow('answered 401');
    expect(await refusals('credentials')).toBe(before + 3);
    await expect(connect({ ...pile, address: `${portal.url.replace('http', 'ws')}/ocpp/%zz` })).rejects.toThrow(
      'answered 404',
    );
  });

  test('guessing one pile’s password is stopped', async () => {
    const pile = await newPile();
    for (let tries = 0; tries < 10; tries += 1)
      await expect(connect({ ...pile, password: `wrong ${tries}` })).rejects.toThrow('answered 401');
    await expect(connect(pile)).rejects.toThrow('answered 429');
  });

  test('a message that is too large, and a flood of messages, end the connection and nothing else', async () => {
    const pile = await newPile();
    const large = await connect(pile);
    large.send(JSON.stringify([2, '1', 'DataTransfer', { data: 'x'.repeat(200_000) }]));
    await large.closed();
    const flood = await connect(pile);
    for (let sent = 0; sent < 700; sent += 1) flood.send('[]');
    await flood.closed();
    const calm = await connect(pile);
    await expect(calm.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
    calm.cut();
  });

  test('a new password ends the connection with the one before, which is good no more', async () => {
    const pile = await newPile();
    const point = await connect(pile);
    const renewed = await portal.call(renewPassword, { deviceID: pile.deviceID }, { token: owner });
    await point.closed();
    await expect(connect(pile)).rejects.toThrow('answered 401');
    const anew = await connect({ ...pile, password: renewed.result.password });
    await expect(anew.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
    anew.cut();
  });
});

test('a charge point of another maker is accepted, started, limited and stopped, and its session is told with its energy', async () => {
  const pile = await newPile();
  const point = new OcppClient(pile.user);
  const limits: number[] = [];
  const limited = (): Promise<void> => new Promise((done) => point.once('SetChargingProfile', () => done()));
  point.on('SetChargingProfile', ({ csChargingProfiles }, answer) => {
    limits.push(csChargingProfiles.chargingSchedule.chargingSchedulePeriod[0]?.limit ?? -1);
    answer({ status: 'Accepted' } as never);
  });
  for (const method of ['ChangeConfiguration', 'TriggerMessage', 'GetConfiguration'])
    point.on(method as 'ChangeConfiguration', (_, answer) => answer({ status: 'Accepted' } as never));
  const remote = (method: 'RemoteStartTransaction' | 'RemoteStopTransaction') =>
    new Promise<{ connectorId?: number; transactionId?: number }>((done) => {
      point.once(method, (request: object, answer: (response: object) => void) => {
        answer({ status: 'Accepted' });
        done(request);
      });
    });
  const connected = new Promise<void>((done) => point.once('connect', () => done()));
  const authorization = `Basic ${Buffer.from(`${pile.user}:${pile.password}`).toString('base64')}`;
  const first = limited();
  point.connect(pile.address.slice(0, -pile.user.length), { authorization });
  await connected;

  const boot = await point.callRequest('BootNotification', {
    chargePointVendor: 'Maker',
    chargePointModel: 'One',
    firmwareVersion: '1.2',
  });
  expect(boot).toMatchObject({ status: 'Accepted', interval: 60 });
  await first;
  expect(limits).toEqual([16]);

  const started = remote('RemoteStartTransaction');
  await point.callRequest('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' } as never);
  expect(await started).toMatchObject({ connectorId: 1, idTag: 'portal' });
  const beganMs = Date.now() - 60_000;
  const { transactionId } = await point.callRequest('StartTransaction', {
    connectorId: 1,
    idTag: 'portal',
    meterStart: 5_000,
    timestamp: at(beganMs),
  });
  await point.callRequest('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' } as never);
  await point.callRequest('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [register(Date.now(), 5_180, 10_900)],
  } as never);
  expect(await shown(pile.deviceID)).toMatchObject({
    online: true,
    vendor: 'Maker',
    model: 'One',
    firmware: '1.2',
    isCharging: true,
    powerW: 10_900,
    sessionWh: 180,
    why: 'fast',
    offeredA: 16,
  });

  const lower = limited();
  await portal.call(setMode, { deviceID: pile.deviceID, mode: 'fast', limitA: 10, times: [] }, { token: owner });
  await lower;
  expect(limits.at(-1)).toBe(10);

  const stopping = remote('RemoteStopTransaction');
  const stopped = portal.call(stop, { deviceID: pile.deviceID }, { token: owner });
  expect(await stopping).toEqual({ transactionId });
  expect((await stopped).errno).toBe(0);
  await point.callRequest('StopTransaction', {
    transactionId,
    meterStop: 5_260,
    timestamp: at(Date.now()),
    reason: 'Remote',
  } as never);
  expect(await shownSessions()).toMatchObject([{ pile: 'Carport', energyWh: 260, beganMs }]);
  expect((await shown(pile.deviceID)).isStopped).toBe(true);

  await portal.server.ingestion.drain();
  const { powers } = await newest(pile.deviceID);
  expect(powers).toMatchObject({ 'Pile/EnergyTotal': 5.26, 'Pile/Power': 0 });
  const closed = new Promise<void>((done) => point.once('close', () => done()));
  await portal.call(renewPassword, { deviceID: pile.deviceID }, { token: owner });
  await closed;
});

async function newest(deviceId: string) {
  const row = await portal.server.stores.db
    .selectFrom('device_latest')
    .select('values')
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  return { powers: Object.fromEntries(Object.entries(row.values).map(([name, [value]]) => [name, value])) };
}

test('cut off in the middle of a session it loses no kWh: what it kept comes late, twice, and its end is of the same session', async () => {
  const pile = await newPile();
  const first = await connect(pile);
  const beganMs = Date.now() - 40 * 60_000;
  const beginning = { connectorId: 1, idTag: 'x', meterStart: 1_000, timestamp: at(beganMs) };
  const { transactionId } = await first.call('StartTransaction', beginning);
  await first.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [register(beganMs + 60_000, 1_150, 9_000)],
  });
  first.cut();

  const second = await connect(pile);
  // The answer to the beginning may have been lost: told again, it is the same session.
  expect(await second.call('StartTransaction', beginning)).toMatchObject({ transactionId });
  const kept = {
    connectorId: 1,
    transactionId,
    meterValue: [2, 3, 10, 20].map((minute) => register(beganMs + minute * 60_000, 1_000 + 150 * minute)),
  };
  await second.call('MeterValues', kept);
  await second.call('MeterValues', kept);
  const end = { transactionId, meterStop: 6_500, timestamp: at(beganMs + 37 * 60_000), reason: 'Local' };
  await second.call('StopTransaction', end);
  await second.call('StopTransaction', end);
  const told = await shownSessions();
  expect(told).toMatchObject([{ energyWh: 5_500, beganMs, endedMs: beganMs + 37 * 60_000 }]);
  second.cut();

  await portal.server.ingestion.drain();
  const { key } = await portal.server.stores.db
    .selectFrom('devices')
    .select('key')
    .where('id', '=', pile.deviceID)
    .executeTakeFirstOrThrow();
  const answer = await portal.server.stores.telemetry.client.query({
    query: `SELECT round(sum(charger_wh)) AS wh FROM device_5m FINAL WHERE device = ${key}`,
    format: 'JSONEachRow',
  });
  // What is accounted of the plant is what its meter counted.
  expect(await answer.json()).toEqual([{ wh: 5_500 }]);
});

test('nothing was charged before a session began: its first reading is one of that moment', async () => {
  const pile = await newPile();
  const point = await connect(pile);
  const hourMs = 3_600_000;
  const beganMs = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs;
  let wh = 1_000;
  for (const [place, minutes] of [10, 20].entries()) {
    const startMs = beganMs + place * hourMs;
    const { transactionId } = await point.call('StartTransaction', {
      connectorId: 1,
      idTag: 'x',
      meterStart: wh,
      timestamp: at(startMs),
    });
    const values = Array.from({ length: minutes }, (_, minute) => {
      wh += 120;
      return register(startMs + (minute + 1) * 60_000, wh, 7_200);
    });
    await point.call('MeterValues', { connectorId: 1, transactionId, meterValue: values });
    await point.call('StopTransaction', { transactionId, meterStop: wh, timestamp: at(startMs + minutes * 60_000) });
  }
  point.cut();
  await portal.server.ingestion.drain();
  const { key } = await portal.server.stores.db
    .selectFrom('devices')
    .select('key')
    .where('id', '=', pile.deviceID)
    .executeTakeFirstOrThrow();
  const answer = await portal.server.stores.telemetry.client.query({
    query: `SELECT toUnixTimestamp(ts) AS s, round(charger_wh) AS wh FROM device_5m FINAL WHERE device = ${key} AND charger_wh > 0 ORDER BY ts`,
    format: 'JSONEachRow',
  });
  const fiveMinutes = (fromMs: number, count: number) =>
    Array.from({ length: count }, (_, place) => ({ s: fromMs / 1_000 + place * 300, wh: 600 }));
  expect(await answer.json()).toEqual([...fiveMinutes(beganMs, 2), ...fiveMinutes(beganMs + hourMs, 4)]);
});

test('a session that never told its end ends with the beginning of the next, with all that its meter counted', async () => {
  const pile = await newPile();
  const point = await connect(pile);
  const beganMs = Date.now() - 3_600_000;
  await point.call('StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 100, timestamp: at(beganMs) });
  point.cut();
  const anew = await connect(pile);
  await anew.call('StartTransaction', {
    connectorId: 1,
    idTag: 'x',
    meterStart: 2_100,
    timestamp: at(beganMs + 1_800_000),
  });
  anew.cut();
  expect(await shownSessions()).toMatchObject([{ energyWh: 0, endedMs: null }, { energyWh: 2_000 }]);
});

test('OCPP 2.0.1 is spoken as well: a session by its events, started and limited by the portal', async () => {
  const pile = await newPile();
  const point = await connect(pile, ['ocpp2.0.1', 'ocpp1.6']);
  expect(point.protocol).toBe('ocpp1.6');
  point.cut();
  const newer = await connect(pile, ['ocpp2.0.1']);
  expect(
    await newer.call('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'Maker', model: 'Two' } }),
  ).toMatchObject({ status: 'Accepted' });
  await newer.call('StatusNotification', {
    timestamp: at(Date.now()),
    connectorStatus: 'Occupied',
    evseId: 1,
    connectorId: 1,
  });
  expect(await newer.next('RequestStartTransaction')).toMatchObject({ evseId: 1, idToken: { type: 'Central' } });
  const event = (eventType: string, wh: number, chargingState: string) => ({
    eventType,
    timestamp: at(Date.now()),
    triggerReason: 'MeterValuePeriodic',
    seqNo: wh,
    evse: { id: 1, connectorId: 1 },
    transactionInfo: { transactionId: 'T-1', chargingState },
    meterValue: [
      {
        timestamp: at(Date.now()),
        sampledValue: [
          { value: wh / 1_000, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'kWh' } },
        ],
      },
    ],
  });
  await newer.call('TransactionEvent', event('Started', 2_000, 'Charging'));
  await newer.call('TransactionEvent', event('Updated', 2_750, 'Charging'));
  expect(await shown(pile.deviceID)).toMatchObject({ isCharging: true, sessionWh: 750, protocol: 'ocpp2.0.1' });
  const stopped = portal.call(stop, { deviceID: pile.deviceID }, { token: owner });
  expect(await newer.next('RequestStopTransaction')).toEqual({ transactionId: 'T-1' });
  expect((await stopped).errno).toBe(0);
  await newer.call('TransactionEvent', event('Ended', 3_000, 'Idle'));
  expect(await shownSessions()).toMatchObject([{ energyWh: 1_000 }]);
  newer.cut();
});

test('by sun only it follows what the plant has left, and goes down at once where that is bought', async () => {
  const pile = await newPile({ phases: 'one' as never });
  await portal.call(setMode, { deviceID: pile.deviceID, mode: 'solar', limitA: null, times: [] }, { token: owner });
  const point = await connect(pile);
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  expect(await point.next('SetChargingProfile')).toMatchObject({
    csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: [{ limit: 0 }] } },
  });
  expect(await shown(pile.deviceID)).toMatchObject({ mode: 'solar', offeredA: 0, why: 'unknownSurplus' });
  point.cut();
});

test('a pile that takes no limits says so instead of pretending', async () => {
  const pile = await newPile();
  const point = await connect(pile);
  point.answers.set('SetChargingProfile', { status: 'NotSupported' });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });
  await point.next('SetChargingProfile');
  await expect.poll(async () => (await shown(pile.deviceID)).why).toBe('noLimits');
  point.cut();
});

test('a fault is an alarm of the device, until it has passed', async () => {
  const pile = await newPile();
  const point = await connect(pile);
  const alarms = () =>
    portal.server.stores.db
      .selectFrom('alarms')
      .select(['code', 'extra'])
      .where('device_id', '=', pile.deviceID)
      .where('until', 'is', null)
      .execute();
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' });
  await portal.server.ingestion.drain();
  expect(await alarms()).toEqual([{ code: 5008, extra: 'GroundFailure' }]);
  expect(await shown(pile.deviceID)).toMatchObject({ why: 'faulted' });
  point.cut();
});

describe('who may do what', () => {
  const asPiles = async (user: string) => portal.call(list, { stationID }, { token: await portal.sessionOf(user) });

  test('who looks after the plant reads its piles and changes nothing; a stranger learns nothing', async () => {
    const { deviceID } = await newPile();
    const read = await asPiles('installer');
    expect(read.result.piles).toMatchObject([{ deviceID, can: { control: false, edit: false, remove: false } }]);
    expect(read.result.can).toEqual({ add: false });
    const refused = await portal.call(start, { deviceID }, { token: await portal.sessionOf('installer') });
    expect(refused.errno).toBe(errno.noPermission);
    const elsewhere = await portal.call(list, { stationID: strangersID }, { token: owner });
    expect(elsewhere.errno).toBe(errno.siteNotFound);
  });

  test('a serial number that is taken is refused, and an untold pile can be taken away', async () => {
    const { deviceID, user } = await newPile();
    const again = await portal.call(add, { stationID, deviceSN: user, ...described }, { token: owner });
    expect(again).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'deviceSN', reason: 'taken' }] },
    });
    expect((await portal.call(remove, { deviceID }, { token: owner })).errno).toBe(0);
    expect((await portal.call(edit, { deviceID, ...described }, { token: owner })).errno).toBe(errno.deviceNotFound);
  });

  test('a pile that has told something stays, and one that is away cannot be started', async () => {
    const pile = await newPile();
    const point = await connect(pile);
    await point.call('Heartbeat', {});
    point.cut();
    await expect.poll(async () => (await shown(pile.deviceID)).online).toBe(false);
    expect((await portal.call(remove, { deviceID: pile.deviceID }, { token: owner })).errno).toBe(errno.pileHasTold);
    expect((await portal.call(start, { deviceID: pile.deviceID }, { token: owner })).errno).toBe(errno.pileAway);
  });

  test('times that are too short or share a minute are refused', async () => {
    const { deviceID } = await newPile();
    const set = (times: { from: string; to: string }[]) =>
      portal.call(setMode, { deviceID, mode: 'scheduled', limitA: null, times }, { token: owner });
    expect(
      (
        await set([
          { from: '22:00', to: '06:00' },
          { from: '12:00', to: '12:30' },
        ])
      ).errno,
    ).toBe(0);
    expect((await set([{ from: '12:00', to: '12:15' }])).errno).toBe(errno.refusedInput);
    expect(
      (
        await set([
          { from: '22:00', to: '06:00' },
          { from: '05:45', to: '07:00' },
        ])
      ).errno,
    ).toBe(errno.refusedInput);
  });
});
