import { importCheck, importFile, MOST_IMPORTED } from '@sonnenwarte/contract/dataloggers/managing';
import { errno } from '@sonnenwarte/contract/errors';
import { checkModules } from '@sonnenwarte/contract/site-form/site-form';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { delimiterOf } from '../csv/csv-records.ts';
import { newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import { freshSn } from '../testing/ingestion.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { readImport } from './import-file.ts';

let api: PlantsFixture;
let installer: string;
let other: string;
let admin: string;
let owner: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
  const platform = await api.addOrganisation('platform');
  const below = await api.addOrganisation('installer', platform.path);
  const beside = await api.addOrganisation('installer', platform.path);
  admin = api.signIn(await api.addAccount(platform.id, 255));
  installer = api.signIn(await api.addAccount(below.id, 2));
  other = api.signIn(await api.addAccount(beside.id, 2));
  owner = api.signIn(await api.addAccount(below.id, 1));
});
afterAll(() => api?.stop());

const check = (file: string, token = installer) => api.call(importCheck, { file }, token);
const take = (file: string, onlyGood = false, token = installer) => api.call(importFile, { file, onlyGood }, token);
const stored = (sn: string) => api.db.selectFrom('loggers').selectAll().where('sn', '=', sn).executeTakeFirst();

describe('a file of serial numbers', () => {
  test('is read with commas, semicolons and tabs, with a mark of its bytes, quotes, and as spreadsheets keep numbers', async () => {
    const [one, two] = [freshSn(), freshSn()];
    const expected = [
      { sn: one, type: 'WiFi; 2', model: 'Stick, "mini"' },
      { sn: two, type: '', model: '' },
    ];
    for (const file of [
      `\uFEFFsn;key;type;model\r\n${one};;"WiFi; 2";"Stick, ""mini"""\r\n="${two}";;;\r\n`,
      `SN,Key,Type,Model\n"${one}",,WiFi; 2,"Stick, ""mini"""\n'${two},,,\n\n`,
      `Seriennummer\tKey\tTyp\tModell\r${one}\t\tWiFi; 2\t"Stick, ""mini"""\r${two}\t\t\t`,
    ]) {
      expect(await readImport(file)).toMatchObject(expected);
    }
  });

  test('without a header is serial numbers, then keys', async () => {
    const sn = freshSn();
    expect(await readImport(`${sn};ABCD-EFGH-JKMN`)).toMatchObject([{ line: 1, sn, key: 'ABCD-EFGH-JKMN' }]);
    expect(delimiterOf('sn;"a,b,c,d"')).toBe(';');
  });

  test('is refused where it has no rows or no column of serial numbers', async () => {
    expect((await check('sn;key\n')).errno).toBe(errno.importEmpty);
    expect((await check('\n\n')).errno).toBe(errno.importEmpty);
    expect((await check('name,address\nA,B')).errno).toBe(errno.importWithoutSn);
  });

  test('for an organisation that is named is refused of who imports for the own one alone', async () => {
    const sn = freshSn();
    const organisationID = await api.db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirstOrThrow();
    const named = { file: sn, organisationID: organisationID.id };
    expect((await api.call(importFile, named, installer)).errno).toBe(errno.noPermission);
    expect(await stored(sn)).toBeUndefined();
  });

  test('says of each row that is wrong on which line it begins and why', async () => {
    const [good, taken] = [freshSn(), freshSn()];
    await api.call(importFile, { file: taken }, installer);
    const file = [
      'sn,key,model',
      good,
      '12345',
      `${freshSn()},,"two`,
      'lines"',
      good,
      taken,
      '1.23457E+14',
      `${freshSn()},a!b`,
    ].join('\n');
    const { result } = await check(file);
    expect(result).toMatchObject({ rows: 7, good: 2, bad: 5 });
    expect(result.problems).toEqual([
      { line: 3, sn: '12345', errno: errno.invalidSn },
      { line: 6, sn: good, errno: errno.identicalSn },
      { line: 7, sn: taken, errno: errno.snExists },
      { line: 8, sn: '1.23457E+14', errno: errno.invalidSn },
      { line: 9, sn: expect.any(String), errno: errno.importKeyOdd },
    ]);
    expect(await stored(good)).toBeUndefined();
  });

  test('with a quote that is never closed is read up to there, and says so', async () => {
    const sn = freshSn();
    const { result } = await check(`sn,model\n${sn},ok\n${freshSn()},"open\n${freshSn()},x`);
    expect(result).toMatchObject({ good: 1, problems: [{ line: 3, errno: errno.importRowBroken }] });
  });

  test('may hold hostile cells: formulas and signs that are not seen are no serial numbers, and are cut', async () => {
    const sn = freshSn();
    const hidden = `\u200B\u200D${'x'.repeat(500)}`;
    const { result } = await check(`sn,model\n=1+1,a\n"=HYPERLINK(""http://a"")",b\n${sn},"${hidden}"\n../../etc,c`);
    expect(result).toMatchObject({ good: 1, bad: 3, sample: [{ sn, model: 'x'.repeat(64) }] });
  });

  test('that holds signs which turn the direction of what is read is refused, and named', async () => {
    const { result } = await check(`sn,model\n${freshSn()},\u202Egnp.exe`);
    expect(result).toMatchObject({ fields: [{ path: 'file', reason: 'invalid_format' }] });
  });

  test('of as many rows as one may have is imported, of one more it is refused', { timeout: 120_000 }, async () => {
    const rows = Array.from({ length: MOST_IMPORTED }, (_, at) => String(7e14 + at));
    const { result } = await take(rows.join('\n'), false, admin);
    expect(result.imported).toBe(MOST_IMPORTED);
    expect(new Set(result.credentials.map(({ password }) => password)).size).toBe(MOST_IMPORTED);
    expect((await check([...rows, freshSn()].join('\n'), admin)).errno).toBe(errno.importTooLong);
    const again = await check(rows.join('\n'), admin);
    expect(again.result).toMatchObject({ good: 0, bad: MOST_IMPORTED });
    expect(again.result.problems.length).toBeLessThan(MOST_IMPORTED);
  });
});

describe('an import', () => {
  test('makes dataloggers of the own organisation, each with a password of which a hash is kept, and a key', async () => {
    const sn = freshSn();
    const { result } = await take(`sn,type,model\n${sn},4G,LX-2`);
    const [{ password = '', key = '' } = {}] = result.credentials;
    expect(password).toMatch(/^[a-z2-7]{26}$/);
    expect(key).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    const row = await stored(sn);
    expect(row).toMatchObject({ token_hash: hashToken(password), quarantined: false, type: '4G', model: 'LX-2' });
    const states = async (module: { sn: string; key?: string }, token: string) =>
      (await api.read(checkModules, { modules: [module] }, token)).modules.map(({ state }) => state);
    expect(await states({ sn }, installer)).toEqual(['ready']);
    expect(await states({ sn }, other)).toEqual(['keyNeeded']);
    expect(await states({ sn, key }, other)).toEqual(['ready']);
  });

  test('is all or nothing unless only the good rows are asked for', async () => {
    const sn = freshSn();
    const file = `sn\n${sn}\n123`;
    const refused = await take(file);
    expect(refused).toMatchObject({ errno: errno.importRefused, result: { problems: [{ line: 3 }] } });
    expect(await stored(sn)).toBeUndefined();
    expect((await take(file, true)).result).toMatchObject({ imported: 1, skipped: 1 });
    expect(await stored(sn)).toBeDefined();
  });

  test('of a number that the manufacturer has made a key for needs that key, so that nobody takes what is not theirs', async () => {
    const printed = { sn: freshSn(), key: newDataloggerKey() };
    await noteDataloggers(api.db, [{ ...printed, organisationID: null }]);
    expect((await check(printed.sn)).result.problems).toMatchObject([{ errno: errno.snKeyNeeded }]);
    expect((await check(`${printed.sn},${newDataloggerKey()}`)).result.problems).toMatchObject([
      { errno: errno.snKeyWrong },
    ]);
    expect((await take(`${printed.sn},${printed.key}`)).result.imported).toBe(1);
    expect((await check(printed.sn, other)).result.problems).toMatchObject([{ errno: errno.snExists }]);
  });

  test('by an administrator keeps the key that is printed, and says whose they are', async () => {
    const printed = { sn: freshSn(), key: newDataloggerKey() };
    await noteDataloggers(api.db, [{ ...printed, organisationID: null }]);
    const { result } = await take(printed.sn, false, admin);
    expect(result.credentials).toMatchObject([{ sn: printed.sn, key: '' }]);
    const states = await api.read(checkModules, { modules: [printed] }, installer);
    expect(states.modules).toMatchObject([{ state: 'ready' }]);
  });

  test('at the same time as another of the same number makes one datalogger', async () => {
    const sn = freshSn();
    const both = await Promise.all([take(sn), take(sn, false, other)]);
    expect(both.map((answer) => answer.errno).toSorted((a, b) => a - b)).toEqual([0, errno.importRefused]);
  });

  test('is nothing for end users', async () => {
    expect((await take(freshSn(), false, owner)).errno).toBe(errno.noPermission);
  });
});
