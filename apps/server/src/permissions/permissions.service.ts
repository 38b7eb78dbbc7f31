import { codesOfCall, type Result } from '@sonnenwarte/contract/endpoint';
import type { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { type Route, type RouteName, routes, routesOpenTo } from '@sonnenwarte/contract/routes';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import type { CallContext } from '../http/serve.ts';

type Own = Result<typeof ownPermissions>;

const byName: ReadonlyMap<RouteName, Route> = new Map(routes.map((route) => [route.name, route]));

/** What a session may do: its codes and the routes that they leave open. */
export const permissionsOf = async (_: unknown, __: unknown, { actor }: CallContext): Promise<Own> => ({
  codes: [...actor.codes],
  menu: routesOpenTo(actor.level, actor.codes).filter((name) => isLetPast(actor, codesOfCall(byName.get(name) ?? {}))),
  viewAs: viewOf(actor),
});

const viewOf = ({ viewAs, level }: Actor): Own['viewAs'] =>
  viewAs && {
    level,
    organisationName: viewAs.organisationName,
    accountName: viewAs.accountName,
    groupName: viewAs.groupName,
    byUsername: viewAs.byUsername,
  };
