import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RawChargePoint } from '../testing/charge-point.ts';
import { at, PileBench, register } from '../testing/pile-bench.ts';

const { start, stop } = chargerEndpoints;

let bench: PileBench;

beforeAll(async () => {
  bench = await PileBench.start();
});
afterAll(() => bench?.stop());
beforeEach(() => bench.clear());

describe('meters that tell nonsense', () => {
  test('a reading that no register can hold takes neither the session nor the page of sessions with it', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    const beganMs = Date.now() - 600_000;
    const { transactionId } = await point.call('StartTransaction', {
      connectorId: 1,
      idTag: 'x',
      meterStart: -1e308,
      timestamp: at(beganMs),
    });
    await point.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [register(beganMs + 60_000, 1_000), register(beganMs + 300_000, 1_400)],
    });
    await point.call('StopTransaction', { transactionId, meterStop: 1e308, timestamp: at(Date.now()) });
    point.cut();
    expect(await bench.shownSessions()).toMatchObject([{ energyWh: 400, beganMs }]);
  });

  test('a session whose stored energy is none is shown as not known, beside all others', async () => {
    const pile = await bench.newPile();
    const row = {
      device_id: pile.deviceID,
      began_at: new Date(),
      heard_at: new Date(),
      ended_at: new Date(),
      reason: '',
    };
    await bench.portal.server.stores.db
      .insertInto('charging_sessions')
      .values([
        { ...row, transaction: 'infinite', energy_wh: Number.POSITIVE_INFINITY },
        { ...row, transaction: 'negative', energy_wh: -5 },
        { ...row, transaction: 'unknown', energy_wh: null },
      ])
      .execute();
    const told = await bench.shownSessions();
    expect(told).toHaveLength(3);
    for (const session of told) expect(session).toMatchObject({ energyWh: null, cost: null });
    expect(await bench.exportedRows()).toHaveLength(3);
  });

  test('a spike is neither energy nor cost of the session, and what the pile rests at is not it either', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    const beganMs = Date.now() - 40 * 60_000;
    const { transactionId } = await point.call('StartTransaction', {
      connectorId: 1,
      idTag: 'x',
      meterStart: 100_000,
      timestamp: at(beganMs),
    });
    const meter = (minute: number, wh: number) =>
      point.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [register(beganMs + minute * 60_000, wh)],
      });
    await meter(10, 101_000);
    await meter(20, 4_294_967_295);
    await point.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Finishing' });
    await bench.portal.server.ingestion.drain();
    expect(await bench.newest(pile.deviceID)).not.toHaveProperty('Pile/EnergyTotal');
    await meter(30, 102_000);
    await point.call('StopTransaction', { transactionId, meterStop: 103_100, timestamp: at(beganMs + 40 * 60_000) });
    point.cut();
    expect(await bench.shownSessions()).toMatchObject([{ energyWh: 3_100 }]);
  });
});

test('a page of sessions asks once for the flows of a plant, however many sessions it has', async () => {
  const pile = await bench.newPile();
  const { db, telemetry } = bench.portal.server.stores;
  const nowMs = Date.now();
  const rows = Array.from({ length: 40 }, (_, place) => ({
    device_id: pile.deviceID,
    transaction: `T-${place}`,
    began_at: new Date(nowMs - (place + 1) * 48 * 3_600_000),
    heard_at: new Date(nowMs),
    ended_at: new Date(nowMs - (place + 1) * 48 * 3_600_000 + 3_600_000),
    energy_wh: 1_000,
    reason: '',
  }));
  await db.insertInto('charging_sessions').values(rows).execute();
  const query = vi.spyOn(telemetry.client, 'query');
  expect(await bench.shownSessions()).toHaveLength(10);
  const asked = query.mock.calls.filter(([{ query: text }]) => text.includes('site_5m'));
  query.mockRestore();
  expect(asked).toHaveLength(1);
});

describe('sessions whose end was never told', () => {
  const began = (pile: RawChargePoint, connectorId = 1) =>
    pile.call('StartTransaction', { connectorId, idTag: 'x', meterStart: 100, timestamp: at(Date.now() - 600_000) });
  const status = (pile: RawChargePoint, name: string, connectorId = 1) =>
    pile.call('StatusNotification', { connectorId, errorCode: 'NoError', status: name });
  const boot = { chargePointVendor: 'Maker', chargePointModel: 'One' };

  test('a pile that has forgotten its session is started for the next vehicle', async () => {
    const pile = await bench.newPile();
    const before = await bench.connect(pile);
    const { transactionId } = await began(before);
    await before.call('MeterValues', { connectorId: 1, transactionId, meterValue: [register(Date.now(), 600)] });
    before.cut();
    const point = await bench.connect(pile);
    await point.call('BootNotification', boot);
    expect(await bench.shownSessions()).toMatchObject([{ energyWh: 500, endedMs: expect.any(Number) }]);
    await status(point, 'Available');
    expect(await bench.shown(pile.deviceID)).toMatchObject({ why: 'noCar', sessionWh: null, sessionBeganMs: null });
    await status(point, 'Preparing');
    expect(await point.next('RemoteStartTransaction')).toMatchObject({ connectorId: 1 });
    point.cut();
  });

  test('a vehicle that left without a word leaves no session behind, and its end told later is the end', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    const { transactionId } = await began(point);
    await status(point, 'Available');
    expect(await bench.shownSessions()).toEqual([]);
    const endedMs = Date.now() - 60_000;
    await point.call('StopTransaction', { transactionId, meterStop: 900, timestamp: at(endedMs), reason: 'Local' });
    expect(await bench.shownSessions()).toMatchObject([{ energyWh: 800, endedMs }]);
    const rows = await bench.portal.server.stores.db.selectFrom('charging_sessions').select('reason').execute();
    expect(rows).toEqual([{ reason: 'Local' }]);
    point.cut();
  });

  test('a session that goes on after its pile has begun anew is the same one', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    const { transactionId } = await began(point);
    await point.call('BootNotification', boot);
    await point.call('MeterValues', { connectorId: 1, transactionId, meterValue: [register(Date.now(), 1_100)] });
    expect(await bench.shownSessions()).toMatchObject([{ energyWh: 1_000, endedMs: null }]);
    expect(await bench.shown(pile.deviceID)).toMatchObject({ sessionWh: 1_000 });
    point.cut();
  });

  test('readings of a number that the portal never gave open no session', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await point.call('MeterValues', { connectorId: 1, transactionId: 4711, meterValue: [register(Date.now(), 600)] });
    await point.call('StopTransaction', { transactionId: 4712, meterStop: 600, timestamp: at(Date.now()) });
    expect(await bench.shownSessions()).toEqual([]);
    expect(await bench.shown(pile.deviceID)).toMatchObject({ sessionBeganMs: null });
    point.cut();
  });

  test('a start that sends nothing says so', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await began(point);
    const answer = await bench.portal.call(start, { deviceID: pile.deviceID }, { token: bench.owner });
    expect(answer.errno).toBe(errno.pileCharges);
    point.cut();
  });

  test('told again by a clock that is wrong, a beginning is the same session', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    for (const timestamp of ['1970-01-01T00:00:10Z', '2100-01-01T00:00:00Z']) {
      const beginning = { connectorId: 1, idTag: 'x', meterStart: 5_000, timestamp };
      const { transactionId } = await point.call('StartTransaction', beginning);
      expect(await point.call('StartTransaction', beginning)).toMatchObject({ transactionId });
      await point.call('StopTransaction', { transactionId, meterStop: 5_000, timestamp, reason: 'Local' });
    }
    expect(await bench.portal.server.stores.db.selectFrom('charging_sessions').select('id').execute()).toHaveLength(2);
    point.cut();
  });

  test('one runs on each connector, and no more than eight on one pile', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile, ['ocpp2.0.1']);
    const event = (place: number, evse: number) => ({
      eventType: 'Started',
      timestamp: at(Date.now() - 60_000 + place),
      triggerReason: 'Authorized',
      seqNo: 0,
      evse: { id: evse },
      transactionInfo: { transactionId: `T-${place}`, chargingState: 'Charging' },
    });
    for (let place = 0; place < 12; place += 1) await point.call('TransactionEvent', event(place, 1));
    expect(await bench.shownSessions()).toHaveLength(1);
    for (let place = 12; place < 40; place += 1) await point.call('TransactionEvent', event(place, place));
    expect((await bench.shownSessions()).length).toBeLessThanOrEqual(8);
    point.cut();
  });

  test('a pile that speaks the older version again is not asked to stop what it called otherwise', async () => {
    const pile = await bench.newPile();
    const newer = await bench.connect(pile, ['ocpp2.0.1']);
    await newer.call('TransactionEvent', {
      eventType: 'Started',
      timestamp: at(Date.now()),
      evse: { id: 1 },
      transactionInfo: { transactionId: 'T-old', chargingState: 'Charging' },
    });
    newer.cut();
    const older = await bench.connect(pile);
    await older.call('Heartbeat', {});
    expect(await bench.shown(pile.deviceID)).toMatchObject({ sessionBeganMs: null });
    expect((await bench.portal.call(stop, { deviceID: pile.deviceID }, { token: bench.owner })).errno).toBe(0);
    older.cut();
  });

  test('what a pile does not do leaves it as it was, and one that does not answer says so', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await began(point);
    point.answers.set('RemoteStopTransaction', { status: 'Rejected' });
    const refused = await bench.portal.call(stop, { deviceID: pile.deviceID }, { token: bench.owner });
    expect(refused.errno).toBe(errno.pileRefuses);
    expect(await bench.shown(pile.deviceID)).toMatchObject({ isStopped: false });
    point.silent.add('RemoteStopTransaction');
    const silent = await bench.portal.call(stop, { deviceID: pile.deviceID }, { token: bench.owner });
    expect(silent.errno).toBe(errno.pileSilent);
    expect(await bench.shown(pile.deviceID)).toMatchObject({ isStopped: false });
    point.cut();
  });
});

describe('a pile with two connectors', () => {
  const status = (pile: RawChargePoint, connectorId: number, name: string) =>
    pile.call('StatusNotification', { connectorId, errorCode: 'NoError', status: name });

  test('what one connector tells hides nothing of the other', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await status(point, 1, 'Charging');
    const meterValue = [register(Date.now(), 5_000, 7_000)];
    await point.call('MeterValues', { connectorId: 1, meterValue });
    await status(point, 2, 'Available');
    expect(await bench.shown(pile.deviceID)).toMatchObject({ isPlugged: true, isCharging: true, powerW: 7_000 });
    await status(point, 2, 'Charging');
    await point.call('MeterValues', { connectorId: 2, meterValue: [register(Date.now(), 90_000, 4_000)] });
    expect(await bench.shown(pile.deviceID)).toMatchObject({ powerW: 11_000 });
    await bench.portal.server.ingestion.drain();
    // Registers of two meters are not those of one.
    expect(await bench.newest(pile.deviceID)).toMatchObject({ 'Pile/Power': 11_000, 'Pile/EnergyTotal': 5 });
    await status(point, 1, 'Available');
    expect(await bench.shown(pile.deviceID)).toMatchObject({ isPlugged: true, isCharging: true, powerW: 4_000 });
    point.cut();
  });

  test('a vehicle at the second connector is started while the first charges', async () => {
    const pile = await bench.newPile();
    const point = await bench.connect(pile);
    await status(point, 1, 'Available');
    await point.next('SetChargingProfile');
    await status(point, 1, 'Charging');
    await point.call('StartTransaction', { connectorId: 1, idTag: 'x', meterStart: 0, timestamp: at(Date.now()) });
    await status(point, 2, 'Preparing');
    await point.next('RemoteStartTransaction', ({ connectorId }) => connectorId === 2);
    point.cut();
  });
});
