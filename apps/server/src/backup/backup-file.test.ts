import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf } from '../testing/thoroughness.ts';
import { archiveOf, folderMember, MANIFEST, type Member, readArchive, textMember } from './archive.ts';
import { DamagedBackupError, openBackup, writeBackup } from './backup-file.ts';
import { verifyBackup } from './restore-backup.ts';

const PASSPHRASE = 'a long enough passphrase';
const madeAt = new Date('2026-07-01T12:00:00Z');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-backup-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = {
  madeAt: madeAt.toISOString(),
  moment: madeAt.toISOString(),
  portal: '1.2.3',
  node: '24',
  platform: 'linux-x64',
  database: null,
  telemetry: null,
  files: 0,
  keys: null,
  counts: {},
};

async function* all(members: readonly Member[]): AsyncGenerator<Member> {
  yield* members;
  yield textMember(MANIFEST, JSON.stringify(manifest));
}

let files = 0;
async function write(members: readonly Member[], passphrase?: string): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.backup`);
  const { signal } = new AbortController();
  await writeBackup(file, archiveOf(all(members)), { passphrase, madeAt, signal });
  return file;
}

async function read(file: string, passphrase?: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const backup = await openBackup(file, passphrase);
  await readArchive(
    backup.archive(() => undefined),
    async ({ name, kind, target = '', content }) => {
      const parts: Buffer[] = [];
      for await (const part of content) parts.push(part);
      found.set(name, kind === 'link' ? Buffer.from(target) : Buffer.concat(parts));
    },
  );
  return found;
}

const verify = (file: string, passphrase?: string) => verifyBackup(file, passphrase, () => undefined);

const names = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9äß 日._-]{1,60}$/), { minLength: 1, maxLength: 6 })
  .filter((parts) => parts.every((part) => part !== '.' && part !== '..'))
  .map((parts) => parts.join('/'));

describe.each([
  ['plain', undefined],
  ['encrypted', PASSPHRASE],
] as const)('a backup that is %s', (_, passphrase) => {
  test('gives back every file of any name and length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(names, fc.integer({ min: 0, max: 200_000 })), {
          maxLength: 8,
          selector: ([name]) => name,
        }),
        async (wanted) => {
          const contents = new Map(wanted.map(([name, bytes]) => [name, randomBytes(bytes)]));
          const file = await write(
            [...contents].map(([name, content]) => textMember(name, content)),
            passphrase,
          );
          const found = await read(file, passphrase);
          expect([...found.keys()]).toEqual([...contents.keys()]);
          for (const [name, content] of contents) expect(found.get(name)?.equals(content)).toBe(true);
          await verify(file, passphrase);
        },
      ),
      { numRuns: passphrase === undefined ? casesOf(10, 40) : casesOf(3, 8) },
    );
  });

  test('is refused with any byte altered, and wherever it is cut off', async () => {
    const file = await write([textMember('a', randomBytes(150_000)), textMember('b', 'x'.repeat(5_000))], passphrase);
    const whole = readFileSync(file);
    const spoilt = join(folder, 'spoilt');
    const at = fc.oneof(
      fc.integer({ min: 0, max: whole.length - 1 }),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: whole.length - 100, max: whole.length - 1 }),
    );
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 1, max: 255 }), fc.boolean(), async (place, change, isCut) => {
        const bytes = Buffer.from(isCut ? whole.subarray(0, place) : whole);
        if (!isCut) bytes[place] = (bytes[place] ?? 0) ^ change;
        writeFileSync(spoilt, bytes);
        await expect(verify(spoilt, passphrase)).rejects.toBeInstanceOf(DamagedBackupError);
      }),
      { numRuns: passphrase === undefined ? casesOf(50, 150) : casesOf(8, 25) },
    );
  });

  test('can be read by its owner only, and lies there under its name only when it is whole', async () => {
    const file = await write([textMember('a', 'b')], passphrase);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const broken = join(folder, 'broken.backup');
    const failing = (async function* () {
      yield randomBytes(1_000_000);
      throw new Error('the disk is gone');
    })();
    const { signal } = new AbortController();
    await expect(writeBackup(broken, failing, { passphrase, madeAt, signal })).rejects.toThrow('the disk is gone');
    expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([]);
  });
});

test('an encrypted backup shows nothing of its content, and opens with its passphrase only', async () => {
  const file = await write([textMember('secret-name', 'secret content '.repeat(1_000))], PASSPHRASE);
  expect(readFileSync(file).toString('latin1')).not.toMatch(/secret|ustar/);
  await expect(verify(file)).rejects.toThrow('It is encrypted');
  await expect(verify(file, 'another passphrase')).rejects.toThrow('the passphrase is not the one of this backup');
});

test('chunks of an encrypted backup cannot change places', async () => {
  const file = await write([textMember('a', randomBytes(400_000))], PASSPHRASE);
  const bytes = readFileSync(file);
  const sealedBytes = 64 * 1024 + 16;
  const start = 8 + bytes.readUInt32LE(4);
  const [one, other] = [0, 1].map((at) =>
    Buffer.from(bytes.subarray(start + at * sealedBytes, start + (at + 1) * sealedBytes)),
  );
  other?.copy(bytes, start);
  one?.copy(bytes, start + sealedBytes);
  writeFileSync(file, bytes);
  await expect(read(file, PASSPHRASE)).rejects.toBeInstanceOf(DamagedBackupError);
});

const file = (name: string): Member => textMember(name, 'x');
const link = (name: string, target: string): Member => ({ ...folderMember(name), kind: 'link', name, target });

test.each([
  ['an absolute name', file('/etc/passwd')],
  ['a name above the folder', file('a/../../b')],
  ['a link to above the folder', link('a/b', '../../c')],
  ['an absolute link', link('a', '/etc')],
])('%s is refused', async (_, member) => {
  await expect(verify(await write([member]))).rejects.toThrow('leads out of the folder');
});

test('a link within the folder is kept, however deep it lies', async () => {
  const deep = `${'deep/'.repeat(30)}link`;
  const target = `${'../'.repeat(30)}${'far/'.repeat(30)}table`;
  expect((await read(await write([link(deep, target)]))).get(deep)?.toString()).toBe(target);
});

test('what is no backup is called so', async () => {
  const other = join(folder, 'other');
  writeFileSync(other, randomBytes(10_000));
  await expect(verify(other)).rejects.toThrow('It is no backup of Sonnenwarte');
  writeFileSync(other, '');
  await expect(verify(other)).rejects.toThrow('It is no backup of Sonnenwarte');
});
