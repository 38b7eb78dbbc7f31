import { accountEndpoints } from './accounts/accounts.ts';
import { batteryEndpoints } from './batteries/batteries.ts';
import { dataloggerEndpoints } from './dataloggers/dataloggers.ts';
import type { Endpoint } from './endpoint.ts';
import { fleetEndpoints } from './fleet/fleet.ts';
import { inverterEndpoints } from './inverters/inverters.ts';
import { liveEndpoints } from './live/live.ts';
import { mapEndpoints } from './map/countries.ts';
import { messageEndpoints } from './messages/errors.ts';
import { siteEndpoints } from './sites/sites.ts';

/** Every call of the API by feature. OpenAPI, the access test and the server's binding check walk this list. */
export const endpoints = {
  accounts: accountEndpoints,
  messages: messageEndpoints,
  map: mapEndpoints,
  sites: siteEndpoints,
  inverters: inverterEndpoints,
  batteries: batteryEndpoints,
  dataloggers: dataloggerEndpoints,
  fleet: fleetEndpoints,
  live: liveEndpoints,
} as const satisfies Record<string, Record<string, Endpoint>>;

export const allEndpoints: readonly Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] =>
  Object.values(group),
);
