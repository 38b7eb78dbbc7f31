import type { Result } from '@sonnenwarte/contract/endpoint';
import { ownPermissions } from '@sonnenwarte/contract/permissions/permissions';
import { routesOpenTo } from '@sonnenwarte/contract/routes';
import type { Actor } from '../access/actor.ts';
import { type Api, serve } from '../http/serve.ts';

/** What a session may do: its codes and the routes that they leave open. */
export function permissionsFeature(api: Api): void {
  serve(api, ownPermissions, async (_, { actor }) => ({
    codes: [...actor.codes],
    menu: routesOpenTo(actor.level, actor.codes),
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
