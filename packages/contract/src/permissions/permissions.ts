import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { level } from '../fields.ts';
import { levels } from '../levels.ts';
import { type PermissionCode, permissions } from '../permissions.ts';
import { type RouteName, routes } from '../routes.ts';

const codes = Object.keys(permissions) as [PermissionCode, ...PermissionCode[]];
const names = routes.map(({ name }) => name) as [RouteName, ...RouteName[]];

/** A permission code, `area:action`. */
export const permissionCode = z.enum(codes);

/** What the session may do: its codes, the routes that they leave open, and as whom an administrator sees the portal. */
export const ownPermissions = endpoint({
  method: 'GET',
  path: '/c/v0/user/permissions',
  feature: 'permissions',
  summary: 'Permission codes of the session and the routes that it may open.',
  callers: levels,
  beforePasswordChange: true,
  input: z.object({}),
  result: z.object({
    codes: z.array(permissionCode),
    menu: z.array(z.enum(names)),
    viewAs: z.nullable(
      z.object({
        level,
        organisationName: z.string(),
        /** The account that is seen; null where the level as such is seen. */
        accountName: z.nullable(z.string()),
        groupName: z.nullable(z.string()),
        /** Who is really there. */
        byUsername: z.string(),
      }),
    ),
  }),
});

export const permissionEndpoints = { ownPermissions };
