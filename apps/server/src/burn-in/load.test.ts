import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import type { CommandState } from '@sonnenwarte/contract/commands/command';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BurnInRack } from '../testing/burn-in-rack.ts';
import { LIMIT } from './load.ts';

const START_MS = Date.UTC(2026, 5, 1, 6);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let rack: BurnInRack;
let planID: string;
let fromMs = START_MS;

const judge = () => rack.judge(START_MS - HOUR_MS);
const judgeAfter = async (minutes: number): Promise<void> => {
  rack.passUntil(rack.nowMs + minutes * MINUTE_MS);
  await judge();
};
const commandsOf = (deviceId: string) =>
  rack.plants.db
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
  const { db } = rack.plants;
  const newest = (await commandsOf(deviceId)).at(-1);
  const at = new Date(rack.nowMs);
  await db
    .updateTable('commands')
    .set({ state, done_at: at, due_at: null, code: state === 'refused' ? 6 : 0 })
    .where('id', '=', newest?.id ?? '')
    .execute();
  if (state === 'confirmed') await stands(deviceId, newest?.content.values?.[LIMIT] as number, 'portal');
}

async function stands(deviceId: string, percent: number, desired_source: 'portal' | 'hand'): Promise<void> {
  const at = new Date(rack.nowMs);
  const value = JSON.stringify(percent);
  const columns = { reported: value, reported_at: at, desired: value, desired_since: at, desired_source };
  await rack.plants.db
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
  rack.plants.db
    .updateTable('device_settings')
    .set({ reported: JSON.stringify(percent), reported_at: new Date(rack.nowMs), reported_by: 'birth' })
    .where('subject_id', '=', deviceId)
    .execute();

/** A run that tells its units 30 %, which they have taken. */
async function limited(sn: string) {
  fromMs += 8 * HOUR_MS;
  rack.passUntil(fromMs);
  const device = await rack.addInverter(sn);
  const runID = await rack.run(planID, [sn], { setsLoad: true });
  await judge();
  await ends(device.id, 'confirmed');
  expect(await toldTo(device.id)).toEqual([30]);
  return { runID, device };
}
const abort = (runID: string) => rack.plants.read(calls.abort, { runID, reason: 'over' }, rack.token);
const detailOf = (runID: string, sn: string) => rack.plants.read(calls.unit, { runID, sn }, rack.token);

beforeAll(async () => {
  rack = await BurnInRack.start(START_MS);
  planID = await rack.addPlan({ name: 'Thirty', steps: [{ minutes: 60, percent: 30 }] });
});
afterAll(() => rack?.stop());

describe('a load that is given back', () => {
  test('stands on the unit and the run until the device has taken it; one that refuses it is told again, ever more seldom', async () => {
    const { runID, device } = await limited('BL-BACK-1');
    await abort(runID);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    await ends(device.id, 'refused');
    await judge();
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
    await judge();
    const done = await detailOf(runID, 'BL-BACK-1');
    expect([done.stillPercent, done.can.settle, done.run.limited]).toEqual([null, false, 0]);
    await judgeAfter(600);
    expect(await toldTo(device.id)).toHaveLength(4);
  });

  test('of a device that is deleted stays on the unit until a person says that it is settled', async () => {
    const { runID, device } = await limited('BL-GONE-1');
    await rack.plants.db
      .updateTable('devices')
      .set({ deleted_at: new Date(rack.nowMs) })
      .where('id', '=', device.id)
      .execute();
    await abort(runID);
    await judgeAfter(5);
    expect(await toldTo(device.id)).toEqual([30]);
    const { units } = await rack.plants.read(calls.board, { runID }, rack.token);
    expect(units[0]?.stillPercent).toBe(30);
    await rack.plants.read(calls.settleLoad, { runID, sn: 'bl-gone-1' }, rack.token);
    expect((await detailOf(runID, 'BL-GONE-1')).stillPercent).toBeNull();
  });

  test('never overwrites what somebody else has set since', async () => {
    const { runID, device } = await limited('BL-OTHER-1');
    rack.passUntil(rack.nowMs + MINUTE_MS);
    await stands(device.id, 60, 'hand');
    await abort(runID);
    await judgeAfter(5);
    expect(await toldTo(device.id)).toEqual([30]);
    expect((await detailOf(runID, 'BL-OTHER-1')).stillPercent).toBeNull();
  });

  test('is told once where the device was linked to a plant, which ends its run', async () => {
    const { runID, device } = await limited('bl-plant-1');
    const { installerId } = await rack.plants.addInstaller();
    const site = await rack.plants.addSite(installerId);
    await rack.plants.db.updateTable('devices').set({ site_id: site.id }).where('id', '=', device.id).execute();
    await judge();
    const { run, unit, removeReason } = await detailOf(runID, 'BL-PLANT-1');
    expect([run.state, unit.state, removeReason]).toEqual(['finished', 'removed', '@plant']);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    await ends(device.id, 'refused');
    await judgeAfter(120);
    await judgeAfter(120);
    expect(await toldTo(device.id)).toEqual([30, 100]);
    expect((await detailOf(runID, 'BL-PLANT-1')).stillPercent).toBe(30);
    const again = await rack.plants.call(calls.add, { planID, rack: 'R1', sns: ['BL-PLANT-1'] }, rack.token);
    expect(again.errno).toBe(errno.burnInUnitInPlant);
  });
});

describe('a step', () => {
  test('is told again where it was refused or has expired, and where a device has come under the number that was not told', async () => {
    fromMs += 8 * HOUR_MS;
    rack.passUntil(fromMs);
    const device = await rack.addInverter('BL-AGAIN-1');
    const runID = await rack.run(planID, ['BL-AGAIN-1'], { setsLoad: true });
    await judge();
    await ends(device.id, 'refused');
    await judge();
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
    await judge();
    expect(await toldTo(device.id)).toEqual([30, 30, 30, 30]);
    await abort(runID);
  });

  test('is judged by what was ordered: 110 % of the plan are all that an inverter gives', async () => {
    const plan = await rack.addPlan({
      name: 'Beyond',
      steps: [{ minutes: 60, percent: 110 }],
      limits: { minOutputPercent: 97 },
    });
    fromMs += 8 * HOUR_MS;
    rack.passUntil(fromMs);
    const { id, key } = await rack.addInverter('BL-BEYOND-1');
    const runID = await rack.run(plan, ['BL-BEYOND-1'], { setsLoad: true });
    await judge();
    await rack.tell(key, fromMs, 60, () => ({ powerW: 9_950 }));
    await judgeAfter(61);
    await judge();
    expect(await toldTo(id)).toContain(100);
    const { unit, verdicts } = await detailOf(runID, 'BL-BEYOND-1');
    expect([unit.state, verdicts[0]?.measured]).toEqual(['passed', 99.5]);
    const short = { name: 'Short', durationMinutes: 60, steps: [{ minutes: 1, percent: 50 }], limits: {} };
    expect(await rack.plants.call(calls.planAdd, short, rack.token)).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'steps.0.minutes' }] },
    });
  });
});
