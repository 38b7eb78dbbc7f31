import { existsSync } from 'node:fs';
import { features } from '@sonnenwarte/contract/endpoints';
import type { Feature } from './feature.ts';
import type { Api } from './http/serve.ts';
import type { Services } from './services.ts';

/** Answer no call, but work beside those that do. */
const withoutCalls = ['mail'];

/** What the room of a feature has in its `feature.ts`. */
export async function featureIn(room: string): Promise<Feature> {
  if (!existsSync(`${import.meta.dirname}/${room}/feature.ts`))
    throw new Error(`Nobody answers the calls of "${room}": apps/server/src/${room}/feature.ts is missing.`);
  const { feature } = (await import(`./${room}/feature.ts`)) as { feature?: Feature };
  if (feature === undefined)
    throw new Error(`apps/server/src/${room}/feature.ts exports no "feature", which featureOf makes.`);
  return feature;
}

/** Binds every feature of the contract, each found by its name. */
export async function bindFeatures(api: Api, services: Services): Promise<void> {
  const found = await Promise.all([...features, ...withoutCalls].map(featureIn));
  for (const feature of found) feature.bind(api, services);
}
