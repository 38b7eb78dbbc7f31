import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import { errno } from '@sonnenwarte/contract/errors';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, usualLimits as limits, MINUTE_MS, ownBurnIn, whole } from '../testing/burn-in-fixture.ts';
import type { Told } from '../testing/burn-in-rack.ts';
import { tellAlarm } from '../testing/told-alarms.ts';

const own = ownBurnIn(Date.UTC(2026, 4, 4, 6), { name: 'An hour', limits });

describe('a run', () => {
  test('passes who keeps all limits until its end, fails who breaks one: a hard one at once, a soft one at the end', async () => {
    const sns = ['BI-GOOD-1', 'BI-HOT-1', 'BI-WEAK-1', 'BI-SILENT-1', 'BI-NEVER-1'];
    const { runID, keys } = await own.begun(sns.slice(0, 4));
    await own.rack.plants.read(calls.abort, { runID, reason: 'a unit was forgotten' }, own.rack.token);
    const again = await own.rack.run(own.planID, sns);
    expect(await own.statesOf(again)).toEqual(['running', 'waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
    const [good = 0, hot = 0, weak = 0, silent = 0] = keys;
    await own.rack.tell(good, own.fromMs, 60, () => whole);
    await own.rack.tell(hot, own.fromMs, 30, (minute) => ({ ...whole, temperatureC: 45 + 2 * minute }));
    await own.rack.tell(weak, own.fromMs, 60, () => ({ powerW: 9_000 }));
    await own.rack.tell(silent, own.fromMs, 10, () => whole);
    own.passMinutes(30);
    await own.judge();
    expect(await own.statesOf(again)).toEqual([
      'running',
      'running',
      'failed: maxTemperatureC',
      'running',
      'failed: maxSilenceMinutes',
      'failed: maxSilenceMinutes',
    ]);
    own.passMinutes(61);
    await own.judge();
    expect(await own.statesOf(again)).toEqual([
      'finished',
      'passed',
      'failed: maxTemperatureC',
      'failed: minOutputPercent',
      'failed: maxSilenceMinutes',
      'failed: maxSilenceMinutes',
    ]);
    const { unit, reasonValue, verdicts } = await own.rack.plants.read(
      calls.unit,
      { runID: again, sn: 'bi-hot-1' },
      own.rack.token,
    );
    expect(unit.endedMs).toBe(own.fromMs + 18 * MINUTE_MS);
    expect(reasonValue).toBe(81);
    expect(verdicts.find(({ limit }) => limit === 'maxTemperatureC')).toMatchObject({ measured: 81, holds: false });
    await own.judge();
    expect((await own.statesOf(again)).filter((state) => state.startsWith('failed'))).toHaveLength(4);
  });

  test('judges the same where the server was away meanwhile as where it was not', async () => {
    const told = (minute: number): Told => ({ powerW: minute === 40 ? 5_000 : 9_850, temperatureC: 50 + (minute % 7) });
    const patient = await own.rack.addPlan({ name: 'Patient', limits: { ...limits, maxSilenceMinutes: null } });
    const { runID, keys } = await own.begun(['BI-SAME-1', 'BI-SAME-2'], {}, patient);
    for (const key of keys) await own.rack.tell(key, own.fromMs, 60, told);
    // The first is judged minute by minute, the second in one go: it comes into view at the end alone.
    const { db } = own.rack.plants;
    await db.updateTable('devices').set({ kind: 'meter' }).where('sn', '=', 'BI-SAME-2').execute();
    for (let minute = 1; minute <= 6; minute += 1) {
      own.passMinutes(minute);
      await own.judge();
    }
    await db.updateTable('devices').set({ kind: 'inverter' }).where('sn', '=', 'BI-SAME-2').execute();
    own.passMinutes(62);
    await own.judge();
    await own.judge();
    const { units } = await own.rack.plants.read(calls.unitList, { condition: { runID } }, own.rack.token);
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
    const changing = await own.rack.addPlan({ name: 'Changing', limits });
    const planned = (
      await own.rack.plants.read(calls.add, { planID: changing, rack: 'R2', sns: ['BI-PLAN-1'] }, own.rack.token)
    ).runID;
    const running = await own.rack.run(changing, ['BI-PLAN-2']);
    const changed = {
      planID: changing,
      name: 'Changed',
      durationMinutes: 120,
      steps: [{ minutes: 10, percent: 50 }],
      limits: {},
    };
    await own.rack.plants.read(calls.planEdit, changed, own.rack.token);
    expect((await own.boardOf(planned)).run).toMatchObject({ planName: 'Changed', durationMinutes: 120 });
    expect((await own.boardOf(running)).run).toMatchObject({ planName: 'Changing', durationMinutes: 60 });
    await own.rack.plants.read(calls.planRemove, { planID: changing }, own.rack.token);
    expect((await own.boardOf(running)).run).toMatchObject({ planName: 'Changing' });
    for (const runID of [planned, running])
      await own.rack.plants.read(calls.abort, { runID, reason: 'over' }, own.rack.token);
    expect(await own.statesOf(running)).toEqual(['aborted', 'aborted']);
    expect((await own.rack.plants.call(calls.abort, { runID: running, reason: 'again' }, own.rack.token)).errno).toBe(
      errno.burnInRunOver,
    );
    expect((await own.rack.plants.call(calls.remove, { runID: running }, own.rack.token)).errno).toBe(
      errno.burnInRunBegun,
    );
  });

  test('fails a unit for an alarm of the level, not for codes that the plan allows, and lists both', async () => {
    const allowing = await own.rack.addPlan({ name: 'Allows 1005', limits: { failLevel: 3, allowedCodes: [1005] } });
    own.later(4);
    const [one, other] = [await own.rack.addInverter('BI-AL-1'), await own.rack.addInverter('BI-AL-2')];
    const runID = await own.rack.run(allowing, ['BI-AL-1', 'BI-AL-2']);
    for (const { key } of [one, other]) await own.rack.tell(key, own.fromMs, 60, () => whole);
    await tellAlarm(own.rack.plants, {
      device: one.id,
      code: 1005,
      sinceMs: own.fromMs + MINUTE_MS,
      untilMs: own.fromMs + 2 * MINUTE_MS,
    });
    await tellAlarm(own.rack.plants, { device: other.id, code: 3001, sinceMs: own.fromMs + 5 * MINUTE_MS });
    await tellAlarm(own.rack.plants, {
      device: one.id,
      code: 3001,
      sinceMs: own.fromMs - HOUR_MS,
      untilMs: own.fromMs - MINUTE_MS,
    });
    own.passMinutes(62);
    await own.judge();
    await own.judge();
    expect(await own.statesOf(runID)).toEqual(['finished', 'passed', 'failed: failLevel']);
    const { alarms, total } = await own.rack.plants.read(calls.alarmList, { condition: { runID } }, own.rack.token);
    expect(total).toBe(2);
    expect(alarms.map(({ sn, code, failed }) => [sn, code, failed])).toEqual([
      ['BI-AL-2', 3001, true],
      ['BI-AL-1', 1005, false],
    ]);
  });

  test('survives its device and its batch: the results stay', async () => {
    const { runID, devices, keys } = await own.begun(['BI-GONE-1']);
    await own.rack.tell(keys[0] ?? 0, own.fromMs, 60, () => whole);
    own.passMinutes(62);
    await own.judge();
    await own.judge();
    await own.rack.plants.db
      .deleteFrom('devices')
      .where('id', '=', devices[0]?.id ?? '')
      .execute();
    const { unit, deviceID, curve } = await own.rack.plants.read(
      calls.unit,
      { runID, sn: 'BI-GONE-1' },
      own.rack.token,
    );
    expect([unit.state, unit.outputPercent, deviceID, curve.timesMs]).toEqual(['passed', 99, null, []]);
    expect((await own.rack.pdfOf(calls.certificate, { runID, sn: 'BI-GONE-1' })).text).toContain('Passed');
  });
});

test('a position that is left empty stays so: the units behind it keep their places', async () => {
  const add = (sns: string[]) =>
    own.rack.plants.call(calls.add, { planID: own.planID, rack: 'R4', sns }, own.rack.token);
  const { result, errno: refused } = await add(['', 'bi-gap-1', '', '', 'BI-GAP-2']);
  expect(refused).toBe(0);
  const { run, units } = await own.boardOf(result?.runID ?? '');
  expect(run.units).toBe(2);
  expect(units.map(({ position, sn }) => [position, sn])).toEqual([
    [2, 'BI-GAP-1'],
    [5, 'BI-GAP-2'],
  ]);
  for (const sns of [[], ['', ''], ['BI-GAP-3', '', 'bi-gap-3']])
    expect(await add(sns)).toMatchObject({ errno: errno.refusedInput, result: { fields: [{ path: 'sns' }] } });
});

describe('what cannot be', () => {
  test('a unit on two racks, in a plant, or twice on one is refused by its name; what was planned stays', async () => {
    const { runID } = await own.begun(['BI-BUSY-1']);
    const add = (sns: string[]) =>
      own.rack.plants.call(calls.add, { planID: own.planID, rack: 'R3', sns }, own.rack.token);
    expect(await add(['BI-BUSY-1'])).toMatchObject({ errno: errno.burnInUnitBusy, result: { sn: 'BI-BUSY-1' } });
    expect((await add(['BI-TWICE', 'bi-twice'])).errno).toBe(errno.refusedInput);
    const { installerId } = await own.rack.plants.addInstaller();
    const site = await own.rack.plants.addSite(installerId);
    const logger = await own.rack.plants.addDatalogger(site.id);
    await own.rack.plants.addDevice(site.id, logger.id, { sn: 'BI-SOLD-1' });
    expect(await add(['BI-SOLD-1'])).toMatchObject({ errno: errno.burnInUnitInPlant, result: { sn: 'BI-SOLD-1' } });
    await own.rack.plants.read(calls.removeUnit, { runID, sn: 'BI-BUSY-1', reason: 'broken foot' }, own.rack.token);
    expect(await own.statesOf(runID)).toEqual(['finished', 'removed']);
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
    expect(await own.rack.plants.call(calls.planAdd, { name: 'Window', ...facts }, own.rack.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'limits.maxVoltageV' }] },
    });
    expect(
      await own.rack.plants.call(calls.planAdd, { ...facts, name: 'an HOUR', limits: {} }, own.rack.token),
    ).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'name', reason: 'taken' }] },
    });
  });
});

describe('the load', () => {
  test('is told to units in no plant where the portal sets it, once for each step, and given back at the end', async () => {
    const stepping = await own.rack.addPlan({
      name: 'Steps',
      steps: [
        { minutes: 30, percent: 50 },
        { minutes: 30, percent: 80 },
      ],
    });
    own.later(4);
    const { id, key } = await own.rack.addInverter('BI-LOAD-1');
    const runID = await own.rack.run(stepping, ['BI-LOAD-1'], { setsLoad: true });
    const told = async () =>
      (
        await own.rack.plants.db
          .selectFrom('commands')
          .select('content')
          .where('device_id', '=', id)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(({ content }) => content.values?.['Setting/ActivePowerLimit']);
    await own.rack.tell(key, own.fromMs, 60, (minute) => ({ powerW: minute < 30 ? 5_000 : 8_000 }));
    for (const minute of [1, 2, 31, 32, 62]) {
      own.passMinutes(minute);
      await own.judge();
      await own.judge();
    }
    expect(await own.statesOf(runID)).toEqual(['finished', 'passed']);
    expect(await told()).toEqual([50, 80, 100]);
  });
});
