import { errno } from '@sonnenwarte/contract/errors';
import {
  MIGRATION_CODE_ALPHABET,
  migrationEndpoints,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { startTransfers } from '../testing/transfers-fixture.ts';

const { portal, db, token, idOf, codeFor, enter, undo, rows } = await startTransfers();
afterAll(() => portal.stop());

describe('the code', () => {
  test('has six characters without look-alikes and is taken in small letters too', async () => {
    const { codeID, code, expiresAtMs } = await codeFor('owner', 'buyer');
    expect(code).toMatch(new RegExp(`^[${MIGRATION_CODE_ALPHABET}]{6}$`));
    expect(expiresAtMs).toBeGreaterThan(Date.now());
    const done = await enter(codeID, ` ${code.toLowerCase()} `);
    expect(done.errno).toBe(0);
    await undo(done.result?.migrationID ?? '');
  });

  const inconsistent = { errno: errno.migrationCodeInvalid, msg: 'The entered codes are inconsistent', result: null };

  test('must match, may be tried again, and is good for one transfer', async () => {
    const before = await rows();
    const { codeID, code } = await codeFor('owner', 'buyer');
    const wrong = code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    expect(await enter(codeID, wrong)).toMatchObject(inconsistent);
    expect(await rows()).toBe(before);
    const done = await enter(codeID, code);
    expect(done.errno).toBe(0);
    expect(await enter(codeID, code)).toMatchObject(inconsistent);
    await undo(done.result?.migrationID ?? '');
  });

  test('is of the administrator to whom it was shown, and of no code that does not exist', async () => {
    await sql`insert into accounts (username, email, password_hash, level, organisation_id, leads)
      select 'admin-b', 'admin-b@example.com', '-', 255, organisation_id, true from accounts where username = 'admin'`.execute(
      db,
    );
    const { codeID, code } = await codeFor('owner', 'buyer');
    expect(await enter(codeID, code, await portal.sessionOf('admin-b'))).toMatchObject(inconsistent);
    expect(await enter('11111111-1111-4111-8111-111111111111', code)).toMatchObject(inconsistent);
  });

  test('expires', async () => {
    const { codeID, code } = await codeFor('owner', 'buyer');
    await db
      .updateTable('migration_codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', codeID)
      .execute();
    expect(await enter(codeID, code)).toMatchObject(inconsistent);
  });

  test('holds for what was shown: a plant more, or another organisation of the target, refuses it', async () => {
    const third = await db.selectFrom('sites').select('id').orderBy('key').offset(2).executeTakeFirstOrThrow();
    const owns = (owner_account_id: string | null) =>
      db.updateTable('sites').set({ owner_account_id }).where('id', '=', third.id).execute();
    const first = await codeFor('owner', 'buyer');
    await owns(idOf('owner'));
    expect((await enter(first.codeID, first.code)).errno).toBe(errno.migrationSitesChanged);
    await owns(null);

    const second = await codeFor('owner', 'buyer');
    const livesIn = (organisation: 'installer-2' | 'installer-3') =>
      db
        .updateTable('accounts')
        .set({ organisation_id: demoOrganisationId(organisation) })
        .where('username', '=', 'buyer')
        .execute();
    await livesIn('installer-3');
    expect((await enter(second.codeID, second.code)).errno).toBe(errno.migrationSitesChanged);
    await livesIn('installer-2');
  });

  test('is not made for something else than what was seen', async () => {
    const made = await portal.call(
      migrationEndpoints.makeCode,
      { sourceID: idOf('owner'), targetID: idOf('buyer'), seen: 'x' },
      { token },
    );
    expect(made.errno).toBe(errno.migrationSitesChanged);
  });
});
