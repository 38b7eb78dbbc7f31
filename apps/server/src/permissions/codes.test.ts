import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno } from '@sonnenwarte/contract/errors';
import { isLevel, type Level } from '@sonnenwarte/contract/levels';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { routes } from '@sonnenwarte/contract/routes';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOfLevel } from '../access/codes.ts';
import { openSession } from '../accounts/sessions.ts';
import { type Answer, startTestPortal, type TestPortal } from '../testing/portal.ts';
import { sampleInput } from '../testing/sample-input.ts';

type Guarded = Endpoint & { code: PermissionCode; callers: readonly [Level, ...Level[]] };

const isGuarded = (endpoint: Endpoint): endpoint is Guarded =>
  endpoint.code !== undefined && endpoint.callers !== 'public';
const guarded = allEndpoints.filter(isGuarded);

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal?.stop());

/** A session of a new member of the platform with one group of exactly these codes. */
async function memberWith(level: Level, codes: readonly PermissionCode[]): Promise<string> {
  const { db } = portal.server.stores;
  const { id: organisation_id } = await db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  const name = `codes-${crypto.randomUUID()}`;
  const account = await db
    .insertInto('accounts')
    .values({
      organisation_id,
      username: name,
      email: `${name}@example.com`,
      password_hash: '',
      level,
      language: null,
      disabled_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const group = await db
    .insertInto('permission_groups')
    .values({ organisation_id, name, type: 'role', department_id: null, codes: [...codes] })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('account_groups').values({ account_id: account.id, group_id: group.id }).execute();
  return (await openSession(db, account.id, { address: '', userAgent: '' })).token;
}

/** Number of the answer; a file got past. */
async function errnoOf(endpoint: Endpoint, token: string): Promise<number> {
  const response = await portal.fetch(endpoint, sampleInput(endpoint), { token });
  if (response.headers.has('content-disposition')) {
    await response.arrayBuffer();
    return errno.ok;
  }
  return ((await response.json()) as Answer<unknown>).errno;
}

const holdersOf = (endpoint: Guarded): Level[] => {
  const holders: readonly Level[] = permissions[endpoint.code];
  // Owners and integrators have no groups: their level says it all.
  return endpoint.callers.filter((level) => holders.includes(level) && level !== 1 && level !== 10);
};

describe.each(guarded.map((endpoint) => [`${endpoint.method} ${endpoint.path} (${endpoint.code})`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    test.each(holdersOf(endpoint))('level %i: refused with every permission but this one', async (level) => {
      const others = [...codesOfLevel(level)].filter((code) => code !== endpoint.code);
      expect(await errnoOf(endpoint, await memberWith(level, others))).toBe(errno.noPermission);
    });

    test.each(holdersOf(endpoint))('level %i: let past with this permission alone', async (level) => {
      expect(await errnoOf(endpoint, await memberWith(level, [endpoint.code]))).not.toBe(errno.noPermission);
    });
  },
);

const severalCodes = allEndpoints.flatMap((endpoint) =>
  endpoint.anyOf === undefined ? [] : [[`${endpoint.method} ${endpoint.path}`, endpoint, endpoint.anyOf] as const],
);

describe.each(severalCodes)('%s', (_, endpoint, codes) => {
  test('an administrator is refused with every permission but these', async () => {
    const others = [...codesOfLevel(255)].filter((code) => !codes.includes(code));
    expect(await errnoOf(endpoint, await memberWith(255, others))).toBe(errno.noPermission);
  });

  test.each(codes)('an administrator is let past with %s alone', async (code) => {
    expect(await errnoOf(endpoint, await memberWith(255, [code]))).not.toBe(errno.noPermission);
  });
});

test('no call tells an administrator without any permission who the others are', async () => {
  const token = await memberWith(255, []);
  const telling = [
    '/c/v0/account/list',
    '/c/v0/account/list/export',
    '/c/v0/account/detail',
    '/c/v0/account/grant/list',
    '/c/v0/account/grant/check',
    '/c/v0/deletion/list',
    '/c/v0/organization/list',
    '/c/v0/organization/tree',
    '/c/v0/organization/choices',
    '/c/v0/member/list',
  ];
  const found = allEndpoints.filter(({ path }) => telling.includes(path));
  expect(found).toHaveLength(telling.length);
  for (const endpoint of found)
    expect([endpoint.path, await errnoOf(endpoint, token)]).toEqual([endpoint.path, errno.noPermission]);
});

test('a code binds the levels that can hold it: a distributor without any manages its accounts as before', async () => {
  const { result } = await portal.call(ownPermissions, {}, { token: await memberWith(4, []) });
  expect(result.menu).toContain('user-management');
  for (const endpoint of [userManagementEndpoints.list, organisationEndpoints.tree])
    expect(await errnoOf(endpoint, await memberWith(4, []))).toBe(errno.ok);
});

describe('the permissions of a session', () => {
  test('are those of its groups and open exactly the routes that need no other', async () => {
    const { result } = await portal.call(
      ownPermissions,
      {},
      { token: await memberWith(255, ['member:query', 'log:view']) },
    );
    expect(result.codes.toSorted()).toEqual(['log:view', 'member:query']);
    for (const route of routes) {
      if (route.levels === 'public') continue;
      const needed: PermissionCode | undefined = 'code' in route ? route.code : undefined;
      const open =
        route.levels.some((level) => level === 255) && (needed === undefined || result.codes.includes(needed));
      expect([route.name, result.menu.includes(route.name)]).toEqual([route.name, open]);
    }
    expect(result.viewAs).toBeNull();
  });

  test('never exceed what the level can hold, whatever a group says', async () => {
    const token = await memberWith(2, Object.keys(permissions) as PermissionCode[]);
    const { result } = await portal.call(ownPermissions, {}, { token });
    expect(result.codes.toSorted()).toEqual([...codesOfLevel(2)].toSorted());
  });

  test.each(['owner', 'installer', 'agent', 'distributor', 'integrator', 'admin'])(
    '%s, who leads or has no groups, holds all of its level',
    async (user) => {
      const { result } = await portal.call(ownPermissions, {}, { token: await portal.sessionOf(user) });
      const { level } = await portal.server.stores.db
        .selectFrom('accounts')
        .select('level')
        .where('username', '=', user)
        .executeTakeFirstOrThrow();
      expect(isLevel(level) && [...codesOfLevel(level)].toSorted()).toEqual(result.codes.toSorted());
    },
  );
});
