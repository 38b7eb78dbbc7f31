import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { ResultCode, resultMetrics } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { CommandDevice } from '../testing/command-device.ts';
import { ownCommands } from '../testing/command-orders.ts';
import { until } from '../testing/edge.ts';

const own = ownCommands();
const LIMIT = 'Setting/ExportLimit';

describe('a command', () => {
  it('is confirmed by what the device reads back, and is then what the setting is meant to be', async () => {
    const inverter = await own.device();
    const id = await own.order(inverter, { [LIMIT]: 3_000 });
    const command = await own.ended(id, 'confirmed');
    expect(command).toMatchObject({ code: 0, tries: 1, before: { [LIMIT]: 5_000 }, read_back: { [LIMIT]: 3_000 } });
    expect(inverter.done).toEqual([id]);
    expect(await own.setting(inverter, LIMIT)).toMatchObject({
      reported: 3_000,
      reported_by: 'readBack',
      desired: 3_000,
      desired_source: 'hand',
      drifted_since: null,
    });
    expect(await own.changes(inverter)).toMatchObject([
      { name: LIMIT, from_value: 5_000, to_value: 3_000, command_id: id, source: 'hand' },
    ]);
    await inverter.end();
  });

  it('is confirmed where a float comes back as near as its step, and differs where it does not', async () => {
    const inverter = await own.device({ 'Setting/PowerFactor': 1 });
    const near = await own.order(inverter, { 'Setting/PowerFactor': 0.95 });
    await own.ended(near, 'confirmed');
    inverter.behaviour = () => ({ readBack: { 'Setting/PowerFactor': 0.9 } });
    const far = await own.order(inverter, { 'Setting/PowerFactor': 0.92 });
    expect(await own.ended(far, 'differs')).toMatchObject({ code: 0, read_back: { 'Setting/PowerFactor': 0.9 } });
    await inverter.end();
  });

  it('is refused with the code and the words of the device', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => ({ code: ResultCode.refused, message: 'not now', readBack: { [LIMIT]: 5_000 } });
    const id = await own.order(inverter, { [LIMIT]: 1_000 });
    expect(await own.ended(id, 'refused')).toMatchObject({ code: 6, message: 'not now' });
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 5_000, desired: null });
    await inverter.end();
  });

  it('is sent again under the same id where its answer is lost, and done once', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'silent';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    expect(await own.ended(id, 'confirmed')).toMatchObject({ tries: 2 });
    expect(inverter.heard.map((command) => command.id)).toEqual([id, id]);
    expect(inverter.done).toEqual([id]);
    await inverter.end();
  });

  it('is sent again where it is lost itself', async () => {
    const inverter = await own.device();
    inverter.behaviour = (_, device) => (device.heard.length < 3 ? 'lost' : {});
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    expect(await own.ended(id, 'confirmed')).toMatchObject({ tries: 3 });
    await inverter.end();
  });

  it('is given up after its tries, and comes to be what the device says later', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'lost';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    expect(await own.ended(id, 'timedOut')).toMatchObject({ tries: 3, code: null, due_at: null });
    await inverter.answer(id, ResultCode.ok, { [LIMIT]: 2_000 });
    await own.ended(id, 'confirmed');
    expect(await own.setting(inverter, LIMIT)).toMatchObject({ reported: 2_000, desired: 2_000 });
    const other = await own.order(inverter, { [LIMIT]: 1_000 });
    await own.ended(other, 'timedOut');
    await inverter.answer(other, ResultCode.outOfRange);
    expect(await own.ended(other, 'refused')).toMatchObject({ code: 2 });
    await inverter.end();
  });

  it('that was given up is seen to be done by what the device tells at its next birth', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'lost';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.ended(id, 'timedOut');
    inverter.settings[LIMIT] = 2_000;
    await inverter.deviceBirth();
    expect(await own.ended(id, 'confirmed')).toMatchObject({ code: null });
    expect(await own.changes(inverter)).toMatchObject([{ to_value: 2_000, command_id: id, source: 'hand' }]);
    await inverter.end();
  });

  it('ends once, however often it is answered, and nobody else can end it', async () => {
    const inverter = await own.device();
    const stranger = await own.device();
    inverter.behaviour = () => 'lost';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await until(() => inverter.heard.length > 0);
    await stranger.answer(id, ResultCode.refused);
    await own.settled();
    expect((await own.command(id)).code).toBeNull();
    for (let times = 0; times < 3; times += 1) await inverter.answer(id, ResultCode.ok, { [LIMIT]: 2_000 });
    await inverter.answer(id, ResultCode.refused);
    await own.ended(id, 'confirmed');
    await own.settled();
    expect((await own.command(id)).state).toBe('confirmed');
    expect(await own.recorded(id)).toEqual(['commands.order', 'commands.end']);
    await Promise.all([inverter.end(), stranger.end()]);
  });

  it('is followed by a reading where the device says no values', async () => {
    const inverter = await own.device();
    inverter.behaviour = ({ reads }) => (reads.length > 0 ? {} : { readBack: {} });
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.ended(id, 'confirmed');
    expect(inverter.heard.map(({ reads }) => reads)).toEqual([[], [LIMIT]]);
    inverter.behaviour = ({ reads }) => ({ readBack: reads.length > 0 ? { [LIMIT]: 1_999 } : {} });
    const other = await own.order(inverter, { [LIMIT]: 1_000 });
    expect(await own.ended(other, 'differs')).toMatchObject({ read_back: { [LIMIT]: 1_999 } });
    await inverter.end();
  });

  it('waits for a device that is away and is sent when it is born', async () => {
    const inverter = await own.device();
    await inverter.edge.send('DDEATH', inverter.sn, []);
    await own.isOffline(inverter);
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.settled();
    expect(inverter.heard).toEqual([]);
    expect((await own.command(id)).state).toBe('queued');
    await inverter.deviceBirth();
    await own.ended(id, 'confirmed');
    await inverter.end();
  });

  it('is never sent once its time is over', async () => {
    const inverter = await own.device();
    await inverter.edge.send('DDEATH', inverter.sn, []);
    await own.isOffline(inverter);
    const id = await own.order(inverter, { [LIMIT]: 2_000 }, { expiresMs: Date.now() + 200 });
    expect(await own.ended(id, 'expired')).toMatchObject({ tries: 0, sent_at: null });
    await inverter.deviceBirth();
    const next = await own.order(inverter, { [LIMIT]: 1_000 });
    await own.ended(next, 'confirmed');
    expect(inverter.heard.map((command) => command.id)).toEqual([next]);
    await inverter.end();
  });

  it('waits for the one before it: two writers at one device are served in their order', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'silent';
    const ids = [];
    for (const value of [1_000, 2_000, 3_000]) ids.push(await own.order(inverter, { [LIMIT]: value }));
    for (const id of ids) await own.ended(id, 'confirmed');
    expect(inverter.done).toEqual(ids);
    expect([...new Set(inverter.heard.map((command) => command.id))]).toEqual(ids);
    expect(inverter.settings[LIMIT]).toBe(3_000);
    const { rows } = await sql<{ overlaps: string }>`
      select count(*) as overlaps from commands a join commands b on a.id < b.id and coalesce(a.device_id, a.logger_id) = coalesce(b.device_id, b.logger_id)
      where a.id = any(${ids}::text[]) and b.id = any(${ids}::text[]) and b.sent_at < a.done_at`.execute(own.db);
    expect(Number(rows[0]?.overlaps)).toBe(0);
    await inverter.end();
  });

  it('can be taken back until it is sent', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'lost';
    const first = await own.order(inverter, { [LIMIT]: 1_000 });
    await until(() => inverter.heard.length > 0);
    const second = await own.order(inverter, { [LIMIT]: 2_000 });
    expect(await own.cancel([first, second])).toEqual([second]);
    inverter.behaviour = () => ({});
    await own.ended(first, 'confirmed');
    await own.settled();
    expect((await own.command(second)).state).toBe('cancelled');
    expect(inverter.done).toEqual([first]);
    expect(await own.recorded(second)).toEqual(['commands.order', 'commands.cancel']);
    await inverter.end();
  });

  it('that somebody is about to take back is left alone until they have, or have not', async () => {
    const inverter = await own.device();
    await inverter.edge.send('DDEATH', inverter.sn, []);
    await own.isOffline(inverter);
    const id = await own.order(inverter, { [LIMIT]: 1_000 });
    await own.db
      .transaction()
      .execute(async (trx) => {
        await own.ingestion.commands.cancel(trx, [id]);
        await inverter.deviceBirth();
        await own.ingestion.drain();
        expect(inverter.heard).toEqual([]);
        throw new Error('they have not');
      })
      .catch(() => undefined);
    await own.ended(id, 'confirmed');
    await inverter.end();
  });

  it('that is answered while somebody else holds it is taken as answered afterwards, though the device says it only once', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'lost';
    const id = await own.order(inverter, { [LIMIT]: 1_000 });
    await until(() => inverter.heard.length > 0);
    await own.db.transaction().execute(async (trx) => {
      await trx.selectFrom('commands').select('id').where('id', '=', id).forNoKeyUpdate().execute();
      const answer = resultMetrics(id, ResultCode.ok, '', [settingMetric(LIMIT, 1_000)]);
      await inverter.edge.send('DDATA', inverter.sn, answer);
      await own.settled();
    });
    await own.ended(id, 'confirmed');
    await inverter.end();
  });

  it('is found again after a restart of the portal, and done once', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'silent';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await until(() => inverter.done.length > 0);
    const waiting = await own.order(inverter, { [LIMIT]: 1_500 });
    await inverter.edge.breakOff();
    await own.restart();
    const again = await CommandDevice.connect(own.ingestion.port, inverter.edge.sn, {}, inverter);
    again.behaviour = () => ({});
    await own.ended(id, 'confirmed');
    await own.ended(waiting, 'confirmed');
    expect(again.done).toEqual([id, waiting]);
    await again.end();
  });

  it('is done once by a device that restarts after it has done it and before it answers', async () => {
    const inverter = await own.device();
    inverter.behaviour = () => 'silent';
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await until(() => inverter.done.length > 0);
    await inverter.edge.send('DDEATH', inverter.sn, []);
    await inverter.deviceBirth();
    await own.ended(id, 'confirmed');
    expect(inverter.done).toEqual([id]);
    await inverter.end();
  });

  it('reads what a device has, and what it does not have is named', async () => {
    const inverter = await own.device({ [LIMIT]: 5_000, 'Setting/MinSoc': 20 });
    const read = await own.order(inverter, {}, { kind: 'read', content: { names: ['Setting/*'] } });
    expect(await own.ended(read, 'confirmed')).toMatchObject({ read_back: { [LIMIT]: 5_000, 'Setting/MinSoc': 20 } });
    expect(await own.recorded(read)).toEqual([]);
    inverter.behaviour = () => ({ code: ResultCode.partial, message: 'Setting/Nothing', readBack: { [LIMIT]: 5_000 } });
    const part = await own.order(inverter, {}, { kind: 'read', content: { names: [LIMIT, 'Setting/Nothing'] } });
    expect(await own.ended(part, 'confirmed')).toMatchObject({ code: 10, message: 'Setting/Nothing' });
    await inverter.end();
  });

  it('has a device do something, which is done when it says so', async () => {
    const inverter = await own.device();
    const id = await own.order(inverter, {}, { kind: 'action', content: { action: 'ClearAlarm' } });
    await own.ended(id, 'confirmed');
    expect(inverter.heard.map(({ actions }) => actions)).toEqual([[{ action: 'ClearAlarm', value: true }]]);
    await inverter.end();
  });

  it('goes to a hundred devices at once; each that refuses is told by itself', async () => {
    const devices = await Promise.all(Array.from({ length: 100 }, () => own.device()));
    for (const [place, each] of devices.entries()) {
      if (place % 10 === 3) each.behaviour = () => ({ code: ResultCode.outOfRange, message: LIMIT });
      if (place % 10 === 7) each.behaviour = () => 'silent';
    }
    const rows = await Promise.all(devices.map((each) => each.row(own.db)));
    const ids = await own.orderAll(
      rows.map((row) => ({
        ...row,
        kind: 'write',
        content: { values: { [LIMIT]: 4_000 } },
        source: 'group',
        orderedBy: null,
      })),
    );
    await until(async () => (await own.open(ids)) === 0, 'the end of all commands');
    for (const [place, id] of ids.entries()) {
      expect((await own.command(id)).state).toBe(place % 10 === 3 ? 'refused' : 'confirmed');
      expect(devices[place]?.done).toEqual(place % 10 === 3 ? [] : [id]);
    }
    await Promise.all(devices.map((each) => each.end()));
  }, 60_000);

  it('is told to who hears of commands, and the device is named as changed', async () => {
    const inverter = await own.device();
    const heard: string[] = [];
    const end = own.ingestion.commands.onChange((changed) => void heard.push(...changed.map(({ id }) => id)));
    const id = await own.order(inverter, { [LIMIT]: 2_000 });
    await own.ended(id, 'confirmed');
    await own.settled();
    end();
    expect(heard.filter((each) => each === id).length).toBeGreaterThanOrEqual(2);
    const key = await own.keyOf(inverter.sn);
    expect(own.ingestion.told.some(({ devices }) => devices.includes(key))).toBe(true);
    await inverter.end();
  });
});
