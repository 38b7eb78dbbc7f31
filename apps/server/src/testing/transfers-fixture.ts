import { migrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { startTestPortal } from './portal.ts';

/** A portal with accounts to move plants between, and what its administrator can do there. */
export async function startTransfers() {
  const portal = await startTestPortal();
  const { db } = portal.server.stores;
  const platform = await db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  const account = (username: string, level: number, organisation_id: string, leads = false) => ({
    username,
    email: `${username}@example.com`,
    password_hash: '-',
    level,
    organisation_id,
    leads,
  });
  await db
    .insertInto('accounts')
    .values([
      account('buyer', 1, demoOrganisationId('installer-2')),
      account('far-buyer', 1, demoOrganisationId('installer-3')),
      account('free-buyer', 1, platform.id),
      account('installer-b', 2, demoOrganisationId('installer-3'), true),
      account('helper', 2, demoOrganisationId('installer-2')),
      account('neighbour', 1, demoOrganisationId('installer')),
      account('southerner', 1, demoOrganisationId('distributor-2')),
      account('distributor-south', 4, demoOrganisationId('distributor-2'), true),
    ])
    .execute();
  const ids = new Map<string, string>();
  for (const { id, username } of await db.selectFrom('accounts').select(['id', 'username']).execute())
    ids.set(username, id);
  const idOf = (user: string): string => ids.get(user) ?? '';
  const token = await portal.sessionOf('admin');

  const preview = (source: string, target: string) =>
    portal.call(migrationEndpoints.preview, { sourceID: idOf(source), targetID: idOf(target) }, { token });

  async function codeFor(source: string, target: string, by = token) {
    const shown = await preview(source, target);
    expect(shown.errno).toBe(0);
    const made = await portal.call(
      migrationEndpoints.makeCode,
      { sourceID: idOf(source), targetID: idOf(target), seen: shown.result?.seen ?? '' },
      { token: by },
    );
    expect(made.errno).toBe(0);
    return made.result ?? { codeID: '', code: '', expiresAtMs: 0 };
  }

  const enter = (codeID: string, code: string, by = token) =>
    portal.call(migrationEndpoints.transfer, { codeID, code }, { token: by });

  async function transferred(source: string, target: string) {
    const { codeID, code } = await codeFor(source, target);
    const done = await enter(codeID, code);
    expect(done.errno).toBe(0);
    return done.result?.migrationID ?? '';
  }

  const undo = (migrationID: string) => portal.call(migrationEndpoints.undo, { migrationID }, { token });

  /** Everything that a transfer touches, row by row. */
  async function rows(): Promise<string> {
    const all = await Promise.all(
      ['sites', 'loggers', 'accounts', 'organisations', 'devices', 'site_shares', 'device_grants'].map((table) =>
        sql`select * from ${sql.table(table)} t order by t::text`.execute(db),
      ),
    );
    return JSON.stringify(all.map(({ rows: found }) => found));
  }

  const plantsOf = async (user: string): Promise<string[]> => {
    const answer = await portal.call(siteEndpoints.list, { pageSize: 50 }, { token: await portal.sessionOf(user) });
    return answer.result?.plants.map(({ stationID }) => stationID) ?? [];
  };

  return { portal, db, token, idOf, preview, codeFor, enter, transferred, undo, rows, plantsOf };
}
