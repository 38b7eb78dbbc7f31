import { deletionEndpoints as calls } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { purgeDeletions } from './purge.job.ts';

const DAY_MS = 86_400_000;
const missing = '11111111-1111-4111-8111-111111111111';
let portal: TestPortal;
let admin: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
});
afterAll(() => portal?.stop());

const as = (token: string) => ({ token });
const installer = demoOrganisationId('installer');
const db = () => portal.server.stores.db;
const plantsOf = async (user: string) =>
  (await portal.call(siteEndpoints.list, {}, as(await portal.sessionOf(user)))).result.total;
const remove = async (id: string) => {
  const answer = await portal.call(organisationEndpoints.remove, { id }, as(admin));
  expect(answer).toMatchObject({ errno: 0 });
  return answer.result.deletionID;
};
const undo = (id: string) => portal.call(calls.undo, { id }, as(admin));

/** Every row of tenancy, to compare before with after. */
async function rows(): Promise<unknown> {
  const { rows: all } = await sql<{ row: unknown }>`
    select to_jsonb(o) - 'updated_at' as row from organisations o
    union all select to_jsonb(a) - 'updated_at' from accounts a
    union all select to_jsonb(s) from sites s
    union all select to_jsonb(l) - 'online' - 'last_seen_at' from loggers l order by 1`.execute(db());
  return all;
}

describe('deleting an installer', () => {
  test('says what goes with it before it does', async () => {
    const { result } = await portal.call(organisationEndpoints.deletionPreview, { id: installer }, as(admin));
    expect(result).toMatchObject({ sites: 5, accounts: 1, endUsers: 1, goesTo: 'Sonnenwarte Demo Agentur' });
    expect(result.devices).toBeGreaterThan(5);
    expect(
      await portal.call(
        organisationEndpoints.remove,
        { id: installer, expected: { sites: 4, endUsers: 1, movedSites: 0 } },
        as(admin),
      ),
    ).toMatchObject({ errno: errno.consequencesChanged });
  });

  test('takes its plants with it, leaves its owners an organisation, and is undone to identical rows', async () => {
    const before = await rows();
    const session = await portal.sessionOf('installer');
    const id = await remove(installer);
    expect(await plantsOf('admin')).toBe(7);
    expect(await plantsOf('agent')).toBe(3);
    expect(await plantsOf('owner')).toBe(0);
    expect(await portal.call(siteEndpoints.list, {}, as(session))).toMatchObject({ errno: errno.sessionEnded });
    const { result } = await portal.call(calls.list, {}, as(admin));
    expect(result.deletions[0]).toMatchObject({
      id,
      kind: 'organisation',
      name: 'Sonnenwarte Demo Solartechnik',
      deletedBy: 'admin',
      summary: { organisations: 1, accounts: 1, sites: 5, movedAccounts: 1, movedSites: 0 },
      can: { undo: true },
    });
    expect(result.deletions[0]?.undoUntilMs).toBe((result.deletions[0]?.deletedMs ?? 0) + 30 * DAY_MS);
    expect(await undo(id)).toMatchObject({ errno: 0 });
    expect(await rows()).toEqual(before);
    expect(await plantsOf('installer')).toBe(5);
    expect((await undo(id)).errno).toBe(errno.deletionNotFound);
  });

  test('an undo is refused, and changes nothing, where a record changed since; it names the record', async () => {
    const id = await remove(installer);
    const owner = await db()
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'owner')
      .executeTakeFirstOrThrow();
    await db()
      .updateTable('accounts')
      .set({ organisation_id: demoOrganisationId('installer-2') })
      .where('id', '=', owner.id)
      .execute();
    const before = await rows();
    expect(await undo(id)).toMatchObject({
      errno: errno.changedSince,
      result: { obstacles: [{ kind: 'account', id: owner.id, name: 'owner' }] },
    });
    expect(await rows()).toEqual(before);
    await db()
      .updateTable('accounts')
      .set({ organisation_id: demoOrganisationId('agent') })
      .where('id', '=', owner.id)
      .execute();
    expect(await undo(id)).toMatchObject({ errno: 0 });
  });

  test('an undo is refused where the user name belongs to somebody else by then', async () => {
    const id = await remove(installer);
    const { result } = await portal.call(
      userManagementEndpoints.add,
      {
        level: 1,
        organisationID: demoOrganisationId('agent'),
        user: 'Installer',
        email: 'other@example.com',
        name: '',
        phone: '',
        country: '',
      },
      as(admin),
    );
    expect(await undo(id)).toMatchObject({
      errno: errno.nameTakenSince,
      result: { obstacles: [{ kind: 'account', name: 'installer' }] },
    });
    await portal.call(userManagementEndpoints.remove, { id: result.id }, as(admin));
    expect(await undo(id)).toMatchObject({ errno: 0 });
  });

  test('an undo is refused while the organisation above is deleted too, and works once that is back', async () => {
    const below = await remove(demoOrganisationId('installer-3'));
    const above = await remove(demoOrganisationId('agent-2'));
    expect(await undo(below)).toMatchObject({ errno: errno.placeGone });
    expect(await undo(above)).toMatchObject({ errno: 0 });
    expect(await undo(below)).toMatchObject({ errno: 0 });
    expect(await plantsOf('distributor')).toBe(10);
  });
});

describe('access', () => {
  test('an unknown deletion, one undone and one too old answer alike', async () => {
    const old = await remove(demoOrganisationId('installer-3'));
    await db()
      .updateTable('deletions')
      .set({ undo_until: new Date(Date.now() - 1) })
      .where('id', '=', old)
      .execute();
    expect(await undo(old)).toEqual(await undo(missing));
    await db()
      .updateTable('deletions')
      .set({ undo_until: new Date(Date.now() + DAY_MS) })
      .where('id', '=', old)
      .execute();
    expect(await undo(old)).toMatchObject({ errno: 0 });
  });

  test('is the administrator’s alone', async () => {
    const token = await portal.sessionOf('distributor');
    expect(await portal.call(calls.list, {}, as(token))).toMatchObject({ errno: errno.noPermission });
  });
});

describe('the purge', () => {
  const purge = (nowMs: number) =>
    purgeDeletions(
      {
        db: db(),
        telemetry: portal.server.stores.telemetry.client,
        logger: pino({ level: 'silent' }),
        ending: new AbortController().signal,
      },
      nowMs,
    );

  test('leaves what can still be undone; afterwards plants, people and organisations are gone, devices begin anew, the log stays', async () => {
    const id = await remove(installer);
    const devices = await db()
      .selectFrom('devices')
      .innerJoin('sites', 'sites.id', 'devices.site_id')
      .select(['devices.id', 'devices.key'])
      .where('sites.organisation_id', '=', installer)
      .execute();
    const logged = async () =>
      Number(
        (
          await sql<{
            n: string;
          }>`select count(*) as n from audit_log where record_name = 'Sonnenwarte Demo Solartechnik'`.execute(db())
        ).rows[0]?.n,
      );
    const loggedBefore = await logged();
    await purge(Date.now() + 29 * DAY_MS);
    expect((await portal.call(calls.list, {}, as(admin))).result.deletions.map((row) => row.id)).toContain(id);

    await purge(Date.now() + 31 * DAY_MS);
    expect((await portal.call(calls.list, {}, as(admin))).result.total).toBe(0);
    const person = await db()
      .selectFrom('accounts')
      .selectAll()
      .where('organisation_id', '=', installer)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(person)).not.toMatch(/installer|demo\.sonnenwarte/i);
    const now = await db()
      .selectFrom('devices')
      .select(['id', 'key', 'site_id'])
      .where(
        'id',
        'in',
        devices.map((device) => device.id),
      )
      .execute();
    expect(now.every(({ site_id }) => site_id === null)).toBe(true);
    const oldKeys = new Set(devices.map(({ key }) => key));
    expect(now.filter(({ key }) => oldKeys.has(key))).toEqual([]);

    await purge(Date.now() + 32 * DAY_MS);
    const left = await Promise.all([
      db().selectFrom('sites').select('id').where('organisation_id', '=', installer).execute(),
      db().selectFrom('accounts').select('id').where('organisation_id', '=', installer).execute(),
      db().selectFrom('organisations').select('id').where('id', '=', installer).execute(),
    ]);
    expect(left).toEqual([[], [], []]);
    const purged = await db()
      .selectFrom('audit_log')
      .select(['log', 'actor', 'after'])
      .where('action', '=', 'platform.purge')
      .where(sql`after ->> 'deletion'`, '=', id)
      .execute();
    expect(purged).toMatchObject([
      { log: 'platform', actor: '', after: { organisations: 1, sites: expect.any(Number) } },
    ]);
    expect(await logged()).toBe(loggedBefore);
    expect(await plantsOf('owner')).toBe(0);
    expect(await plantsOf('admin')).toBe(7);
  });
});
