import { errno } from '@sonnenwarte/contract/errors';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { MOST_UNIT_ROWS } from '@sonnenwarte/contract/factory/imports';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownFactory } from '../testing/factory-fixture.ts';
import { forgetImports } from './imports.store.ts';
import { dayIn, unitRowsIn } from './units-file.ts';

const own = ownFactory();
const NOW_MS = own.nowMs;

const waiting = async (): Promise<number> =>
  (
    await own.plants.db
      .selectFrom('unit_import_rows')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
  ).count;

test('a file is read as spreadsheets write it: semicolons, quotes, CRLF, marks of encodings, formulas and German days', async () => {
  const batchID = await own.world.batch({ firmware: '1.0' });
  const semicolons =
    '\ufeffSeriennummer;"ODM-SN";Modell;Firmware;Lieferdatum\r\n"=""R-1""";"O;1";HX-8K;1.2;5.3.2026\r\n\r\nr 2;;;;\r\n';
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('sn\tfirmware\nR-3\t2.0\n', 'utf16le')]);
  const windows = Buffer.from('sn,model\nR-4,Ger\xe4t\n', 'latin1');
  for (const file of [semicolons, wide, windows]) {
    const { result } = await own.world.check(batchID, file);
    expect(result).toMatchObject({ bad: 0 });
    await own.world.read(calls.importRun, { importID: result.importID });
  }
  expect(await own.world.units({ batchID })).toMatchObject([
    { sn: 'R-1', odmSN: 'O;1', model: 'HX-8K', firmware: '1.2', deliveredOn: '2026-03-05' },
    { sn: 'R-3', firmware: '2.0', model: 'HX-8K', deliveredOn: '2026-01-31' },
    { sn: 'R-4', model: 'Gerät' },
    { sn: 'R2', firmware: '1.0', deliveredOn: '2026-01-31' },
  ]);
});

test('a day is read where it can be only one', () => {
  for (const text of ['2026-03-31', '2026/3/31', '2026.03.31', '31.03.2026', '31.3.2026', '2026-03-31T00:00:00Z'])
    expect(dayIn(text)).toBe('2026-03-31');
  for (const text of ['03/31/2026', '31/03/2026', '2026-02-30', '31.13.2026', '1899-01-01', 'soon', '46112'])
    expect(dayIn(text)).toBeUndefined();
});

test('each row that cannot be imported says why with its line, all of them as a file; the others are imported, or nothing', async () => {
  const elsewhere = await own.world.batch({ number: 'There first' });
  await own.world.deliver(elsewhere, 'sn\nP-ELSEWHERE\n');
  const { installerId } = await own.plants.addInstaller();
  const site = await own.plants.addSite(installerId);
  const logger = await own.plants.addDatalogger(site.id);
  await own.plants.addDevice(site.id, logger.id, { sn: 'P-MODEL', model: 'HX-10K' });
  await own.plants.addDevice(site.id, logger.id, { sn: 'P-KIND', kind: 'battery' });
  const batchID = await own.world.batch({ number: 'Problems' });
  const rows = [
    'sn,odm-sn,model,firmware,delivered on',
    'P-GOOD,,,,',
    ',,,,',
    ',O-1,,,',
    'P GOOD!,,,,',
    'p-good,,,,',
    'P-ELSEWHERE,,,,',
    'P-MODEL,,,,',
    'P-KIND,,,,',
    'P-DAY,,,,03/04/2026',
    'P-FUTURE,,,,2027-06-18',
    `P-LONG,,,${'9'.repeat(65)},`,
    'P-GOOD-2,,,,2026-06-16',
  ];
  const { result } = await own.world.check(batchID, rows.join('\n'));
  const problems = [
    { line: 4, sn: '', problem: 'snMissing', detail: '' },
    { line: 5, sn: 'PGOOD!', problem: 'snWrong', detail: '' },
    { line: 6, sn: 'P-GOOD', problem: 'twice', detail: '2' },
    { line: 7, sn: 'P-ELSEWHERE', problem: 'elsewhere', detail: 'There first' },
    { line: 8, sn: 'P-MODEL', problem: 'otherModel', detail: 'HX-10K' },
    { line: 9, sn: 'P-KIND', problem: 'otherKind', detail: 'battery' },
    { line: 10, sn: 'P-DAY', problem: 'dayUnreadable', detail: '' },
    { line: 11, sn: 'P-FUTURE', problem: 'dayInFuture', detail: '' },
    { line: 12, sn: 'P-LONG', problem: 'tooLong', detail: '' },
  ];
  expect(result).toMatchObject({ rows: 11, fresh: 2, changed: 0, same: 0, bad: 9, problems });
  expect(result.counts).toContainEqual({ problem: 'twice', count: 1 });
  const { importID } = result;
  const file = await own.plants.fetch(calls.importProblems, { importID }, own.world.admin);
  const lines = (await file.text()).trim().split(/\r?\n/);
  expect(lines).toHaveLength(problems.length + 1);
  expect(lines[4]).toContain('There first');
  expect(await own.world.call(calls.importRun, { importID })).toMatchObject({ errno: errno.unitImportRefused });
  expect(await own.world.units({ batchID })).toEqual([]);
  const imported = await own.world.read(calls.importRun, { importID, onlyGood: true });
  expect(imported).toEqual({ added: 2, changed: 0, same: 0, skipped: 9 });
  expect((await own.world.units({ batchID })).map(({ sn }) => sn)).toEqual(['P-GOOD', 'P-GOOD-2']);
});

test('dataloggers have 15 digits, and a quote that is never closed loses what is behind it', async () => {
  const batchID = await own.world.batch({ kind: 'logger', model: 'LX-1' });
  const { result } = await own.world.check(batchID, 'sn\n302609010000771\nSW8K-1\n"302609010000772\n302609010000773\n');
  expect(result).toMatchObject({
    fresh: 1,
    problems: [
      { line: 3, problem: 'snWrong' },
      { line: 4, problem: 'rowBroken' },
    ],
  });
});

test('the same file again changes nothing and says so; other values change the units that are there', async () => {
  const batchID = await own.world.batch();
  const file = 'sn,firmware\nAGAIN-1,1.0\nAGAIN-2,1.0\n';
  await own.world.deliver(batchID, file);
  const { result } = await own.world.check(batchID, file);
  expect(result).toMatchObject({ rows: 2, fresh: 0, changed: 0, same: 2, bad: 0 });
  const unchanged = { added: 0, changed: 0, same: 2, skipped: 0 };
  expect(await own.world.read(calls.importRun, { importID: result.importID })).toEqual(unchanged);
  const changed = await own.world.check(batchID, 'sn,firmware\nAGAIN-1,1.1\nAGAIN-2,1.0\n');
  expect(changed.result).toMatchObject({ fresh: 0, changed: 1, same: 1 });
  await own.world.read(calls.importRun, { importID: changed.result.importID });
  expect(await own.world.units({ batchID })).toMatchObject([{ firmware: '1.1' }, { firmware: '1.0' }]);
});

test('what was good when the file was read is judged again when it is imported', async () => {
  const [one, other] = [await own.world.batch({ number: 'First come' }), await own.world.batch()];
  const late = await own.world.check(other, 'sn\nRACE-1\nRACE-2\n');
  await own.world.deliver(one, 'sn\nRACE-1\n');
  const { importID } = late.result;
  expect(await own.world.call(calls.importRun, { importID })).toMatchObject({ errno: errno.unitImportRefused });
  const imported = await own.world.read(calls.importRun, { importID, onlyGood: true });
  expect(imported).toMatchObject({ added: 1, skipped: 1 });
});

test('5,000 rows are imported whole; a row more than there may be, no row and no column of numbers are refused, and leave nothing', async () => {
  const batchID = await own.world.batch({ number: 'Bulk' });
  const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `BULK${String(at).padStart(6, '0')}`);
  await own.world.deliver(batchID, `sn\n${rowsOf(5_000).join('\n')}\n`);
  const { total, isMore } = await own.world.read(calls.unitList, { condition: { batchID } });
  expect([total, isMore]).toEqual([5_000, false]);
  const before = await waiting();
  const reading = unitRowsIn(Buffer.from(rowsOf(MOST_UNIT_ROWS + 1).join('\n')), 'inverter', '2026-06-16');
  const readAll = async () => {
    for await (const rows of reading) expect(rows.every(({ wrong }) => wrong === '')).toBe(true);
  };
  await expect(readAll()).rejects.toMatchObject({ errno: errno.importTooLong, result: { maximum: MOST_UNIT_ROWS } });
  expect(await own.world.check(batchID, 'sn\n\n')).toMatchObject({ errno: errno.importEmpty });
  expect(await own.world.check(batchID, 'model,firmware\nHX,x1\n')).toMatchObject({ errno: errno.importWithoutSn });
  expect(await waiting()).toBe(before);
}, 60_000);

test('a file that waits is of who had it read, and is forgotten when it is dropped or a day old', async () => {
  const batchID = await own.world.batch();
  const { result } = await own.world.check(batchID, 'sn\nWAITS-1\n');
  const { importID } = result;
  const other = own.plants.signInOf(await own.plants.addAccount(own.world.platform.id, 255), own.world.platform.path);
  const gone = { errno: errno.unitImportNotFound };
  expect(await own.plants.call(calls.importRun, { importID }, other)).toMatchObject(gone);
  await own.world.read(calls.importDrop, { importID });
  expect(await own.world.call(calls.importRun, { importID })).toMatchObject(gone);
  const later = await own.world.check(batchID, 'sn\nWAITS-1\n');
  await forgetImports(own.plants.db, new Date(NOW_MS + 1));
  expect(await own.world.call(calls.importRun, { importID: later.result.importID })).toMatchObject(gone);
  expect(await own.world.units({ batchID })).toEqual([]);
});
