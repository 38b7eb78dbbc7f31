import type { ClickHouseClient } from '@clickhouse/client';
import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../stores/schema.ts';
import { restore } from '../tenancy/moves.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto } from '../testing/row-locks.ts';
import { recordDeletion } from './deletions.service.ts';
import { removeOrganisation } from './organisation-removal.ts';
import { purgeDeletions } from './purge.job.ts';

const DAY_MS = 86_400_000;
const PLANTS = 2_500;
const PART = 1_000;
let portal: TestPortal;
let admin: string;
let installer: string;
let made = 0;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
});
afterAll(() => portal?.stop());

const db = () => portal.server.stores.db;

/** An installer whose plants have a datalogger with a device each, the n-th of them with the n-th smallest id. */
beforeEach(async () => {
  const first = made;
  made += PLANTS;
  const { rows } = await sql<{ id: string }>`
    insert into organisations (id, parent_id, kind, name, country, path)
    select made.id, platform.id, 'installer', 'Many', 'DE', platform.path || made.id
    from organisations platform, (select gen_random_uuid() as id) made where platform.kind = 'platform' returning id`.execute(
    db(),
  );
  installer = rows[0]?.id ?? '';
  await sql`
    with plants as (
      insert into sites (organisation_id, name, type, country, city, time_zone, system_size_kwp, feed_in_price, purchase_price)
      select ${installer}, 'Many ' || n, 1, 'DE', 'Ulm', 'Europe/Berlin', 5, 0.08, 0.3
      from generate_series(1, ${PLANTS}::int) n returning id, organisation_id),
    told as (
      insert into loggers (sn, site_id, organisation_id)
      select (700000000000000 + ${first}::bigint + row_number() over (order by id))::text, id, organisation_id from plants
      returning id, site_id, sn)
    insert into devices (sn, logger_id, site_id, kind) select 'M' || sn, id, site_id, 'inverter' from told`.execute(
    db(),
  );
});

const remove = async (): Promise<string> => {
  const answer = await portal.call(organisationEndpoints.remove, { id: installer }, { token: admin });
  expect(answer).toMatchObject({ errno: 0 });
  return answer.result.deletionID;
};
const undo = (id: string) => portal.call(deletionEndpoints.undo, { id }, { token: admin });

/** The same database, counting what its statements answer. */
function counted(): { readonly counting: Kysely<Database>; readonly most: () => number } {
  let most = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      most = Math.max(most, result.rows.length);
      return result;
    },
  };
  return { counting: db().withPlugin(plugin), most: () => most };
}

const purgeWith = (telemetry: ClickHouseClient, on = db(), days = 31) =>
  purgeDeletions(
    { db: on, telemetry, logger: pino({ level: 'silent' }), ending: new AbortController().signal },
    Date.now() + days * DAY_MS,
  );
const purge = (on = db(), days = 31) => purgeWith(portal.server.stores.telemetry.client, on, days);

const attached = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from loggers join sites on sites.id = loggers.site_id
    where sites.organisation_id = ${installer}`.execute(db());
  return rows[0]?.count ?? 0;
};

describe('an installer with many plants', () => {
  test('is deleted, restored and purged without its plants passing through the server: no answer of the database grows with them', async () => {
    const { counting, most } = counted();
    const { rows: before } = await sql`select * from sites where organisation_id = ${installer} order by id`.execute(
      db(),
    );
    const organisation = await db()
      .selectFrom('organisations')
      .select(['id', 'parent_id', 'kind', 'name', sql<string[]>`path::text[]`.as('path')])
      .where('id', '=', installer)
      .executeTakeFirstOrThrow();
    const removed = () =>
      counting.transaction().execute(async (tx) => {
        const { change, consequences } = await removeOrganisation(tx, organisation, new Date());
        expect(consequences.sites).toBe(PLANTS);
        return recordDeletion(
          tx,
          {},
          {
            kind: 'organisation',
            recordId: installer,
            recordName: 'Many',
            organisationPath: organisation.path,
            change,
          },
        );
      });
    const { deletionID } = await removed();
    await counting.transaction().execute((tx) => restore(tx, deletionID));
    const { rows: after } = await sql`select * from sites where organisation_id = ${installer} order by id`.execute(
      db(),
    );
    expect(after).toEqual(before);
    await db().deleteFrom('deletions').where('id', '=', deletionID).execute();

    await removed();
    await purge(counting);
    await purge(counting, 32);
    expect(await db().selectFrom('sites').select('id').where('organisation_id', '=', installer).execute()).toEqual([]);
    expect(most()).toBe(PART);
  });

  test('is purged in parts: while one waits, those before it are done; it cannot be undone then, and the next run goes on', async () => {
    const id = await remove();
    const { rows: plants } = await sql<{ id: string }>`
      select id from sites where organisation_id = ${installer} order by id`.execute(db());
    const last = plants.at(-1)?.id ?? '';
    const answer = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select from devices where site_id = ${last} for update`.execute(tx);
        const waiting = await callInto(db(), () => purge());
        expect(await attached()).toBe(PLANTS - 2 * PART);
        expect(await undo(id)).toMatchObject({ errno: errno.deletionNotFound });
        const gone = expect(waiting.answer).rejects.toThrow();
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(tx);
        return gone;
      });
    await answer;
    expect(await attached()).toBe(PLANTS - 2 * PART);
    expect(await undo(id)).toMatchObject({ errno: errno.deletionNotFound });
    await purge();
    expect(await attached()).toBe(0);
    await purge(db(), 32);
    expect(await db().selectFrom('organisations').select('id').where('id', '=', installer).execute()).toEqual([]);
    expect(await db().selectFrom('row_images').select('row_id').where('change_id', '=', id).execute()).toEqual([]);
  });

  test('leaves no figures to be made anew when it is purged', async () => {
    await remove();
    await purge();
    const { rows } = await sql`
      select from recalculations join sites on sites.id = site_id where organisation_id = ${installer}`.execute(db());
    expect(rows).toEqual([]);
    await purge(db(), 32);
  });

  test('keeps in mind what it recorded until that is removed as well, also where the telemetry store fails meanwhile', async () => {
    const { client } = portal.server.stores.telemetry;
    const { key } = await db()
      .selectFrom('sites')
      .select('key')
      .where('organisation_id', '=', installer)
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const recorded = async () => {
      const answer = await client.query({
        query: `SELECT site FROM site_day WHERE site = ${key}`,
        format: 'JSONEachRow',
      });
      return (await answer.json<unknown>()).length;
    };
    await client.command({ query: `INSERT INTO site_day (site, day) VALUES (${key}, '2026-01-01')` });
    await remove();
    const failing = new Proxy(client, {
      get: (target, name) => {
        if (name === 'command') return () => Promise.reject(new Error('the telemetry store is away'));
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await purgeWith(failing);
    expect(await recorded()).toBe(1);
    await purge();
    expect(await recorded()).toBe(0);
    expect(await db().selectFrom('telemetry_to_clear').select('key').execute()).toEqual([]);
  });
});

test('each reference to another row can be looked up by an index, so that a row goes without reading the whole table', async () => {
  const { rows } = await sql<{ reference: string }>`
    select c.conrelid::regclass || '.' || a.attname as reference from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indisvalid
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
    order by 1`.execute(db());
  expect(rows).toEqual([]);
});
