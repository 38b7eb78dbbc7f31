import { errno } from '@sonnenwarte/contract/errors';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { type Language, languages } from '@sonnenwarte/contract/languages';
import { describe, expect, test } from 'vitest';
import { ownFactory } from '../testing/factory-fixture.ts';
import { signedRequest } from '../testing/portal.ts';

const own = ownFactory();

const columns = [
  'sn',
  'odmSN',
  'kind',
  'model',
  'seen',
  'deliveredOn',
  'firmware',
  'firmwareNow',
  'batch',
  'warrantyFrom',
  'warrantyUntil',
] as const;

async function exported(batchID: string, language: Language): Promise<string> {
  const input = { condition: { batchID }, columns, sort: { field: 'sn', order: 'asc' } };
  const asked = { token: own.world.admin, lang: language, timestamp: String(own.nowMs) };
  const [address, init] = signedRequest(own.plants.url, calls.exportUnits, input, asked);
  return (await fetch(address, init)).text();
}

describe('an export of the portal', () => {
  test.each(languages)('in %s is read again as it was, and says which columns are not read', async (language) => {
    const batchID = await own.world.batch({ number: `Round ${language}`, deliveredOn: '2026-02-01' });
    await own.world.deliver(
      batchID,
      `sn,odm,model,firmware,day\nTRIP-${language}-1,O-1,HX-9K,2.1,2026-03-04\nTRIP-${language}-2,,,,\n`,
    );
    const file = await exported(batchID, language);
    const { result } = await own.world.check(batchID, file);
    expect(result).toMatchObject({ rows: 2, same: 2, fresh: 0, changed: 0, bad: 0 });
    expect(result.unread).toHaveLength(columns.length - 5);
  });
});

test('the delimiter that a file says, and heads with what explains them, are understood', async () => {
  const batchID = await own.world.batch();
  const { result } = await own.world.check(
    batchID,
    'sep=;\r\nSerial Number (SN);Colour;Firmware\r\nSEP-1;red, dark;1.2\r\n',
  );
  expect(result).toMatchObject({ rows: 1, fresh: 1, bad: 0, unread: ['Colour'] });
  await own.world.read(calls.importRun, { importID: result.importID });
  expect(await own.world.units({ batchID })).toMatchObject([{ sn: 'SEP-1', firmware: '1.2' }]);
});

test('a header without a column of serial numbers is no unit, and neither is a formula', async () => {
  const batchID = await own.world.batch();
  expect(await own.world.check(batchID, 'Model 1;Firmware\nHX-8K;1.0\n')).toMatchObject({
    errno: errno.importWithoutSn,
  });
  const { result } = await own.world.check(batchID, 'sn\n=cmd\n=1+1\n"=""EXCEL-1"""\n');
  expect(result).toMatchObject({
    fresh: 1,
    problems: [
      { line: 2, sn: '=CMD', problem: 'snWrong' },
      { line: 3, problem: 'snWrong' },
    ],
  });
});

test('what a file leaves out is as its batch has it when it is imported', async () => {
  const batchID = await own.world.batch({ number: 'Late', firmware: '1.0' });
  const { result } = await own.world.check(batchID, 'sn,firmware\nLATE-1,\nLATE-2,0.9\n');
  const batch = { manufacturerID: own.world.manufacturerID, number: 'Late', kind: 'inverter' as const };
  await own.world.read(calls.batchEdit, {
    ...batch,
    batchID,
    model: 'HX-12K',
    firmware: '2.0',
    deliveredOn: '2026-04-01',
  });
  await own.world.read(calls.importRun, { importID: result.importID });
  expect(await own.world.units({ batchID })).toMatchObject([
    { sn: 'LATE-1', model: 'HX-12K', firmware: '2.0', deliveredOn: '2026-04-01' },
    { sn: 'LATE-2', model: 'HX-12K', firmware: '0.9', deliveredOn: '2026-04-01' },
  ]);
});

test('a file with too many rows is refused before any row is kept, with how many there may be', async () => {
  const batchID = await own.world.batch();
  const rows = Array.from({ length: 100_001 }, (_, at) => `MANY${at}`);
  const answer = await own.world.check(batchID, `sn\n${rows.join('\n')}\n`);
  expect(answer).toMatchObject({ errno: errno.importTooLong, result: { maximum: 100_000 } });
  expect(answer.msg).toMatch(/100[.,\s]?000/);
});
