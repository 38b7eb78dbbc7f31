import { accountEndpoints } from './accounts/accounts.ts';
import { apiKeyEndpoints } from './api-keys/api-keys.ts';
import { auditEndpoints } from './audit/audit.ts';
import { batteryEndpoints } from './batteries/batteries.ts';
import { dataloggerEndpoints } from './dataloggers/dataloggers.ts';
import { deletionEndpoints } from './deletions/deletions.ts';
import { departmentEndpoints } from './departments/departments.ts';
import { deviceClaimEndpoints } from './device-claims/device-claims.ts';
import { deviceEndpoints } from './devices/devices.ts';
import type { Endpoint } from './endpoint.ts';
import { errorEndpoints } from './errors/errors.ts';
import { fleetEndpoints } from './fleet/fleet.ts';
import { legalEndpoints } from './legal/legal.ts';
import { liveEndpoints } from './live/live.ts';
import { mapEndpoints } from './map/countries.ts';
import { memberEndpoints } from './members/members.ts';
import { migrationEndpoints } from './migrations-of-accounts/migrations-of-accounts.ts';
import { notificationEndpoints } from './notifications/notifications.ts';
import { openApiEndpoints } from './open-api/open-api.ts';
import { organisationEndpoints } from './organisations/organisations.ts';
import { permissionGroupEndpoints } from './permission-groups/permission-groups.ts';
import { permissionEndpoints } from './permissions/permissions.ts';
import { searchEndpoints } from './search/search.ts';
import { signUpEndpoints } from './sign-up/sign-up.ts';
import { siteEndpoints } from './sites/sites.ts';
import { userCenterEndpoints } from './user-center/user-center.ts';
import { userManagementEndpoints } from './user-management/user-management.ts';
import { viewAsEndpoints } from './view-as/view-as.ts';

/** Every call of the API by feature. OpenAPI, the access test and the server's binding check walk this list. */
export const endpoints = {
  accounts: accountEndpoints,
  signUp: signUpEndpoints,
  legal: legalEndpoints,
  userCenter: userCenterEndpoints,
  apiKeys: apiKeyEndpoints,
  notifications: notificationEndpoints,
  openApi: openApiEndpoints,
  permissions: permissionEndpoints,
  organisations: organisationEndpoints,
  userManagement: userManagementEndpoints,
  deletions: deletionEndpoints,
  departments: departmentEndpoints,
  permissionGroups: permissionGroupEndpoints,
  members: memberEndpoints,
  viewAs: viewAsEndpoints,
  audit: auditEndpoints,
  migrations: migrationEndpoints,
  errors: errorEndpoints,
  map: mapEndpoints,
  sites: siteEndpoints,
  devices: deviceEndpoints,
  batteries: batteryEndpoints,
  dataloggers: dataloggerEndpoints,
  deviceClaims: deviceClaimEndpoints,
  fleet: fleetEndpoints,
  search: searchEndpoints,
  live: liveEndpoints,
} as const satisfies Record<string, Record<string, Endpoint>>;

export const allEndpoints: readonly Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] =>
  Object.values(group),
);
