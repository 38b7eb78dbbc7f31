import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../accounts/sessions.ts';
import { auditHead } from '../audit/audit.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { RecordMaker } from '../testing/records.ts';
import { removeDemo } from './remove.ts';
import { demoOrganisationId } from './tenancy.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const count = async (
  table: 'accounts' | 'sites' | 'organisations' | 'loggers' | 'devices' | 'logger_keys',
): Promise<number> => {
  const { db } = portal.server.stores;
  const { n } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
};

test('the demonstration goes wholly, also after people have worked with it, and what is not its own stays', async () => {
  const { db, telemetry } = portal.server.stores;
  const records = await RecordMaker.open(db);
  for (const kind of [
    'apiKey',
    'channel',
    'session',
    'deletion',
    'migration',
    'department',
    'permissionGroup',
  ] as const) {
    await records.make(kind, 'admin', 'own');
  }
  await db
    .insertInto('departments')
    .values({ organisation_id: demoOrganisationId('installer'), parent_id: null, name: 'Service' })
    .execute();
  await db
    .insertInto('permission_groups')
    .values({ organisation_id: demoOrganisationId('installer'), name: 'Service', type: 'role', department_id: null })
    .execute();
  const view = await portal.sessionOf('admin');
  await db
    .updateTable('sessions')
    .set({ view_level: 2, view_organisation_id: demoOrganisationId('installer') })
    .where('token_hash', '=', hashToken(view))
    .execute();
  const own = await records.make('account', 'agent', 'own');
  const entries = (await auditHead(db)).id;

  await removeDemo(db, telemetry.client, pino({ level: 'silent' }));

  expect(await db.selectFrom('accounts').select('id').execute()).toEqual([{ id: own }]);
  expect([await count('sites'), await count('loggers'), await count('devices')]).toEqual([0, 0, 0]);
  expect(await count('logger_keys')).toBe(0);
  const kept = await db.selectFrom('organisations').select('id').execute();
  expect(kept.map(({ id }) => id)).not.toContain(demoOrganisationId('installer'));
  expect(kept.map(({ id }) => id)).toContain(demoOrganisationId('agent'));
  expect((await auditHead(db)).id).toBe(entries + 1);
});
