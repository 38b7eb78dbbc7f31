import type { Endpoint, Feature } from './endpoint.ts';
import * as endpoints from './features.ts';

endpoints satisfies Readonly<Record<Feature, Readonly<Record<string, Endpoint>>>>;

export const features = Object.keys(endpoints) as readonly Feature[];

/** Every call of the API. OpenAPI, the access test and the server's binding check walk this list. */
export const allEndpoints: readonly Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] =>
  Object.values(group),
);
