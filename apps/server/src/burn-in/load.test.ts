import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import type { CommandState } from '@sonnenwarte/contract/commands/command';
import { errno } from '@sonnenwarte/contract/errors';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS, ownBurnIn } from '../testing/burn-in-fixture.ts';
import { LIMIT } from './load.ts';

const own = ownBurnIn(Date.UTC(2026, 5, 1, 6), { name: 'Thirty', steps: [{ minutes: 60, percent: 30 }] });

const judgeAfter = async (minutes: number): Promise<void> => {
  own.rack.passUntil(own.rack.nowMs + minutes * MINUTE_MS);
  await own.judge();
};
const commandsOf = (deviceId: string) =>
  own.rack.plants.db
    .selectFrom('commands')
    .select(['id', 'content', 'state'])
    .where('device_id', '=', deviceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const toldTo = async (deviceId: string) =>
  (await commandsOf(deviceId)).map(({ content }) => content.values?.[LIMIT] as number);

/** How the newest command to a device ended; what was confirmed stands in its settings. */
async function ends(deviceId: string, state: CommandState): Promise<void> {
  const { db } = own.rack.plants;
  const newest = (await commandsOf(deviceId)).at(-1);
  const at = new Date(own.rack.nowMs);
  await db
    .updateTable('commands')
    .set({ state, done_at: at, due_at: null, code: state === 'refused' ? 6 : 0 })
    .where('id', '=', newest?.id ?? '')
    .execute();
  if (state === 'confirmed') await stands(deviceId, newest?.content.values?.[LIMIT] as number, 'portal');
}

async function stands(deviceId: string, percent: number, desired_source: 'portal' | 'hand'): Promise<void> {
  const at = new Date(own.rack.nowMs);
  const value = JSON.stringify(percent);
  const columns = { reported: value, reported_at: at, desired: value, desired_since: at, desired_source };
  await own.rack.plants.db
    .insertInto('device_settings')
    .values({
      subject_id: deviceId,
      name: LIMIT,
      ...columns,
      reported_by: 'data',
      desired_by: null,
      drifted_since: null,
    })
    .onConflict((conflict) => conflict.columns(['subject_id', 'name']).doUpdateSet(columns))
    .execute();
}

const reports = (deviceId: string, percent: number) =>
  own.rack.plants.db
    .updateTable('device_settings')
    .set({ reported: JSON.stringify(percent), reported_at: new Date(own.rack.nowMs), reported_by: 'birth' })
    .where('subject_id', '=', deviceId)
    .execute();

/** A run that tells its units 30 %, which they have taken. */
async function limited(sn: string) {
  own.later(8);
  const device = await own.rack.addInverter(sn);
  const runID = await own.rack.run(own.planID, [sn], { setsLoad: true });
  await own.judge();
  await ends(device.id, 'confirmed');
  expect(await toldTo(device.id)).toEqual([30]);
  return { runID, device };
}
const abort = (runID: string) => own.rack.plants.read(calls.abort, { runID, reason: 'over' }, own.rack.token);
const detailOf = (runID: string, sn: string) => own.rack.plants.read(calls.unit, { runID, sn }, own.rack.token);

describe('a load that is given back', () => {
  test('stands on the unit and the run until the device has taken it; one that refuses it is told again, ever more seldom', async () => {
    const { runID, device } = await limited('BL-BACK-1');
    await abort(runID);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    await ends(device.id, 'refused');
    await own.judge();
    expect(await toldTo(device.id)).toHaveLength(2);
    const shown = await detailOf(runID, 'BL-BACK-1');
    expect([shown.stillPercent, shown.can.settle, shown.run.limited]).toEqual([30, true, 1]);
    await judgeAfter(1.1);
    expect(await toldTo(device.id)).toHaveLength(3);
    await ends(device.id, 'expired');
    await judgeAfter(1.1);
    expect(await toldTo(device.id)).toHaveLength(3);
    await judgeAfter(1.1);
    expect(await toldTo(device.id)).toEqual([30, 100, 100, 100]);
    await ends(device.id, 'confirmed');
    await own.judge();
    const done = await detailOf(runID, 'BL-BACK-1');
    expect([done.stillPercent, done.can.settle, done.run.limited]).toEqual([null, false, 0]);
    await judgeAfter(600);
    expect(await toldTo(device.id)).toHaveLength(4);
  });

  test('of a device that is deleted stays on the unit until a person says that it is settled', async () => {
    const { runID, device } = await limited('BL-GONE-1');
    await own.rack.plants.db
      .updateTable('devices')
      .set({ deleted_at: new Date(own.rack.nowMs) })
      .where('id', '=', device.id)
      .execute();
    await abort(runID);
    await judgeAfter(5);
    expect(await toldTo(device.id)).toEqual([30]);
    const { units } = await own.rack.plants.read(calls.board, { runID }, own.rack.token);
    expect(units[0]?.stillPercent).toBe(30);
    await own.rack.plants.read(calls.settleLoad, { runID, sn: 'bl-gone-1' }, own.rack.token);
    expect((await detailOf(runID, 'BL-GONE-1')).stillPercent).toBeNull();
  });

  test('never overwrites what somebody else has set since', async () => {
    const { runID, device } = await limited('BL-OTHER-1');
    own.rack.passUntil(own.rack.nowMs + MINUTE_MS);
    await stands(device.id, 60, 'hand');
    await abort(runID);
    await judgeAfter(5);
    expect(await toldTo(device.id)).toEqual([30]);
    expect((await detailOf(runID, 'BL-OTHER-1')).stillPercent).toBeNull();
  });

  test('is told once where the device was linked to a plant, which ends its run', async () => {
    const { runID, device } = await limited('bl-plant-1');
    const { installerId } = await own.rack.plants.addInstaller();
    const site = await own.rack.plants.addSite(installerId);
    await own.rack.plants.db.updateTable('devices').set({ site_id: site.id }).where('id', '=', device.id).execute();
    await own.judge();
    const { run, unit, removeReason } = await detailOf(runID, 'BL-PLANT-1');
    expect([run.state, unit.state, removeReason]).toEqual(['finished', 'removed', '@plant']);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    await ends(device.id, 'refused');
    await judgeAfter(120);
    await judgeAfter(120);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    expect((await detailOf(runID, 'BL-PLANT-1')).stillPercent).toBe(30);
    const again = await own.rack.plants.call(
      calls.add,
      { planID: own.planID, rack: 'R1', sns: ['BL-PLANT-1'] },
      own.rack.token,
    );
    expect(again.errno).toBe(errno.burnInUnitInPlant);
  });
});

describe('a step', () => {
  test('is told again where it was refused or has expired, and where a device has come under the number that was not told', async () => {
    own.later(8);
    const device = await own.rack.addInverter('BL-AGAIN-1');
    const runID = await own.rack.run(own.planID, ['BL-AGAIN-1'], { setsLoad: true });
    await own.judge();
    await ends(device.id, 'refused');
    await own.judge();
    expect(await toldTo(device.id)).toEqual([30]);
    await judgeAfter(1.1);
    await ends(device.id, 'expired');
    await judgeAfter(2.1);
    expect(await toldTo(device.id)).toEqual([30, 30, 30]);
    await ends(device.id, 'confirmed');
    await judgeAfter(10);
    expect(await toldTo(device.id)).toHaveLength(3);
    // A new one tells at its birth that it gives all.
    await reports(device.id, 100);
    await own.judge();
    expect(await toldTo(device.id)).toEqual([30, 30, 30, 30]);
    await abort(runID);
  });

  test('is judged by what was ordered: 110 % of the plan are all that an inverter gives', async () => {
    const plan = await own.rack.addPlan({
      name: 'Beyond',
      steps: [{ minutes: 60, percent: 110 }],
      limits: { minOutputPercent: 97 },
    });
    own.later(8);
    const { id, key } = await own.rack.addInverter('BL-BEYOND-1');
    const runID = await own.rack.run(plan, ['BL-BEYOND-1'], { setsLoad: true });
    await own.judge();
    await own.rack.tell(key, own.fromMs, 60, () => ({ powerW: 9_950 }));
    await judgeAfter(61);
    await own.judge();
    expect(await toldTo(id)).toContain(100);
    const { unit, verdicts } = await detailOf(runID, 'BL-BEYOND-1');
    expect([unit.state, verdicts[0]?.measured]).toEqual(['passed', 99.5]);
    const short = { name: 'Short', durationMinutes: 60, steps: [{ minutes: 1, percent: 50 }], limits: {} };
    expect(await own.rack.plants.call(calls.planAdd, short, own.rack.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'steps.0.minutes' }] },
    });
  });
});
