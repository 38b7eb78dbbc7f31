import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Endpoint, ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno } from '@sonnenwarte/contract/errors';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { siteFields } from '@sonnenwarte/contract/sites/site';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../stores/schema.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { unzip } from '../testing/unzip.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

async function exported(endpoint: Endpoint, input: object, user: string, lang = 'en') {
  const response = await portal.fetch(endpoint, input, { token: await portal.sessionOf(user), lang });
  return { response, file: Buffer.from(await response.arrayBuffer()) };
}

/** What of a plant's newest values is not looked at here. */
const nothing = {
  ts: null,
  external_w: null,
  battery_w: null,
  grid_w: null,
  load_w: null,
  charger_w: null,
  inverter_ac_w: null,
  battery_capacity_wh: null,
  local_day: null,
  today_wh: null,
  month_wh: null,
  history_percent: null,
};

const linesOf = (file: Buffer): string[] => file.toString('utf8').slice(1).trimEnd().split('\r\n');

describe('the export of a list', () => {
  test('holds the rows that the list shows to this caller, all of them', async () => {
    for (const user of ['owner', 'installer', 'agent', 'distributor', 'admin']) {
      const token = await portal.sessionOf(user);
      const list = await portal.call(siteEndpoints.list, { pageSize: 50 }, { token });
      const { file } = await exported(siteEndpoints.exportList, { columns: ['name'] }, user);
      const names = list.result?.plants.map(({ name }) => name) ?? [];
      expect(names.length).toBeGreaterThan(0);
      expect(linesOf(file)).toEqual(['Name', ...names]);
    }
  });

  test('of an integrator holds the devices granted to it', async () => {
    const token = await portal.sessionOf('integrator');
    const list = await portal.call(deviceEndpoints.list, { pageSize: 50 }, { token });
    const { file } = await exported(deviceEndpoints.exportList, { columns: ['deviceSN'] }, 'integrator');
    expect(linesOf(file).slice(1)).toEqual(list.result?.devices.map(({ deviceSN }) => deviceSN));
  });

  test('follows filter, order and columns, and reads on over many pages', async () => {
    const { db } = portal.server.stores;
    const { organisation_id } = await db.selectFrom('sites').select('organisation_id').executeTakeFirstOrThrow();
    await db
      .insertInto('sites')
      .values(
        Array.from({ length: 2_345 }, (_, index) => ({
          organisation_id,
          name: `Many ${String(index).padStart(4, '0')}`,
          country: 'DE',
          city: index === 7 ? '=cmd|calc' : 'Ulm',
          time_zone: 'Europe/Berlin',
          system_size_kwp: 1.5,
          currency: 'EUR',
          arrays: '[]',
        })),
      )
      .execute();
    const { file, response } = await exported(
      siteEndpoints.exportList,
      {
        columns: ['systemCapacity', 'name', 'city', 'country'],
        condition: { content: 'Many ', contentType: 2 },
        sort: { field: 'name', order: 'desc' },
      },
      'admin',
      'de',
    );
    const lines = linesOf(file);
    expect(lines).toHaveLength(2_346);
    expect(new Set(lines).size).toBe(2_346);
    expect(lines[0]).toBe('Anlagenleistung (kWp);Name;Ort;Land');
    expect(lines[1]).toBe('1,5;Many 2344;Ulm;Deutschland');
    expect(lines.at(-8)).toBe("1,5;Many 0007;'=cmd|calc;Deutschland");
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Anlagen-\d{4}-\d\d-\d\d\.csv"/);
  });

  test('holds every row once in every order, equal and unknown values included', async () => {
    const { db } = portal.server.stores;
    const many = await db.selectFrom('sites').select(['id', 'name']).where('name', 'like', 'Many %').execute();
    await db
      .insertInto('site_latest')
      .values(
        many
          .filter((_, index) => index % 3 > 0)
          .map(({ id }, index) => ({
            ...nothing,
            site_id: id,
            ts: new Date(Date.now() - (index % 5) * 1_000),
            pv_w: index % 7 === 0 ? null : index % 4,
            total_wh: (index % 11) / 3,
            soc_percent: null,
            pv_marks: 0,
          })),
      )
      .onConflict((conflict) =>
        conflict.column('site_id').doUpdateSet(({ ref }) => ({
          ts: ref('excluded.ts'),
          pv_w: ref('excluded.pv_w'),
          total_wh: ref('excluded.total_wh'),
        })),
      )
      .execute();
    for (const field of sortFieldsOf(siteFields))
      for (const order of ['asc', 'desc'] as const) {
        const { file } = await exported(
          siteEndpoints.exportList,
          { columns: ['name'], condition: { content: 'Many ', contentType: 2 }, sort: { field, order } },
          'admin',
        );
        const names = linesOf(file).slice(1);
        const listed = await portal.call(
          siteEndpoints.list,
          { pageSize: 50, currentPage: 2, condition: { content: 'Many ', contentType: 2 }, sort: { field, order } },
          { token: await portal.sessionOf('admin') },
        );
        expect(names, `${field} ${order}`).toHaveLength(many.length);
        expect(new Set(names).size, `${field} ${order}`).toBe(many.length);
        expect(names.slice(50, 100), `${field} ${order}`).toEqual(listed.result?.plants.map(({ name }) => name));
      }
    await db.deleteFrom('sites').where('name', 'like', 'Many %').execute();
  });

  test('rounds each quantity to the decimals of its unit, says how it came about, and adds up within the rounding', async () => {
    const { db } = portal.server.stores;
    const sites = await db.selectFrom('sites').select(['id', 'name']).where('demo', '=', true).execute();
    const exactWh = sites.map((_, index) => 12_158.4169999999 + index * 1_000.1000000003);
    for (const [index, { id }] of sites.entries()) {
      const figures = {
        total_wh: exactWh[index] ?? 0,
        soc_percent: 55.0249999999,
        pv_w: 177.25000000035,
        pv_marks: 16,
        ts: new Date(),
        state: 'normal' as const,
      };
      await db
        .insertInto('site_latest')
        .values({ ...nothing, site_id: id, ...figures })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(figures))
        .execute();
    }
    const columns = ['totalWh', 'socPercent', 'pvPowerW'];
    const { file } = await exported(siteEndpoints.exportList, { columns, condition: { content: '' } }, 'distributor');
    const [header, ...rows] = linesOf(file).map((line) => line.split(','));
    expect(header).toEqual(['Total (kWh)', 'Total (quality)', 'SoC (%)', 'PV now (kW)']);
    const known = rows.filter(([kWh]) => kWh !== '');
    expect(known.length).toBeGreaterThan(3);
    for (const [kWh, quality, soc, power] of known) {
      expect(kWh).toMatch(/^\d+(\.\d{1,2})?$/);
      expect([quality, soc, power]).toEqual(['Estimated', '55', '0.18']);
    }
    const { result } = await portal.call(
      siteEndpoints.list,
      { pageSize: 50, sort: { field: 'totalWh', order: 'desc' } },
      { token: await portal.sessionOf('distributor') },
    );
    const listedWh = (result?.plants ?? []).reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0);
    const filedKWh = known.reduce((sum, [kWh]) => sum + Number(kWh), 0);
    expect(Math.abs(filedKWh - listedWh / 1_000)).toBeLessThanOrEqual(known.length * 0.005);
    for (const { totalWh } of result?.plants ?? [])
      if (totalWh !== null) expect(String(totalWh)).toMatch(/^\d+(\.\d{1,3})?$/);
  });

  test('is a workbook where one is asked for', async () => {
    const { file, response } = await exported(
      siteEndpoints.exportList,
      { format: 'xlsx', columns: ['name', 'systemCapacity'] },
      'owner',
    );
    expect(response.headers.get('content-disposition')).toMatch(/\.xlsx"/);
    expect(unzip(file).get('xl/worksheets/sheet1.xml')).toMatch(
      /<row>.*System size.*<\/row><row>.*<c s="5"><v>[\d.]+<\/v><\/c><\/row>/,
    );
  });

  const files = allEndpoints.filter((each): each is typeof each & { fileOf: ListEndpoint } => 'fileOf' in each);
  test.each(files)(
    'of $path has a heading and a name in the language of its reader for every field of the list',
    async (endpoint) => {
      const fields = Object.keys(endpoint.fileOf.list.fields);
      const { file, response } = await exported(endpoint, { columns: fields }, 'admin', 'de');
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(linesOf(file)[0]?.split(';').length).toBeGreaterThanOrEqual(fields.length);
      expect(`${linesOf(file)[0]} ${response.headers.get('content-disposition')}`).not.toMatch(
        /\.field\.|list\.title|routes\./,
      );
    },
  );

  test.each([
    ['an unknown column', { columns: ['password_hash'] }],
    ['a column twice', { columns: ['name', 'name'] }],
    ['no column', { columns: [] }],
    ['an unknown format', { columns: ['name'], format: 'exe' }],
  ])('refuses %s', async (_, input) => {
    const { response, file } = await exported(siteEndpoints.exportList, input, 'admin');
    expect(response.headers.has('content-disposition')).toBe(false);
    expect(JSON.parse(file.toString())).toMatchObject({ errno: errno.refusedInput });
  });
});

describe('files of one account', () => {
  const asked = { columns: ['name'], condition: { content: 'Many ', contentType: 2 } };
  const numberOf = async (response: Response) => ((await response.json()) as { errno: number }).errno;

  /** Holds up whatever reads plants until `during` has ended. */
  const whilePlantsWait = (during: () => Promise<void>) =>
    portal.server.stores.db.transaction().execute(async (tx) => {
      await sql`lock table site_latest in access exclusive mode`.execute(tx);
      await during();
    });

  /** Of each file the rows and their number are asked for side by side. */
  const untilBegun = (files: number) =>
    expect.poll(() => waiting(portal.server.stores.db), { timeout: 10_000 }).toBeGreaterThanOrEqual(2 * files);

  test('are made two at once, whichever they are; a third is refused, another account’s is not', async () => {
    const [token, again, other] = await Promise.all(['admin', 'admin', 'agent'].map((user) => portal.sessionOf(user)));
    const begin = (endpoint: Endpoint, session = '') => portal.fetch(endpoint, asked, { token: session });
    let begun: Promise<Response>[] = [];
    await whilePlantsWait(async () => {
      begun = [siteEndpoints.exportList, siteEndpoints.exportList].map((endpoint) => begin(endpoint, token));
      await untilBegun(2);
      expect(await numberOf(await begin(siteEndpoints.exportList, again))).toBe(errno.tooManyFiles);
      expect(await numberOf(await begin(deviceEndpoints.exportList, again))).toBe(errno.tooManyFiles);
      begun.push(begin(siteEndpoints.exportList, other));
      await untilBegun(3);
    });
    for (const response of await Promise.all(begun)) {
      expect(response.headers.get('content-type')).toContain('text/csv');
      await response.text();
    }
    const next = await begin(siteEndpoints.exportList, token);
    expect(next.headers.get('content-type')).toContain('text/csv');
    await next.text();
  });

  test('that are left or refused leave their place to others', async () => {
    const token = await portal.sessionOf('admin');
    const leaving = new AbortController();
    let left: Promise<unknown>[] = [];
    await whilePlantsWait(async () => {
      left = [1, 2].map(() =>
        portal.fetch(siteEndpoints.exportList, asked, { token, signal: leaving.signal }).catch(() => undefined),
      );
      await untilBegun(2);
      leaving.abort();
      await Promise.all(left);
    });
    for (let number = 0; number < 3; number += 1) {
      const refused = await portal.fetch(siteEndpoints.exportList, { columns: [] }, { token });
      await refused.text();
    }
    await expect
      .poll(async () => {
        const response = await portal.fetch(siteEndpoints.exportList, asked, { token });
        await response.arrayBuffer();
        return response.headers.get('content-type');
      })
      .toContain('text/csv');
  });
});

/** How many statements wait for a lock on plants. */
async function waiting(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
    where relation = 'site_latest'::regclass and not granted`.execute(db);
  return rows[0]?.count ?? 0;
}
