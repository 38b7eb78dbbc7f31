import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { describe, expect, it } from 'vitest';
import { DataloggerEntry, DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { CommandDevice } from '../testing/command-device.ts';
import { ownCommands } from '../testing/command-orders.ts';
import { until } from '../testing/edge.ts';
import { SettingsBook } from './settings-book.ts';

const own = ownCommands();
const LIMIT = 'Setting/ExportLimit';

describe('what devices tell of their settings', () => {
  it('is no change when it is told first, and one when it is another', async () => {
    const inverter = await own.device({ [LIMIT]: 5_000 });
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 5_000, reported_by: 'birth', desired: null });
    expect(await own.changes(inverter)).toEqual([]);
    await inverter.edge.send('DDATA', inverter.sn, [settingMetric(LIMIT, 4_500)]);
    const changed = await until(async () => (await own.changes(inverter))[0]);
    expect(changed).toMatchObject({ from_value: 5_000, to_value: 4_500, source: 'device', command_id: null });
    expect(await own.setting(inverter, LIMIT)).toMatchObject({
      reported: 4_500,
      reported_by: 'data',
      drifted_since: null,
    });
    await inverter.end();
  });

  it('is drift where it is another than what was confirmed, until it is that again', async () => {
    const inverter = await own.device();
    await own.ended(await own.order(inverter, { [LIMIT]: 3_000 }), 'confirmed');
    inverter.settings[LIMIT] = 9_000;
    await inverter.deviceBirth();
    const drifted = await until(async () => {
      const setting = await own.setting(inverter, LIMIT);
      return setting?.drifted_since != null && setting;
    });
    expect(drifted).toMatchObject({ reported: 9_000, desired: 3_000 });
    inverter.settings[LIMIT] = 3_000;
    await inverter.deviceBirth();
    await until(async () => (await own.setting(inverter, LIMIT))?.drifted_since === null);
    expect((await own.changes(inverter)).map(({ source, to_value }) => [source, to_value])).toEqual([
      ['hand', 3_000],
      ['device', 9_000],
      ['device', 3_000],
    ]);
    await inverter.end();
  });

  it('ends to be drift where it is written again', async () => {
    const inverter = await own.device();
    await own.ended(await own.order(inverter, { [LIMIT]: 3_000 }), 'confirmed');
    inverter.settings[LIMIT] = 9_000;
    await inverter.deviceBirth();
    await until(async () => (await own.setting(inverter, LIMIT))?.drifted_since != null);
    await own.ended(await own.order(inverter, { [LIMIT]: 2_000 }), 'confirmed');
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 2_000, desired: 2_000, drifted_since: null });
    await inverter.end();
  });

  it('writes nothing where a birth says what the one before said, also after a restart of the portal', async () => {
    const inverter = await own.device();
    const versions = () =>
      own.db
        .selectFrom('device_settings')
        .select(['subject_id', 'name', 'reported_at'])
        .orderBy('subject_id')
        .orderBy('name')
        .execute();
    await own.settled();
    const before = await versions();
    await inverter.birth();
    await own.settled();
    expect(await versions()).toEqual(before);
    await inverter.edge.breakOff();
    await own.restart();
    const again = await CommandDevice.connect(own.ingestion.port, inverter.edge.sn, {}, inverter);
    await own.settled();
    expect(await versions()).toEqual(before);
    again.settings[LIMIT] = 1_234;
    await again.deviceBirth();
    await until(async () => (await own.setting(again, LIMIT))?.reported === 1_234);
    await again.end();
  });

  it('of a birth that waited for the row of its device while a command was confirmed is of then, and a later birth is taken', async () => {
    const inverter = await own.device({ [LIMIT]: 8_000 });
    const { deviceID } = await inverter.row(own.db);
    const book = new SettingsBook({ db: own.db, logger: { warn: () => undefined }, changed: () => undefined });
    const entry = new DeviceEntry(inverter.sn, 'inverter', new DataloggerEntry('', 1, inverter.edge.sn));
    book.note(entry, { [LIMIT]: 8_000 }, true);
    await book.drain();
    await own.ended(await own.order(inverter, { [LIMIT]: 6_000 }), 'confirmed');
    entry.id = deviceID;
    await until(async () => {
      await book.drain();
      return book.isIdle;
    });
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 6_000, desired: 6_000, drifted_since: null });
    book.note(entry, { [LIMIT]: 8_000 }, true);
    await book.drain();
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 8_000, desired: 6_000 });
    await book.stop();
    await inverter.end();
  });
});
