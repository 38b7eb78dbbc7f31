import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import { errno } from '@sonnenwarte/contract/errors';
import { OcppClient } from 'ocpp-ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RawChargePoint } from '../testing/charge-point.ts';
import { at, describedPile, PileBench, register } from '../testing/pile-bench.ts';

const { add, list, setMode, start, stop, renewPassword, remove, edit } = chargerEndpoints;

let bench: PileBench;

beforeAll(async () => {
  bench = await PileBench.start();
});
afterAll(() => bench?.stop());
beforeEach(() => bench.clear());

describe('who is let in', () => {
  test('an unknown id, a wrong password, none, and another path are refused alike, and counted', async () => {
    const pile = await bench.newPile();
    const before = await bench.refusals('credentials');
    await expect(bench.connect({ ...pile, password: 'wrong' })).rejects.toThrow('answered 401');
    await expect(bench.connect({ ...pile, address: `${pile.address}x`, user: `${pile.user}x` })).rejects.toThrow(
      'answered 401',
    );
    await expect(RawChargePoint.connect(pile.address, { user: pile.user })).rejects.toThrow('answered 401');
    expect(await bench.refusals('credentials')).toBe(before + 3);
    await expect(
      bench.connect({ ...pile, address: `${bench.portal.url.replace('http', 'ws')}/ocpp/%zz` }),
    ).rejects.toThrow('answered 404');
  });

  test('guessing one pile’s password is stopped', async () => {
    const pile = await bench.newPile();
    for (let tries = 0; tries < 10; tries += 1)
      await expect(bench.connect({ ...pile, password: `wrong ${tries}` })).rejects.toThrow('answered 401');
    await expect(bench.connect(pile)).rejects.toThrow('answered 429');
  });

  test('a message that is too large, and a flood of messages, end the connection and nothing else', async () => {
    const pile = await bench.newPile();
    const large = await bench.connect(pile);
    large.send(JSON.stringify([2, '1', 'DataTransfer', { data: 'x'.repeat(200_000) }]));
    await large.closed();
    const flood = await bench.connect(pile);
    for (let sent = 0; sent < 700; sent += 1) flood.send('[]');
    await flood.closed();
    const calm = await bench.connect(pile);
    await expect(calm.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
    calm.cut();
  });

  test('a new password ends the connection with the one before, which is good no more', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    const renewed = await bench.portal.call(renewPassword, { deviceID: pile.deviceID }, { token: bench.owner });
    await point.closed();
    await expect(bench.connect(pile)).rejects.toThrow('answered 401');
    const anew = await bench.connect({ ...pile, password: renewed.result.password });
    await expect(anew.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
    anew.cut();
  });
});

test('a charge point of another maker is accepted, started, limited and stopped, and its session is told with its energy', async () => {
  const pile = await bench.newPile();
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
  expect(await bench.shown(pile.deviceID)).toMatchObject({
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
  await bench.portal.call(
    setMode,
    { deviceID: pile.deviceID, mode: 'fast', limitA: 10, times: [] },
    { token: bench.owner },
  );
  await lower;
  expect(limits.at(-1)).toBe(10);

  const stopping = remote('RemoteStopTransaction');
  const stopped = bench.portal.call(stop, { deviceID: pile.deviceID }, { token: bench.owner });
  expect(await stopping).toEqual({ transactionId });
  expect((await stopped).errno).toBe(0);
  await point.callRequest('StopTransaction', {
    transactionId,
    meterStop: 5_260,
    timestamp: at(Date.now()),
    reason: 'Remote',
  } as never);
  expect(await bench.shownSessions()).toMatchObject([{ pile: 'Carport', energyWh: 260, beganMs }]);
  expect((await bench.shown(pile.deviceID)).isStopped).toBe(true);

  await bench.portal.server.ingestion.drain();
  expect(await bench.newest(pile.deviceID)).toMatchObject({ 'Pile/EnergyTotal': 5.26, 'Pile/Power': 0 });
  const closed = new Promise<void>((done) => point.once('close', () => done()));
  await bench.portal.call(renewPassword, { deviceID: pile.deviceID }, { token: bench.owner });
  await closed;
});

test('cut off in the middle of a session it loses no kWh: what it kept comes late, twice, and its end is of the same session', async () => {
  const pile = await bench.newPile();
  const first = await bench.connect(pile);
  const beganMs = Date.now() - 40 * 60_000;
  const beginning = { connectorId: 1, idTag: 'x', meterStart: 1_000, timestamp: at(beganMs) };
  const { transactionId } = await first.call('StartTransaction', beginning);
  await first.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [register(beganMs + 60_000, 1_150, 9_000)],
  });
  first.cut();

  const second = await bench.connect(pile);
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
  const told = await bench.shownSessions();
  expect(told).toMatchObject([{ energyWh: 5_500, beganMs, endedMs: beganMs + 37 * 60_000 }]);
  second.cut();

  // What is accounted of the plant is what its meter counted.
  const chargedWh = (await bench.charged(pile.deviceID)).reduce((sum, { wh }) => sum + wh, 0);
  expect(Math.round(chargedWh)).toBe(5_500);
});

test('nothing was charged before a session began: its first reading is one of that moment', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile);
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
  const fiveMinutes = (fromMs: number, count: number) =>
    Array.from({ length: count }, (_, place) => ({ atMs: fromMs + place * 300_000, wh: 600 }));
  const charged = (await bench.charged(pile.deviceID)).map(({ atMs, wh }) => ({ atMs, wh: Math.round(wh) }));
  expect(charged).toEqual([...fiveMinutes(beganMs, 2), ...fiveMinutes(beganMs + hourMs, 4)]);
});

test('a session that never told its end ends with the beginning of the next, with all that its meter counted', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile);
  const beganMs = Date.now() - 3_600_000;
  await point.call('StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 100, timestamp: at(beganMs) });
  point.cut();
  const anew = await bench.connect(pile);
  await anew.call('StartTransaction', {
    connectorId: 1,
    idTag: 'x',
    meterStart: 2_100,
    timestamp: at(beganMs + 1_800_000),
  });
  anew.cut();
  expect(await bench.shownSessions()).toMatchObject([{ energyWh: 0, endedMs: null }, { energyWh: 2_000 }]);
});

test('OCPP 2.0.1 is spoken as well: a session by its events, started and limited by the portal', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile, ['ocpp2.0.1', 'ocpp1.6']);
  expect(point.protocol).toBe('ocpp1.6');
  point.cut();
  const newer = await bench.connect(pile, ['ocpp2.0.1']);
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
  // 9 kW.
  const beganMs = Date.now() - 400_000;
  const event = (eventType: string, wh: number, chargingState: string) => ({
    eventType,
    timestamp: at(beganMs + (wh - 2_000) * 400),
    triggerReason: 'MeterValuePeriodic',
    seqNo: wh,
    evse: { id: 1, connectorId: 1 },
    transactionInfo: { transactionId: 'T-1', chargingState },
    meterValue: [
      {
        timestamp: at(beganMs + (wh - 2_000) * 400),
        sampledValue: [
          { value: wh / 1_000, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'kWh' } },
        ],
      },
    ],
  });
  await newer.call('TransactionEvent', event('Started', 2_000, 'Charging'));
  await newer.call('TransactionEvent', event('Updated', 2_750, 'Charging'));
  expect(await bench.shown(pile.deviceID)).toMatchObject({ isCharging: true, sessionWh: 750, protocol: 'ocpp2.0.1' });
  const stopped = bench.portal.call(stop, { deviceID: pile.deviceID }, { token: bench.owner });
  expect(await newer.next('RequestStopTransaction')).toEqual({ transactionId: 'T-1' });
  expect((await stopped).errno).toBe(0);
  await newer.call('TransactionEvent', event('Ended', 3_000, 'Idle'));
  expect(await bench.shownSessions()).toMatchObject([{ energyWh: 1_000 }]);
  newer.cut();
});

test('by sun only it follows what the plant has left, and goes down at once where that is bought', async () => {
  const pile = await bench.newPile({ phases: 'one' as never });
  await bench.portal.call(
    setMode,
    { deviceID: pile.deviceID, mode: 'solar', limitA: null, times: [] },
    { token: bench.owner },
  );
  const point = await bench.connect(pile);
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  expect(await point.next('SetChargingProfile')).toMatchObject({
    csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: [{ limit: 0 }] } },
  });
  expect(await bench.shown(pile.deviceID)).toMatchObject({ mode: 'solar', offeredA: 0, why: 'unknownSurplus' });
  point.cut();
});

test('a pile that takes no limits says so instead of pretending', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile);
  point.answers.set('SetChargingProfile', { status: 'NotSupported' });
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' });
  await point.next('SetChargingProfile');
  await expect.poll(async () => (await bench.shown(pile.deviceID)).why).toBe('noLimits');
  point.cut();
});

test('a fault is an alarm of the device, until it has passed', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile);
  const alarms = () =>
    bench.portal.server.stores.db
      .selectFrom('alarms')
      .select(['code', 'extra'])
      .where('device_id', '=', pile.deviceID)
      .where('until', 'is', null)
      .execute();
  await point.call('StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' });
  await bench.portal.server.ingestion.drain();
  expect(await alarms()).toEqual([{ code: 5008, extra: 'GroundFailure' }]);
  expect(await bench.shown(pile.deviceID)).toMatchObject({ why: 'faulted' });
  point.cut();
});

describe('who may do what', () => {
  const asPiles = async (user: string) =>
    bench.portal.call(list, { stationID: bench.stationID }, { token: await bench.portal.sessionOf(user) });

  test('who looks after the plant reads its piles and changes nothing; a stranger learns nothing', async () => {
    const { deviceID } = await bench.newPile();
    const read = await asPiles('installer');
    expect(read.result.piles).toMatchObject([{ deviceID, can: { control: false, edit: false, remove: false } }]);
    expect(read.result.can).toEqual({ add: false });
    const refused = await bench.portal.call(start, { deviceID }, { token: await bench.portal.sessionOf('installer') });
    expect(refused.errno).toBe(errno.noPermission);
    const elsewhere = await bench.portal.call(list, { stationID: bench.strangersID }, { token: bench.owner });
    expect(elsewhere.errno).toBe(errno.siteNotFound);
  });

  test('a serial number that is taken is refused, and an untold pile can be taken away', async () => {
    const { deviceID, user } = await bench.newPile();
    const again = await bench.portal.call(
      add,
      { stationID: bench.stationID, deviceSN: user, ...describedPile },
      { token: bench.owner },
    );
    expect(again).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'deviceSN', reason: 'taken' }] },
    });
    expect((await bench.portal.call(remove, { deviceID }, { token: bench.owner })).errno).toBe(0);
    expect((await bench.portal.call(edit, { deviceID, ...describedPile }, { token: bench.owner })).errno).toBe(
      errno.deviceNotFound,
    );
  });

  test('a pile that has told something stays, and one that is away cannot be started', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await point.call('Heartbeat', {});
    point.cut();
    await expect.poll(async () => (await bench.shown(pile.deviceID)).online).toBe(false);
    expect((await bench.portal.call(remove, { deviceID: pile.deviceID }, { token: bench.owner })).errno).toBe(
      errno.pileHasTold,
    );
    expect((await bench.portal.call(start, { deviceID: pile.deviceID }, { token: bench.owner })).errno).toBe(
      errno.pileAway,
    );
  });

  test('times that are too short or share a minute are refused', async () => {
    const { deviceID } = await bench.newPile();
    const set = (times: { from: string; to: string }[]) =>
      bench.portal.call(setMode, { deviceID, mode: 'scheduled', limitA: null, times }, { token: bench.owner });
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
