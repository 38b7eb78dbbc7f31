import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../accounts/sessions.ts';
import type { Stores } from '../stores/stores.ts';
import { makeOrganisation, makePlant, startTestStores } from '../testing/ingestion.ts';
import { completeRestore } from './after-restore.ts';
import { RESTORED_FILE, type RestoredFile } from './manifest.ts';

let stores: Stores & { dataDir: string };

beforeAll(async () => {
  stores = await startTestStores();
});

afterAll(async () => {
  await stores?.stop();
});

const note: RestoredFile = {
  madeAt: '2026-07-01T12:00:00.000Z',
  moment: '2026-07-01T12:00:05.000Z',
  portal: '0.1.0',
  keys: null,
  restoredAt: '2026-07-02T08:00:00.000Z',
  withDatabase: true,
  file: 'monday.backup',
};

async function complete(restored: RestoredFile): Promise<void> {
  writeFileSync(join(stores.dataDir, RESTORED_FILE), JSON.stringify(restored));
  await completeRestore(stores.db, stores.dataDir);
}

const siteKey = async () => (await makePlant(stores.db)).siteKey;

test('a key under which telemetry may lie already is never given out again', async () => {
  const newest = await siteKey();
  await complete({ ...note, keys: { sites: newest + 40, devices: 0 } });
  expect(await siteKey()).toBe(newest + 41);
  await complete({ ...note, keys: { sites: newest, devices: 0 } });
  expect(await siteKey()).toBe(newest + 42);
});

test('sessions of that time end, once, and the audit log says why', async () => {
  const { db, dataDir } = stores;
  const { id } = await db
    .insertInto('accounts')
    .values({
      organisation_id: await makeOrganisation(db),
      username: 'restored',
      email: 'restored@example.org',
      password_hash: '',
      level: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const open = () => openSession(db, id, { address: '', userAgent: '' });
  const ended = () =>
    db.selectFrom('sessions').select('ended_at').where('account_id', '=', id).orderBy('created_at').execute();
  await open();
  await complete(note);
  await open();
  await completeRestore(db, dataDir);
  expect((await ended()).map(({ ended_at }) => ended_at !== null)).toEqual([true, false]);
  expect(existsSync(join(dataDir, RESTORED_FILE))).toBe(false);
  const entry = await db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    action: 'platform.restore',
    after: { takenAt: note.moment, file: note.file },
  });
});

test('with a database that was restored by its own tools, sessions go on', async () => {
  const live = () => stores.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute();
  const before = await live();
  expect(before.length).toBeGreaterThan(0);
  await complete({ ...note, withDatabase: false });
  expect(await live()).toEqual(before);
});
