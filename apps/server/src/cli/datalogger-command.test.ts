import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { judgeKeys } from '../datalogger-keys/datalogger-keys.store.ts';
import { newToken } from '../datalogger-keys/tokens.ts';
import type { Stores } from '../stores/stores.ts';
import { TestEdge } from '../testing/edge.ts';
import {
  freshSn,
  makeOrganisation,
  startTestIngestion,
  startTestStores,
  type TestIngestion,
} from '../testing/ingestion.ts';
import { runDataloggerCommand } from './datalogger-command.ts';

let stores: Stores & { dataDir: string };
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores({ ownStores: true });
  ingestion = await startTestIngestion(stores);
  await makeOrganisation(stores.db);
});

afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

async function run(...args: string[]) {
  const out: string[] = [];
  const error: string[] = [];
  const code = await runDataloggerCommand(
    args,
    { DATA_DIR: stores.dataDir },
    {
      out: (line) => out.push(line),
      error: (line) => error.push(line),
    },
  );
  return { code, out: out.join('\n'), error: error.join('\n') };
}

const passwordIn = (text: string) => /Password: ([a-z2-7]{26})/.exec(text)?.[1] ?? '';

describe('npm run logger', () => {
  test('add makes a logger, and a plant if asked, and the printed password lets it in at once', async () => {
    const sn = freshSn();
    const { code, out } = await run('add', sn, '--new-site', 'Barn roof', '--zone', 'Europe/Berlin', '--country', 'DE');
    expect(code).toBe(0);
    expect(out).toContain('mosquitto_pub');
    const edge = await TestEdge.connect(ingestion.port, sn, { password: passwordIn(out) });
    await edge.birth();
    await ingestion.drain();
    const row = await stores.db.selectFrom('loggers').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ online: true });
    expect(row.token_hash).toEqual(hashToken(passwordIn(out)));
    await edge.end();
    expect((await run('list')).out).toContain('Barn roof');
  });

  test('a second add changes nothing without --renew', async () => {
    const sn = freshSn();
    const first = passwordIn((await run('add', sn)).out);
    const again = await run('add', sn);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.error).toContain('--renew');
    const next = { next_token_hash: hashToken('offered'), next_token_until: new Date(Date.now() + 86_400_000) };
    await stores.db.updateTable('loggers').set(next).where('sn', '=', sn).execute();
    const renewed = passwordIn((await run('add', sn, '--renew')).out);
    expect(renewed).not.toBe(first);
    for (const password of [first, 'offered'])
      await expect(TestEdge.connect(ingestion.port, sn, { password })).rejects.toMatchObject({ code: 5 });
    await (await TestEdge.connect(ingestion.port, sn, { password: renewed })).end();
  });

  test('a revoked logger is not let in', async () => {
    const sn = freshSn();
    const password = passwordIn((await run('add', sn)).out);
    expect((await run('revoke', sn)).code).toBe(0);
    await expect(TestEdge.connect(ingestion.port, sn, { password })).rejects.toMatchObject({ code: 5 });
    expect((await run('revoke', sn)).code).toBe(1);
  });

  test('key makes a key that links, once; another only where it is asked for, which voids the first', async () => {
    const sn = freshSn();
    const keyIn = (text: string) => /: ([A-Z2-9]{4}(?:-[A-Z2-9]{4}){2}) /.exec(text)?.[1] ?? '';
    const verdict = async (key: string) => (await judgeKeys(stores.db, [{ sn, key }], () => false)).get(sn);
    const first = keyIn((await run('key', sn)).out);
    expect(await verdict(first)).toBe('right');
    expect(await run('key', sn)).toMatchObject({ code: 1, out: '' });
    const second = keyIn((await run('key', sn, '--renew')).out);
    expect([await verdict(first), await verdict(second)]).toEqual(['wrong', 'right']);
    const kept = await stores.db.selectFrom('logger_keys').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
    expect(JSON.stringify(kept)).not.toContain(second);
  });

  describe('import', () => {
    const imported = (text: string) => {
      const file = join(stores.dataDir, 'dataloggers.csv');
      writeFileSync(file, text);
      return run('import', file);
    };
    const known = (sn: string) =>
      stores.db.selectFrom('logger_keys').selectAll().where('sn', '=', sn).executeTakeFirst();

    test('takes lines of serial number, key and organisation, with a title and quotes or without', async () => {
      const organisation = await makeOrganisation(stores.db);
      const [one, two, three] = [freshSn(), freshSn(), freshSn()];
      const { code, out } = await imported(
        `\uFEFFsn,key,organisation\r\n${one},ABCD-1234\r\n"${two}","EFGH-5678","${organisation}"\r\n${three},,${organisation}\r\n\r\n`,
      );
      expect({ code, out }).toEqual({ code: 0, out: '3 dataloggers are imported.' });
      expect(await known(one)).toMatchObject({ organisation_id: null, key_hash: expect.any(Buffer) });
      expect(await known(two)).toMatchObject({ organisation_id: organisation, key_hash: expect.any(Buffer) });
      expect(await known(three)).toMatchObject({ organisation_id: organisation, key_hash: null });
    });

    test('takes nothing where a line is wrong, and names each', async () => {
      const sn = freshSn();
      const lines = [`${sn},ABCD-1234`, '12345,ABCD-1234', `${sn},ABCD-1234`, freshSn(), `${freshSn()},x`];
      const { code, error } = await imported([...lines, `${freshSn()},,Nobody`].join('\n'));
      expect(code).toBe(1);
      expect(error.split('\n').map((line) => /^Line \d/.exec(line)?.[0])).toEqual([
        undefined,
        'Line 2',
        'Line 3',
        'Line 4',
        'Line 5',
        'Line 6',
      ]);
      expect(await known(sn)).toBeUndefined();
    });

    test('says where there is no such file', async () => {
      expect(await run('import', '/tmp/there-is-no-such-file.csv')).toMatchObject({ code: 1 });
    });
  });

  test.each([
    [['add', '12345'], '15 digits'],
    [['key', '12345'], '15 digits'],
    [['add', '123456789012399', '--site', 'Nowhere'], 'no plant'],
    [['dance'], 'Unknown command'],
    [['add', '123456789012399', '--colour'], 'Usage'],
  ])('%j is refused with a clear word', async (args, word) => {
    const { code, error } = await run(...args);
    expect(code).toBe(1);
    expect(error).toContain(word);
  });

  test('without a running server it says so', async () => {
    const error: string[] = [];
    const code = await runDataloggerCommand(
      ['list'],
      { DATA_DIR: '/tmp/there-is-no-such-folder' },
      {
        out: () => undefined,
        error: (line) => error.push(line),
      },
    );
    expect(code).toBe(1);
    expect(error.join('')).toContain('npm start');
  });

  test('a password is 26 characters of base32', () => {
    expect(newToken()).toMatch(/^[a-z2-7]{26}$/);
  });
});
