import { errno } from '@sonnenwarte/contract/errors';
import { signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userCenterEndpoints as calls } from '@sonnenwarte/contract/user-center/user-center';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DemoOrganisation, demoOrganisationId } from '../demo/tenancy.ts';
import { platformId } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());
beforeEach(async () => {
  await db().deleteFrom('attempts').execute();
});

const db = () => portal.server.stores.db;
const installerName = 'Sonnenwarte Demo Solartechnik';
const codeOf = async (key: DemoOrganisation) =>
  (
    await db()
      .selectFrom('organisations')
      .select('sign_up_code')
      .where('id', '=', demoOrganisationId(key))
      .executeTakeFirstOrThrow()
  ).sign_up_code;

let made = 0;

/** Somebody who signed up without a code, signed in. */
async function freeOwner(): Promise<{ id: string; user: string; token: string }> {
  made += 1;
  const user = `joining-${made}`;
  const input = {
    role: 'endUser' as const,
    user,
    password: 'sun-and-wind',
    email: `${user}@example.com`,
    country: 'DE',
  };
  expect((await portal.call(signUpEndpoints.signUp, { ...input, termsAccepted: true })).errno).toBe(0);
  const { id } = await accountOf(user);
  return { id, user, token: await portal.sessionOf(user) };
}

const accountOf = (user: string) =>
  db().selectFrom('accounts').select(['id', 'organisation_id']).where('username', '=', user).executeTakeFirstOrThrow();
const placeOf = async (user: string) => (await accountOf(user)).organisation_id;
const join = (token: string, code: string) => portal.call(calls.joinInstaller, { code }, { token });
const check = (token: string, code: string) => portal.call(calls.checkInstaller, { code }, { token });
const wrong = { errno: errno.refusedInput, result: { fields: [{ path: 'code', reason: 'wrong' }] } };

describe('an end user without an installer', () => {
  test('joins one by its code, read out with spaces and dashes, with its plants and their dataloggers', async () => {
    const { id, user, token } = await freeOwner();
    const platform = await platformId(portal);
    const [site] = await db()
      .updateTable('sites')
      .set({ organisation_id: platform, owner_account_id: id })
      .where('organisation_id', '=', demoOrganisationId('installer-2'))
      .where('owner_account_id', 'is', null)
      .returning('id')
      .execute();
    const siteId = site?.id ?? '';
    await db().updateTable('loggers').set({ organisation_id: platform }).where('site_id', '=', siteId).execute();
    const owned = await db().selectFrom('sites').select('id').where('owner_account_id', '=', id).execute();
    const spoken = (await codeOf('installer')).toLowerCase().replace(/^(.{4})(.*)$/, '$1 - $2');

    expect(await portal.call(calls.installer, {}, { token })).toMatchObject({ errno: 0, result: { installer: null } });
    const shown = { installer: installerName, sites: owned.length };
    expect(await check(token, spoken)).toMatchObject({ errno: 0, result: shown });
    expect(await placeOf(user)).toBe(platform);
    expect(await join(token, spoken)).toMatchObject({ errno: 0, result: shown });

    expect(await placeOf(user)).toBe(demoOrganisationId('installer'));
    expect(await portal.call(calls.installer, {}, { token })).toMatchObject({ result: { installer: installerName } });
    const { result } = await portal.call(
      siteEndpoints.list,
      { pageSize: 50 },
      { token: await portal.sessionOf('installer') },
    );
    expect(result.plants.map(({ stationID }) => stationID)).toContain(siteId);
    const dataloggers = await db()
      .selectFrom('loggers')
      .select('organisation_id')
      .where('site_id', '=', siteId)
      .execute();
    expect(new Set(dataloggers.map(({ organisation_id }) => organisation_id))).toEqual(
      new Set([demoOrganisationId('installer')]),
    );
  });

  test('is recorded as who moved itself, for the installer and those above; the code is not kept', async () => {
    const { id, user, token } = await freeOwner();
    const code = await codeOf('installer');
    await join(token, code);
    const entry = await db()
      .selectFrom('audit_log')
      .select(['actor', 'before', 'after'])
      .select(sql<string[]>`organisation_path::text[]`.as('path'))
      .where('action', '=', 'user-management.move')
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      actor: user,
      before: { organisation: 'Sonnenwarte' },
      after: { organisation: installerName, sites: [] },
    });
    expect(entry.path).toContain(demoOrganisationId('agent'));
    expect(JSON.stringify(entry)).not.toContain(code);
  });

  test.each(['agent', 'distributor'] as const)('does not join the %s: its code is for installers', async (key) => {
    const { token } = await freeOwner();
    expect(await join(token, await codeOf(key))).toMatchObject(wrong);
  });

  test('is answered alike for an unknown code and that of a disabled installer', async () => {
    const { user, token } = await freeOwner();
    const unknown = await check(token, 'AAAAAAAAAA');
    expect(unknown).toMatchObject(wrong);
    const shut = (disabled_at: Date | null) =>
      db()
        .updateTable('organisations')
        .set({ disabled_at })
        .where('id', '=', demoOrganisationId('installer-2'))
        .execute();
    await shut(new Date());
    const answers = await Promise.all([check, join].map(async (call) => call(token, await codeOf('installer-2'))));
    await shut(null);
    expect(answers).toEqual([unknown, unknown]);
    expect(await placeOf(user)).toBe(await platformId(portal));
  });

  test('tries at most twenty codes an hour', async () => {
    const { user, token } = await freeOwner();
    for (let tried = 0; tried < 20; tried += 1) expect(await check(token, 'AAAAAAAAAA')).toMatchObject(wrong);
    expect(await join(token, await codeOf('installer'))).toMatchObject({ errno: errno.tryLater });
    expect(await placeOf(user)).toBe(await platformId(portal));
  });

  test('does not come to an installer that is deleted at the same time', async () => {
    const { user, token } = await freeOwner();
    const code = await codeOf('installer-2');
    const deleted = (deleted_at: Date | null) => ({ deleted_at });
    const joined = await changedDuring(
      db(),
      (tx) =>
        tx
          .updateTable('organisations')
          .set(deleted(new Date()))
          .where('id', '=', demoOrganisationId('installer-2'))
          .execute(),
      () => join(token, code),
    );
    await db().updateTable('organisations').set(deleted(null)).where('sign_up_code', '=', code).execute();
    expect(joined).toMatchObject(wrong);
    expect(await placeOf(user)).toBe(await platformId(portal));
  });

  test('joins one installer only, even with two codes at the same time', async () => {
    const { id, user, token } = await freeOwner();
    const codes = [await codeOf('installer'), await codeOf('installer-2')];
    const [first, second] = await db()
      .transaction()
      .execute(async (tx) => {
        await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
        return [
          await callInto(db(), () => join(token, codes[0] ?? '')),
          await callInto(db(), () => join(token, codes[1] ?? '')),
        ];
      });
    const answers = [(await first.answer).errno, (await second.answer).errno];
    // Which of the two comes first is the database's choice.
    expect(answers.toSorted((a, b) => a - b)).toEqual([0, errno.hasInstallerAlready]);
    expect(await placeOf(user)).toBe(demoOrganisationId(answers[0] === 0 ? 'installer' : 'installer-2'));
  });
});

test('an end user who has an installer is told which, and cannot leave it by the code of another', async () => {
  const token = await portal.sessionOf('owner');
  expect(await portal.call(calls.installer, {}, { token })).toMatchObject({ result: { installer: installerName } });
  const code = await codeOf('installer-2');
  for (const call of [check, join])
    expect(await call(token, code)).toMatchObject({ errno: errno.hasInstallerAlready, result: null });
  expect(await placeOf('owner')).toBe(demoOrganisationId('installer'));
});
