import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { ResultCode, resultMetrics } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { describe, expect, it } from 'vitest';
import type { CommandDevice } from '../testing/command-device.ts';
import { ownCommands } from '../testing/command-orders.ts';
import { until } from '../testing/edge.ts';
import { newUlid } from './ulid.ts';

const own = ownCommands();
const LIMIT = 'Setting/ExportLimit';

const tell = (inverter: CommandDevice, value: number): Promise<void> =>
  inverter.edge.send('DDATA', inverter.sn, [settingMetric(LIMIT, value)]);

const reports = (inverter: CommandDevice, value: number) =>
  until(async () => {
    const setting = await own.setting(inverter, LIMIT);
    return setting?.reported === value && setting;
  }, `that the portal knows of ${value}`);

describe('what a device tells right after its answer', () => {
  it('is what it has, and drift, in whichever order both are written', async () => {
    const inverter = await own.device();
    for (let round = 1; round <= 8; round += 1) {
      const wanted = 100 * round;
      inverter.behaviour = () => 'lost';
      const id = await own.order(inverter, { [LIMIT]: wanted });
      await until(() => inverter.heard.some((command) => command.id === id), 'that the device hears of it');
      await Promise.all([inverter.answer(id, ResultCode.ok, { [LIMIT]: wanted }), tell(inverter, wanted + 7)]);
      await own.ended(id, 'confirmed');
      await own.settled();
      const setting = await own.setting(inverter, LIMIT);
      expect(setting).toMatchObject({ reported: wanted + 7, desired: wanted, drifted_since: expect.any(Date) });
    }
    await inverter.end();
  });

  it('is drift also where it says so by answering the same command once more', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'lost';
    const together = await own.order(inverter, { [LIMIT]: 1_000 });
    await until(() => inverter.heard.some(({ id }) => id === together), 'that the device hears of it');
    await Promise.all([
      inverter.answer(together, ResultCode.ok, { [LIMIT]: 1_000 }),
      inverter.answer(together, ResultCode.ok, { [LIMIT]: 7_777 }),
    ]);
    await own.ended(together, 'confirmed');
    await own.settled();
    expect(await own.setting(inverter, LIMIT)).toMatchObject({
      reported: 7_777,
      desired: 1_000,
      drifted_since: expect.any(Date),
    });
    inverter.behaviour = () => ({});
    const later = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.ended(later, 'confirmed');
    await inverter.answer(later, ResultCode.ok, { [LIMIT]: 2_222 });
    expect(await reports(inverter, 2_222)).toMatchObject({ desired: 2_000, drifted_since: expect.any(Date) });
    expect((await own.command(later)).state).toBe('confirmed');
    await inverter.end();
  });

  it('is of then where it repeats the answer to a command after which another was done', async () => {
    const inverter = await own.device();
    const first = await own.order(inverter, { [LIMIT]: 1_000 });
    await own.ended(first, 'confirmed');
    const second = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.ended(second, 'confirmed');
    await inverter.answer(first, ResultCode.ok, { [LIMIT]: 1_000 });
    await own.settled();
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 2_000, drifted_since: null });
    await inverter.end();
  });
});

describe('what a device tells beside a result', () => {
  it('is kept where nobody asked for the result', async () => {
    const inverter = await own.device();
    await inverter.answer(newUlid(Date.now()), ResultCode.ok, { [LIMIT]: 4_321 });
    expect(await reports(inverter, 4_321)).toMatchObject({ reported_by: 'data' });
    await inverter.end();
  });

  it('is kept where its birth carries the result of its last command with all that it has', async () => {
    const inverter = await own.device();
    const id = await own.order(inverter, { [LIMIT]: 3_000 });
    await own.ended(id, 'confirmed');
    await inverter.edge.deviceBirth(
      inverter.sn,
      'inverter',
      resultMetrics(id, ResultCode.ok, '', [
        settingMetric(LIMIT, 9_000),
        { name: 'Setting/MinSoc', datatype: DataType.Int32, value: 15 },
      ]),
    );
    expect(await reports(inverter, 9_000)).toMatchObject({ desired: 3_000, drifted_since: expect.any(Date) });
    expect(await own.setting(inverter, 'Setting/MinSoc')).toMatchObject({ reported: 15 });
    await inverter.end();
  });

  it('is seen to change back however many names it has told', async () => {
    const inverter = await own.device();
    await tell(inverter, 4_000);
    await reports(inverter, 4_000);
    for (const part of [0, 1]) {
      const others = Array.from({ length: 120 }, (_, at) => ({
        name: `Setting/Other${part * 120 + at}`,
        datatype: DataType.Int32,
        value: at,
      }));
      await inverter.edge.send('DDATA', inverter.sn, others);
    }
    await tell(inverter, 3_000);
    await reports(inverter, 3_000);
    await tell(inverter, 4_000);
    await reports(inverter, 4_000);
    await inverter.end();
  });
});
