import { codesOfCall, type Result } from '@sonnenwarte/contract/endpoint';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { type Route, type RouteName, routes, routesOpenTo } from '@sonnenwarte/contract/routes';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import { type Api, serve } from '../http/serve.ts';

const byName: ReadonlyMap<RouteName, Route> = new Map(routes.map((route) => [route.name, route]));

/** What a session may do: its codes and the routes that they leave open. */
export function permissionsFeature(api: Api): void {
  serve(api, ownPermissions, async (_, { actor }) => ({
    codes: [...actor.codes],
    menu: routesOpenTo(actor.level, actor.codes).filter((name) =>
      isLetPast(actor, codesOfCall(byName.get(name) ?? {})),
    ),
    viewAs: viewOf(actor),
  }));
}

const viewOf = ({ viewAs, level }: Actor): Result<typeof ownPermissions>['viewAs'] =>
  viewAs && {
    level,
    organisationName: viewAs.organisationName,
    accountName: viewAs.accountName,
    groupName: viewAs.groupName,
    byUsername: viewAs.byUsername,
  };
