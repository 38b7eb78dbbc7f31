import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BurnInRack, type Told } from '../testing/burn-in-rack.ts';
import { tellAlarm } from '../testing/told-alarms.ts';

const START_MS = Date.UTC(2026, 4, 4, 6);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const limits = {
  minOutputPercent: 97,
  minEfficiencyPercent: 95,
  maxTemperatureC: 80,
  maxSilenceMinutes: 5,
  failLevel: 3,
};

let rack: BurnInRack;
let planID: string;
/** Each test has an hour and more of its own. */
let fromMs = START_MS;

const whole: Told = { powerW: 9_900 };
const judge = (listeningSinceMs = START_MS - HOUR_MS) => rack.judge(listeningSinceMs);
const boardOf = (runID: string) => rack.plants.read(calls.board, { runID }, rack.token);
const statesOf = async (runID: string) => {
  const { run, units } = await boardOf(runID);
  return [run.state, ...units.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`))];
};

beforeAll(async () => {
  rack = await BurnInRack.start(START_MS);
  planID = await rack.addPlan({ name: 'An hour', limits });
});
afterAll(() => rack?.stop());

/** A run of new inverters from now on, and the time to tell from. */
async function begun(sns: string[], more: Parameters<BurnInRack['run']>[2] = {}, plan = planID) {
  fromMs += 4 * HOUR_MS;
  rack.passUntil(fromMs);
  const devices = [];
  for (const sn of sns) devices.push(await rack.addInverter(sn));
  return { runID: await rack.run(plan, sns, more), keys: devices.map(({ key }) => key), devices };
}

describe('a run', () => {
  test('passes who keeps all limits until its end, fails who breaks one: a hard one at once, a soft one at the end', async () => {
    const sns = ['BI-GOOD-1', 'BI-HOT-1', 'BI-WEAK-1', 'BI-SILENT-1', 'BI-NEVER-1'];
    const { runID, keys } = await begun(sns.slice(0, 4));
    await rack.plants.read(calls.abort, { runID, reason: 'a unit was forgotten' }, rack.token);
    const again = await rack.run(planID, sns);
    expect(await statesOf(again)).toEqual(['running', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
    const [good = 0, hot = 0, weak = 0, silent = 0] = keys;
    await rack.tell(good, fromMs, 60, () => whole);
    await rack.tell(hot, fromMs, 30, (minute) => ({ ...whole, temperatureC: 45 + 2 * minute }));
    await rack.tell(weak, fromMs, 60, () => ({ powerW: 9_000 }));
    await rack.tell(silent, fromMs, 10, () => whole);
    rack.passUntil(fromMs + 30 * MINUTE_MS);
    await judge();
    expect(await statesOf(again)).toEqual([
      'running',
      'running',
      'failed: maxTemperatureC',
      'running',
      'failed: maxSilenceMinutes',
      'failed: maxSilenceMinutes',
    ]);
    rack.passUntil(fromMs + 61 * MINUTE_MS);
    await judge();
    expect(await statesOf(again)).toEqual([
      'finished',
      'passed',
      'failed: maxTemperatureC',
      'failed: minOutputPercent',
      'failed: maxSilenceMinutes',
      'failed: maxSilenceMinutes',
    ]);
    const { unit, reasonValue, verdicts } = await rack.plants.read(
      calls.unit,
      { runID: again, sn: 'bi-hot-1' },
      rack.token,
    );
    expect(unit.endedMs).toBe(fromMs + 18 * MINUTE_MS);
    expect(reasonValue).toBe(81);
    expect(verdicts.find(({ limit }) => limit === 'maxTemperatureC')).toMatchObject({ measured: 81, holds: false });
    await judge();
    expect((await statesOf(again)).filter((state) => state.startsWith('failed'))).toHaveLength(4);
  });

  test('judges the same where the server was away meanwhile as where it was not', async () => {
    const told = (minute: number): Told => ({ powerW: minute === 40 ? 5_000 : 9_850, temperatureC: 50 + (minute % 7) });
    const patient = await rack.addPlan({ name: 'Patient', limits: { ...limits, maxSilenceMinutes: null } });
    const { runID, keys } = await begun(['BI-SAME-1', 'BI-SAME-2'], {}, patient);
    for (const key of keys) await rack.tell(key, fromMs, 60, told);
    // The first is judged minute by minute, the second in one go: it comes into view at the end alone.
    const { db } = rack.plants;
    await db.updateTable('devices').set({ kind: 'meter' }).where('sn', '=', 'BI-SAME-2').execute();
    for (let minute = 1; minute <= 6; minute += 1) {
      rack.passUntil(fromMs + minute * MINUTE_MS);
      await judge();
    }
    await db.updateTable('devices').set({ kind: 'inverter' }).where('sn', '=', 'BI-SAME-2').execute();
    rack.passUntil(fromMs + 62 * MINUTE_MS);
    await judge();
    await judge();
    const { units } = await rack.plants.read(calls.unitList, { condition: { runID } }, rack.token);
    const figures = units.map(({ reason, state, outputPercent, efficiencyPercent, temperatureC }) => ({
      reason,
      state,
      outputPercent,
      efficiencyPercent,
      temperatureC,
    }));
    expect(figures[0]).toMatchObject({ state: 'passed', temperatureC: 56 });
    expect(figures[1]).toEqual(figures[0]);
  });

  test('keeps what its plan said when it began; one that has not begun follows the plan', async () => {
    const own = await rack.addPlan({ name: 'Changing', limits });
    const planned = (await rack.plants.read(calls.add, { planID: own, rack: 'R2', sns: ['BI-PLAN-1'] }, rack.token))
      .runID;
    const running = await rack.run(own, ['BI-PLAN-2']);
    const changed = {
      planID: own,
      name: 'Changed',
      durationMinutes: 120,
      steps: [{ minutes: 10, percent: 50 }],
      limits: {},
    };
    await rack.plants.read(calls.planEdit, changed, rack.token);
    expect((await boardOf(planned)).run).toMatchObject({ planName: 'Changed', durationMinutes: 120 });
    expect((await boardOf(running)).run).toMatchObject({ planName: 'Changing', durationMinutes: 60 });
    await rack.plants.read(calls.planRemove, { planID: own }, rack.token);
    expect((await boardOf(running)).run).toMatchObject({ planName: 'Changing' });
    for (const runID of [planned, running]) await rack.plants.read(calls.abort, { runID, reason: 'over' }, rack.token);
    expect(await statesOf(running)).toEqual(['aborted', 'aborted']);
    expect((await rack.plants.call(calls.abort, { runID: running, reason: 'again' }, rack.token)).errno).toBe(
      errno.burnInRunOver,
    );
    expect((await rack.plants.call(calls.remove, { runID: running }, rack.token)).errno).toBe(errno.burnInRunBegun);
  });

  test('fails a unit for an alarm of the level, not for codes that the plan allows, and lists both', async () => {
    const allowing = await rack.addPlan({ name: 'Allows 1005', limits: { failLevel: 3, allowedCodes: [1005] } });
    fromMs += 4 * HOUR_MS;
    rack.passUntil(fromMs);
    const [one, other] = [await rack.addInverter('BI-AL-1'), await rack.addInverter('BI-AL-2')];
    const runID = await rack.run(allowing, ['BI-AL-1', 'BI-AL-2']);
    for (const { key } of [one, other]) await rack.tell(key, fromMs, 60, () => whole);
    await tellAlarm(rack.plants, {
      device: one.id,
      code: 1005,
      sinceMs: fromMs + MINUTE_MS,
      untilMs: fromMs + 2 * MINUTE_MS,
    });
    await tellAlarm(rack.plants, { device: other.id, code: 3001, sinceMs: fromMs + 5 * MINUTE_MS });
    await tellAlarm(rack.plants, {
      device: one.id,
      code: 3001,
      sinceMs: fromMs - HOUR_MS,
      untilMs: fromMs - MINUTE_MS,
    });
    rack.passUntil(fromMs + 62 * MINUTE_MS);
    await judge();
    await judge();
    expect(await statesOf(runID)).toEqual(['finished', 'passed', 'failed: failLevel']);
    const { alarms, total } = await rack.plants.read(calls.alarmList, { condition: { runID } }, rack.token);
    expect(total).toBe(2);
    expect(alarms.map(({ sn, code, failed }) => [sn, code, failed])).toEqual([
      ['BI-AL-2', 3001, true],
      ['BI-AL-1', 1005, false],
    ]);
  });

  test('survives its device and its batch: the results stay', async () => {
    const { runID, devices, keys } = await begun(['BI-GONE-1']);
    await rack.tell(keys[0] ?? 0, fromMs, 60, () => whole);
    rack.passUntil(fromMs + 62 * MINUTE_MS);
    await judge();
    await judge();
    await rack.plants.db
      .deleteFrom('devices')
      .where('id', '=', devices[0]?.id ?? '')
      .execute();
    const { unit, deviceID, curve } = await rack.plants.read(calls.unit, { runID, sn: 'BI-GONE-1' }, rack.token);
    expect([unit.state, unit.outputPercent, deviceID, curve.timesMs]).toEqual(['passed', 99, null, []]);
    expect((await rack.pdfOf(calls.certificate, { runID, sn: 'BI-GONE-1' })).text).toContain('Passed');
  });
});

describe('what cannot be', () => {
  test('a unit on two racks, in a plant, or twice on one is refused by its name; what was planned stays', async () => {
    const { runID } = await begun(['BI-BUSY-1']);
    const add = (sns: string[]) => rack.plants.call(calls.add, { planID, rack: 'R3', sns }, rack.token);
    expect(await add(['BI-BUSY-1'])).toMatchObject({ errno: errno.burnInUnitBusy, result: { sn: 'BI-BUSY-1' } });
    expect((await add(['BI-TWICE', 'bi-twice'])).errno).toBe(errno.refusedInput);
    const { installerId } = await rack.plants.addInstaller();
    const site = await rack.plants.addSite(installerId);
    const logger = await rack.plants.addDatalogger(site.id);
    await rack.plants.addDevice(site.id, logger.id, { sn: 'BI-SOLD-1' });
    expect(await add(['BI-SOLD-1'])).toMatchObject({ errno: errno.burnInUnitInPlant, result: { sn: 'BI-SOLD-1' } });
    await rack.plants.read(calls.removeUnit, { runID, sn: 'BI-BUSY-1', reason: 'broken foot' }, rack.token);
    expect(await statesOf(runID)).toEqual(['finished', 'removed']);
    expect((await add(['BI-BUSY-1'])).errno).toBe(0);
    const racing = await Promise.all([add(['BI-RACE-1']), add(['BI-RACE-1'])]);
    expect(racing.map((answer) => answer.errno).sort()).toEqual([0, errno.burnInUnitBusy]);
  });

  test('limits in the wrong order and a name that is taken stand at their fields', async () => {
    const facts = {
      durationMinutes: 60,
      steps: [{ minutes: 5, percent: 100 }],
      limits: { minVoltageV: 250, maxVoltageV: 240 },
    };
    expect(await rack.plants.call(calls.planAdd, { name: 'Window', ...facts }, rack.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'limits.maxVoltageV' }] },
    });
    expect(await rack.plants.call(calls.planAdd, { ...facts, name: 'an HOUR', limits: {} }, rack.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'name', reason: 'taken' }] },
    });
  });
});

describe('the load', () => {
  test('is told to units in no plant where the portal sets it, once for each step, and given back at the end', async () => {
    const stepping = await rack.addPlan({
      name: 'Steps',
      steps: [
        { minutes: 30, percent: 50 },
        { minutes: 30, percent: 80 },
      ],
    });
    fromMs += 4 * HOUR_MS;
    rack.passUntil(fromMs);
    const { id, key } = await rack.addInverter('BI-LOAD-1');
    const runID = await rack.run(stepping, ['BI-LOAD-1'], { setsLoad: true });
    const told = async () =>
      (
        await rack.plants.db
          .selectFrom('commands')
          .select('content')
          .where('device_id', '=', id)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(({ content }) => content.values?.['Setting/ActivePowerLimit']);
    await rack.tell(key, fromMs, 60, (minute) => ({ powerW: minute < 30 ? 5_000 : 8_000 }));
    for (const minute of [1, 2, 31, 32, 62]) {
      rack.passUntil(fromMs + minute * MINUTE_MS);
      await judge();
      await judge();
    }
    expect(await statesOf(runID)).toEqual(['finished', 'passed']);
    expect(await told()).toEqual([50, 80, 100]);
  });
});
