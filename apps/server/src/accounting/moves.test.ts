import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { describe, expect, test } from 'vitest';
import { runDataloggerCommand } from '../cli/datalogger-command.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { makeDatalogger, makePlant, startTestIngestion, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const HOUR_MS = 3_600_000;
const startMs = bucketStart(Date.now()) - 40 * 24 * HOUR_MS;

const own = ownIngestion();

/** An hour of readings of a device: the counter grows by so much. Also of the time before recording it tells 100 kWh. */
async function record(sn: string, device: string, hour: number, kwh: number, password?: string): Promise<void> {
  const edge = await TestEdge.connect(own.ingestion.port, sn, password === undefined ? {} : { password });
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  await Promise.all(
    [0, 1, 2, 3, 4, 5, 6].map((step) =>
      edge.data(
        device,
        { 'Energy/PvTotal': 100 + 2 * hour + (kwh * step) / 6 },
        { timestampMs: startMs + hour * HOUR_MS + step * 600_000, historical: true },
      ),
    ),
  );
  await own.ingestion.drain();
  await edge.end();
}

/** Recorded generation by buckets, hours and days, Wh, and the total with the time before. */
async function figuresOf({ siteId, siteKey }: TestPlant) {
  const sums = await Promise.all(
    ['site_5m', 'site_hour', 'site_day'].map((table) =>
      own.rows<{ wh: number }>(
        `SELECT round(sumIf(pv_wh, NOT isNaN(pv_wh)), 3) AS wh FROM ${table} FINAL WHERE site = ${siteKey}`,
      ),
    ),
  );
  const total = await own.stores.db
    .selectFrom('site_latest')
    .select('total_wh')
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return { recorded: sums.map(([sum]) => sum?.wh), total: total?.total_wh ?? null };
}

async function addDatalogger(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const output = { out: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
  const code = await runDataloggerCommand(['add', ...args], own.stores.settings, output);
  expect(lines.join('\n')).toContain('Password: ');
  expect(code).toBe(0);
  return lines.join('\n');
}

const passwordIn = (text: string) => /Password: ([a-z2-7]{26})/.exec(text)?.[1] ?? '';
const recordedBy = (wh: number) => [wh, wh, wh];

describe('a logger that goes to another plant', () => {
  test('takes its devices, their recorded time and their counters along; the others stay', async () => {
    const [from, to] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    const staying = await makeDatalogger(own.stores.db, from.siteId);
    await record(from.sn, 'MOV-1', 0, 2);
    await record(from.sn, 'MOV-2', 5, 3);
    await record(staying, 'MOV-3', 0, 1.5);
    await record(to.sn, 'MOV-4', 0, 1);
    expect(await figuresOf(from)).toEqual({ recorded: recordedBy(6_500), total: 316_500 });

    const told = await addDatalogger(from.sn, '--site', to.siteId, '--renew');
    expect(told).toContain('2 devices');
    await own.ingestion.drain();
    expect(await figuresOf(from)).toEqual({ recorded: recordedBy(1_500), total: 101_500 });
    expect(await figuresOf(to)).toEqual({ recorded: recordedBy(6_000), total: 316_000 });

    await record(from.sn, 'MOV-1', 1, 1, passwordIn(told));
    expect(await figuresOf(from)).toEqual({ recorded: recordedBy(1_500), total: 101_500 });
    expect((await figuresOf(to)).recorded).toEqual(recordedBy(7_000));
    expect(await own.ingestion.counted('ingest_rejected_total')).toBe(0);
  });

  test('has the figures of its new plant marked until all is in them that was sent before, in whatever order', async () => {
    const plant = await makePlant(own.stores.db);
    const sn = await makeDatalogger(own.stores.db, null);
    const edge = await TestEdge.connect(own.ingestion.port, sn);
    await edge.birth();
    await edge.deviceBirth('MOV-LATE', 'inverter');
    const steps = Array.from({ length: 25 }, (_, index) => 24 - index);
    for (const step of steps) {
      const tsMs = startMs + step * 600_000;
      await edge.data('MOV-LATE', { 'Energy/PvTotal': 100 + step }, { timestampMs: tsMs, historical: true });
    }
    await own.stores.db.updateTable('loggers').set({ site_id: plant.siteId }).where('sn', '=', sn).execute();
    const isMarked = async () =>
      (await own.stores.db
        .selectFrom('recalculations')
        .select('id')
        .where('site_id', '=', plant.siteId)
        .executeTakeFirst()) !== undefined;
    expect(await isMarked()).toBe(true);
    await until(async () => !(await isMarked()));
    expect((await figuresOf(plant)).recorded).toEqual(recordedBy(24_000));
    await edge.end();
  });

  test('does so while nobody accounts, and when the process that began to account it has ended', async () => {
    const [from, to] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    await record(from.sn, 'MOV-5', 0, 2);
    await own.ingestion.stop();
    await addDatalogger(from.sn, '--site', to.siteId, '--renew');
    const insertRowBinary: typeof own.stores.telemetry.insertRowBinary = async (table, ...rest) => {
      if (table === 'site_day') throw new Error('the process ends here');
      await own.stores.telemetry.insertRowBinary(table, ...rest);
    };
    const failing = await startTestIngestion({
      ...own.stores,
      telemetry: { ...own.stores.telemetry, insertRowBinary },
    });
    await expect(failing.drain()).rejects.toThrow('the process ends here');
    await failing.stop();
    await own.start();
    await own.ingestion.drain();
    expect((await figuresOf(from)).recorded).toEqual(recordedBy(0));
    expect(await figuresOf(to)).toEqual({ recorded: recordedBy(2_000), total: 102_000 });
  });

  test('is said to be under way until totals and powers are those of after', async () => {
    const [from, to] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    await record(from.sn, 'MOV-10', 0, 2);
    await addDatalogger(from.sn, '--site', to.siteId, '--renew');
    const isUnderWay = async () => (await own.stores.db.selectFrom('recalculations').select('id').execute()).length > 0;
    expect(await isUnderWay()).toBe(true);
    await until(async () => !(await isUnderWay()), 'the end of the move');
    expect((await figuresOf(from)).total).toBeNull();
    expect((await figuresOf(to)).total).toBe(102_000);
    const isTold = ({ siteKey }: TestPlant) => own.ingestion.told.at(-1)?.sites.includes(siteKey) === true;
    await until(() => isTold(from) && isTold(to), 'that it has ended is told');
  });

  test('leaves neither a total nor a power where nothing is left', async () => {
    const [from, to] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    await record(from.sn, 'MOV-9', 0, 2);
    const edge = await TestEdge.connect(own.ingestion.port, from.sn);
    await edge.birth();
    await edge.deviceBirth('MOV-9', 'inverter');
    await edge.data('MOV-9', { 'DC/Power': 3_000, 'AC/ActivePower': 2_900 });
    await own.ingestion.drain();
    const powersOf = ({ siteId }: TestPlant) =>
      own.stores.db
        .selectFrom('site_latest')
        .select(['pv_w', 'inverter_ac_w'])
        .where('site_id', '=', siteId)
        .executeTakeFirst();
    expect((await powersOf(from))?.pv_w).toBeGreaterThan(0);
    await edge.end();
    await addDatalogger(from.sn, '--site', to.siteId, '--renew');
    await own.ingestion.drain();
    expect(await figuresOf(from)).toEqual({ recorded: recordedBy(0), total: null });
    expect(await powersOf(from)).toEqual({ pv_w: null, inverter_ac_w: null });
    expect((await figuresOf(to)).total).toBe(102_000);
  });

  test('does so from quarantine, from no plant at all, and by whatever way its row changes', async () => {
    const [from, to] = [await makePlant(own.stores.db), await makePlant(own.stores.db)];
    const waiting = await makeDatalogger(own.stores.db, null);
    await own.stores.db.updateTable('loggers').set({ quarantined: true }).where('sn', '=', waiting).execute();
    await record(waiting, 'MOV-6', 0, 2);
    await addDatalogger(waiting, '--site', from.siteId, '--renew');
    await own.ingestion.drain();
    expect(await figuresOf(from)).toEqual({ recorded: recordedBy(2_000), total: 102_000 });

    const place = (siteId: string | null) =>
      own.stores.db.updateTable('loggers').set({ site_id: siteId }).where('sn', '=', waiting).execute();
    await place(null);
    await own.ingestion.drain();
    expect((await figuresOf(from)).recorded).toEqual(recordedBy(2_000));
    await place(to.siteId);
    await own.ingestion.drain();
    expect((await figuresOf(from)).recorded).toEqual(recordedBy(0));
    expect(await figuresOf(to)).toEqual({ recorded: recordedBy(2_000), total: 102_000 });
  });
});

test('a device that is removed leaves its plant, and comes back with what it recorded', async () => {
  const plant = await makePlant(own.stores.db);
  await record(plant.sn, 'MOV-7', 0, 2);
  const remove = (deletedAt: Date | null) =>
    own.stores.db.updateTable('devices').set({ deleted_at: deletedAt }).where('sn', '=', 'MOV-7').execute();
  await remove(new Date());
  await own.ingestion.drain();
  expect((await figuresOf(plant)).recorded).toEqual(recordedBy(0));
  await remove(null);
  await own.ingestion.drain();
  expect(await figuresOf(plant)).toEqual({ recorded: recordedBy(2_000), total: 102_000 });
});

test('a meter that turns out to measure something else counts as that from its first sample on', async () => {
  const plant = await makePlant(own.stores.db);
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth('MOV-8', 'meter');
  for (const step of [0, 1, 2]) {
    await edge.data(
      'MOV-8',
      { 'Meter/ImportTotal': 10, 'Meter/ExportTotal': 20 + step },
      { timestampMs: startMs + step * 600_000, historical: true },
    );
  }
  await own.ingestion.drain();
  await edge.end();
  const sums = () =>
    own.rows<{ exported: number | null; external: number | null }>(
      `SELECT sumOrNullIf(export_wh, NOT isNaN(export_wh)) AS exported, sumOrNullIf(external_wh, NOT isNaN(external_wh)) AS external
       FROM site_day FINAL WHERE site = ${plant.siteKey}`,
    );
  expect(await sums()).toMatchObject([{ exported: 2_000, external: null }]);
  await own.stores.db.updateTable('devices').set({ role: 'pv' }).where('sn', '=', 'MOV-8').execute();
  await own.ingestion.drain();
  expect((await sums())[0]?.external).toBeCloseTo(2_000, 3);
});
