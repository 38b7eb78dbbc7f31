import { analysisEndpoints, MOST_WHOLE_SAMPLES } from '@sonnenwarte/contract/analysis/analysis';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MISSING } from '../stores/raw-numbers.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

type Device = Awaited<ReturnType<PlantsFixture['addDevice']>>;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const POWER_STEPS = pointByName('inverter', 'AC/ActivePower')?.steps ?? 1;
const MISSING_SINGLE = -(2 ** 31) + MISSING;

let plants: PlantsFixture;
let installer: string;
let installerId: string;
let site: { id: string; key: number };
let datalogger: string;
let device: Device;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants?.stop());
beforeEach(async () => {
  ({ token: installer, installerId } = await plants.addInstaller());
  site = await plants.addSite(installerId, { name: 'Hof' });
  datalogger = (await plants.addDatalogger(site.id)).id;
  device = await plants.addDevice(site.id, datalogger, { sn: `A-${site.key}` });
});

const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
const rowOf = (of: Device, ms: number, columns: object) => ({
  device: of.key,
  ts: text(ms),
  received: text(ms),
  ...columns,
});
/** Powers, W, one each so many ms from a moment on. */
const tell = (of: Device, startMs: number, stepMs: number, powersW: readonly number[]) =>
  plants.insert(
    'raw_inverter',
    powersW.map((powerW, at) => rowOf(of, startMs + at * stepMs, { ac_active_power_n: powerW * POWER_STEPS })),
  );

const power = (deviceIDs: readonly string[], firstDay: string, lastDay = firstDay) => ({
  deviceIDs: [...deviceIDs],
  curves: deviceIDs.map((_, of) => ({ of, variable: 'AC/ActivePower' })),
  firstDay,
  lastDay,
});

async function read(input: Input<typeof analysisEndpoints.series>, token = installer) {
  const answer = await plants.read(analysisEndpoints.series, input, token);
  const samples = answer.series.map(({ times, values }) => {
    let atMs = 0;
    return (answer.times[times] ?? []).map((distance, at) => {
      atMs += distance;
      return [atMs, values[at] ?? null] as const;
    });
  });
  return { ...answer, samples };
}

describe('curves of devices', () => {
  test('have each sample of a day, of one clock, in the shape that the contract tells', async () => {
    const startMs = Date.UTC(2026, 5, 9, 22);
    await tell(device, startMs - 1, 1, [9]);
    await tell(device, startMs, 10_000, [1, 2, 3]);
    await plants.insert('raw_inverter', [
      rowOf(device, startMs + 30_000, { ac_active_power_n: MISSING_SINGLE, temp_heatsink_n: 300 }),
    ]);
    await tell(device, startMs + 24 * HOUR_MS, 1, [9]);
    const answer = await read({
      ...power([device.id], '2026-06-10'),
      curves: [
        { of: 0, variable: 'AC/ActivePower' },
        { of: 0, variable: 'Temp/Heatsink' },
        { of: 0, variable: 'State/Run' },
        { of: 0, variable: 'ts FROM raw_inverter --' },
        { of: 3, variable: 'DC/Power' },
      ],
    });
    const { samples, ...told } = answer;
    expect(told).toEqual(analysisEndpoints.series.result.parse(told));
    expect(answer).toMatchObject({
      plantName: 'Hof',
      ianaTimezone: 'Europe/Berlin',
      startMs,
      endMs: startMs + 24 * HOUR_MS,
      missing: [],
      devices: [{ deviceID: device.id, deviceSN: device.sn, stationID: site.id, plantName: 'Hof' }],
    });
    expect(
      answer.series.map(({ variable, unit, samples: count, isThinned }) => [variable, unit, count, isThinned]),
    ).toEqual([
      ['AC/ActivePower', 'W', 3, false],
      ['Temp/Heatsink', 'degC', 1, false],
    ]);
    expect(samples[0]).toEqual([
      [startMs, 1],
      [startMs + 10_000, 2],
      [startMs + 20_000, 3],
    ]);
  });

  test('of one device that were told together share their times', async () => {
    const startMs = Date.UTC(2026, 5, 10, 8);
    await plants.insert(
      'raw_inverter',
      [0, 1, 2].map((at) => rowOf(device, startMs + at * 10_000, { ac_active_power_n: at, dc_power_n: 2 * at })),
    );
    const { times, series } = await plants.read(
      analysisEndpoints.series,
      {
        ...power([device.id], '2026-06-10'),
        curves: ['AC/ActivePower', 'DC/Power'].map((variable) => ({ of: 0, variable })),
      },
      installer,
    );
    expect(times).toEqual([[startMs, 10_000, 10_000]]);
    expect(series.map((each) => each.times)).toEqual([0, 0]);
  });

  test('are broken where a device was silent for much longer than its usual step', async () => {
    const startMs = Date.UTC(2026, 5, 10, 8);
    await tell(device, startMs, 10_000, [1, 2]);
    await tell(device, startMs + 5 * MINUTE_MS, 10_000, [3, 4]);
    const { samples } = await read(power([device.id], '2026-06-10'));
    expect(samples[0]?.map(([, value]) => value)).toEqual([1, 2, null, 3, 4]);
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('of the plant-local day %s hold its %i hours, and no others', async (day, hours) => {
    const startMs = Date.parse(`${day}T00:00:00+0${hours === 23 ? 1 : 2}:00`);
    await tell(
      device,
      startMs - HOUR_MS,
      HOUR_MS,
      Array.from({ length: hours + 2 }, (_, hour) => hour),
    );
    const answer = await read(power([device.id], day));
    expect(answer.endMs - answer.startMs).toBe(hours * HOUR_MS);
    expect(answer.samples[0]?.map(([, value]) => value)).toEqual(Array.from({ length: hours }, (_, hour) => hour + 1));
  });

  test('of more samples than pixels are thinned without losing a peak, and say so; a part of them is told whole', async () => {
    const startMs = Date.UTC(2026, 5, 9, 22);
    const stepMs = 5_000;
    const powersW = Array.from({ length: 2 * MOST_WHOLE_SAMPLES }, (_, at) => 1_000 + (at % 11));
    powersW[4_321] = 9_999;
    powersW[12_345] = -777;
    await tell(device, startMs, stepMs, powersW);
    const answer = await read({ ...power([device.id], '2026-06-10'), columns: 200 });
    const [series] = answer.series;
    expect(series).toMatchObject({ samples: powersW.length, isThinned: true });
    expect(series?.values.length).toBeLessThanOrEqual(3 * 200);
    expect(answer.samples[0]).toContainEqual([startMs + 4_321 * stepMs, 9_999]);
    expect(answer.samples[0]).toContainEqual([startMs + 12_345 * stepMs, -777]);

    const fromMs = startMs + 4_000 * stepMs;
    const zoomed = await read({
      ...power([device.id], '2026-06-10'),
      columns: 200,
      fromMs,
      toMs: fromMs + 1_000 * stepMs,
    });
    expect(zoomed.series[0]).toMatchObject({ samples: 1_000, isThinned: false });
    expect(zoomed.samples[0]?.map(([, value]) => value)).toEqual(powersW.slice(4_000, 5_000));
  });

  test('of up to fifteen days are told, of more are refused', async () => {
    expect((await read(power([device.id], '2026-06-01', '2026-06-15'))).series).toHaveLength(1);
    const asked = power([device.id], '2026-06-01', '2026-06-16');
    for (const endpoint of [analysisEndpoints.series, analysisEndpoints.exportSeries])
      expect((await plants.call(endpoint, asked, installer)).errno).toBe(errno.analysisTooLong);
    const { curves: _, ...days } = asked;
    expect((await plants.call(analysisEndpoints.marks, days, installer)).errno).toBe(errno.analysisTooLong);
  });

  test('that are too many, or of days in the wrong order, are refused', async () => {
    const thirteen = Array.from({ length: 13 }, () => ({ of: 0, variable: 'AC/ActivePower' }));
    const one = power([device.id], '2026-06-01');
    for (const asked of [
      { ...one, curves: thirteen },
      { ...one, curves: [] },
      { ...one, deviceIDs: [] },
      { ...one, firstDay: '2026-06-02' },
      { ...one, columns: 9 },
    ])
      expect((await plants.call(analysisEndpoints.series, asked, installer)).errno).toBe(errno.refusedInput);
  });

  test('of devices of several plants follow the clock of the first one’s plant', async () => {
    const far = await plants.addSite(installerId, { name: 'Far', time_zone: 'America/New_York' });
    const there = await plants.addDevice(far.id, (await plants.addDatalogger(far.id)).id);
    const startMs = Date.UTC(2026, 5, 9, 22);
    for (const of of [device, there]) await tell(of, startMs, HOUR_MS, [1, 2]);
    const here = await read(power([device.id, there.id], '2026-06-10'));
    expect(here).toMatchObject({ plantName: 'Hof', ianaTimezone: 'Europe/Berlin', startMs });
    expect(here.devices.map(({ ianaTimezone }) => ianaTimezone)).toEqual(['Europe/Berlin', 'America/New_York']);
    expect(here.samples[0]).toEqual(here.samples[1]);
    const away = await read(power([there.id, device.id], '2026-06-10'));
    expect(away).toMatchObject({ plantName: 'Far', startMs: startMs + 6 * HOUR_MS });
    expect(away.samples).toEqual([[], []]);
  });
});

describe('a stranger’s device', () => {
  test('is answered like one that does not exist, alone and among one’s own', async () => {
    const { token } = await plants.addInstaller();
    const missing = '11111111-1111-4111-8111-111111111111';
    const [stranger, none] = await Promise.all(
      [device.id, missing].map((id) => plants.call(analysisEndpoints.series, power([id], '2026-06-10'), token)),
    );
    expect(stranger?.errno).toBe(errno.deviceNotFound);
    expect(stranger).toEqual(none);
    const own = await plants.addInstaller();
    const ownSite = await plants.addSite(own.installerId);
    const ownDevice = await plants.addDevice(ownSite.id, (await plants.addDatalogger(ownSite.id)).id);
    const answer = await read(power([ownDevice.id, device.id, missing], '2026-06-10'), own.token);
    expect(answer.missing).toEqual([device.id, missing]);
    expect(answer.series.map(({ deviceID }) => deviceID)).toEqual([ownDevice.id]);
  });

  test('is not offered to be plotted', async () => {
    const { token } = await plants.addInstaller();
    const offered = (input: Input<typeof analysisEndpoints.devicesToPlot>, by: string) =>
      plants.read(analysisEndpoints.devicesToPlot, input, by).then(({ choices }) => choices.map(({ id }) => id));
    for (const input of [{ search: device.sn }, { ids: [device.id] }, { stationID: site.id }]) {
      expect(await offered(input, installer)).toEqual([device.id]);
      expect(await offered(input, token)).toEqual([]);
    }
  });
});

describe('marks', () => {
  const alarm = (of: Device, sinceMs: number, untilMs: number | null, level = 2) =>
    plants.db
      .insertInto('alarms')
      .values({
        site_id: site.id,
        device_id: of.id,
        logger_id: null,
        code: 1_000 + (sinceMs % 97),
        level,
        since: new Date(sinceMs),
        until: untilMs === null ? null : new Date(untilMs),
      })
      .execute();

  test('are the alarms of the devices that are plotted and stood within the days, in the order of time', async () => {
    const startMs = Date.UTC(2026, 5, 9, 22);
    const other = await plants.addDevice(site.id, datalogger);
    await alarm(device, startMs - 2 * HOUR_MS, startMs - HOUR_MS);
    await alarm(device, startMs + 3 * HOUR_MS, null, 1);
    await alarm(device, startMs - HOUR_MS, startMs + HOUR_MS, 4);
    await alarm(device, startMs + 24 * HOUR_MS, null);
    await alarm(other, startMs + HOUR_MS, null);
    const days = { firstDay: '2026-06-10', lastDay: '2026-06-10' };
    const told = await plants.read(analysisEndpoints.marks, { deviceIDs: [device.id], ...days }, installer);
    expect(told.total).toBe(2);
    expect(told.marks).toMatchObject([
      { kind: 'alarm', deviceSN: device.sn, atMs: startMs - HOUR_MS, untilMs: startMs + HOUR_MS, level: 4 },
      { atMs: startMs + 3 * HOUR_MS, untilMs: null, level: 1 },
    ]);
    const { token } = await plants.addInstaller();
    expect((await plants.call(analysisEndpoints.marks, { deviceIDs: [device.id], ...days }, token)).errno).toBe(
      errno.deviceNotFound,
    );
  });
});

test('changes of settings are marks too: what it was, what it became, and who did it', async () => {
  const startMs = Date.UTC(2026, 5, 11, 22);
  const changed = (name: string, from: string | null, to: string, atMs: number) =>
    plants.db
      .insertInto('setting_changes')
      .values({
        subject_id: device.id,
        name,
        from_value: from,
        to_value: to,
        at: new Date(atMs),
        command_id: null,
        account_id: null,
        source: 'device',
      })
      .execute();
  await changed('Setting/ExportLimit', '5000', '3000', startMs + HOUR_MS);
  await changed('Setting/WorkMode', '1', '3', startMs + 2 * HOUR_MS);
  await changed('Setting/ExportLimit', '3000', '5000', startMs + 25 * HOUR_MS);
  const days = { firstDay: '2026-06-12', lastDay: '2026-06-12' };
  const told = await plants.read(analysisEndpoints.marks, { deviceIDs: [device.id], ...days }, installer);
  expect(told.marks.filter(({ kind }) => kind === 'setting')).toMatchObject([
    { name: 'Setting/ExportLimit', from: { value: 5_000 }, to: { value: 3_000 }, unit: 'W', source: 'device', by: '' },
    { name: 'Setting/WorkMode', from: { value: 1 }, to: { value: 3, phrase: expect.stringMatching(/^points\./) } },
  ]);
});

describe('the file of curves', () => {
  async function file(input: Input<typeof analysisEndpoints.exportSeries>) {
    const response = await plants.fetch(analysisEndpoints.exportSeries, input, installer);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Analysis-/);
    const body = Buffer.from(await response.arrayBuffer()).toString('utf8');
    return body
      .slice(1)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
  }

  test('has all samples on the plant’s clock with their quality, also of more than a screen is sent', async () => {
    const startMs = Date.UTC(2026, 9, 24, 22);
    const stepMs = 5_000;
    await tell(
      device,
      startMs,
      stepMs,
      Array.from({ length: 9_000 }, (_, at) => at % 13),
    );
    const lines = await file(power([device.id], '2026-10-25'));
    expect(lines).toHaveLength(9_001);
    expect(lines[0]).toEqual([
      'Time (Europe/Berlin)',
      'Time (UTC)',
      `Active power · ${device.sn} (W)`,
      `Active power · ${device.sn} (quality)`,
    ]);
    expect(lines[1]).toEqual(['2026-10-25 00:00:00', '2026-10-24T22:00:00.000Z', '0', 'Measured']);
    expect(lines[3]).toEqual(['2026-10-25 00:00:10', '2026-10-24T22:00:10.000Z', '2', 'Measured']);
  });

  test('has a row for each moment of any device, empty where one told nothing, and nothing that a sheet would take for a formula', async () => {
    const startMs = Date.UTC(2026, 5, 10, 8);
    const other = await plants.addDevice(site.id, datalogger, { sn: `=cmd|${site.key}` });
    await tell(device, startMs, 20_000, [1, 2]);
    await tell(other, startMs, 10_000, [-3, 4, 5.5]);
    const lines = await file(power([device.id, other.id], '2026-06-10'));
    expect(lines.slice(1).map(([, ...cells]) => cells)).toEqual([
      ['2026-06-10T08:00:00.000Z', '1', 'Measured', '-3', 'Measured'],
      ['2026-06-10T08:00:10.000Z', '', '', '4', 'Measured'],
      ['2026-06-10T08:00:20.000Z', '2', 'Measured', '5.5', 'Measured'],
    ]);
    for (const heading of lines[0] ?? []) expect(heading).not.toMatch(/^[=+\-@]/);
  });
});
