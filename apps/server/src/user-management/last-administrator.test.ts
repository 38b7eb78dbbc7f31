import { errno } from '@sonnenwarte/contract/errors';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { userManagementEndpoints as calls } from '@sonnenwarte/contract/user-management/user-management';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrowAdministrator } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto } from '../testing/row-locks.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal?.stop());

const idOf = async (user: string): Promise<string> =>
  (
    await portal.server.stores.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow()
  ).id;

const disable = (id: string, token: string) => portal.call(calls.setEnabled, { id, enabled: false }, { token });

test('the last administrator with all codes is neither disabled nor deleted by a member with all codes', async () => {
  const { token } = await narrowAdministrator(portal, Object.keys(permissions) as PermissionCode[]);
  const id = await idOf('admin');
  expect(await disable(id, token)).toMatchObject({ errno: errno.lastAdministrator });
  expect(await portal.call(calls.remove, { id }, { token })).toMatchObject({ errno: errno.lastAdministrator });
});

test('of two administrators who disable each other at once, one stays', async () => {
  const { db } = portal.server.stores;
  const admin = { id: await idOf('admin'), token: await portal.sessionOf('admin') };
  const input = { level: 255 as const, user: 'second', email: 'second@example.com', name: '', phone: '', country: '' };
  const { id } = (await portal.call(calls.add, input, { token: admin.token })).result;
  await db.updateTable('accounts').set({ password_temporary: false }).where('id', '=', id).execute();
  const second = { id, token: await portal.sessionOf('second') };
  const asked = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', 'in', [admin.id, second.id]).forUpdate().execute();
    const one = await callInto(db, () => disable(second.id, admin.token));
    const other = await callInto(db, () => disable(admin.id, second.token));
    return [one, other];
  });
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  expect(answers.map((answer) => answer.errno).sort()).toEqual([0, errno.lastAdministrator]);
  const { count } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('level', '=', 255)
    .where('leads', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(1);
});
