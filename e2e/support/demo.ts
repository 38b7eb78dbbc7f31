import type { Level } from '@sonnenwarte/contract/levels';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { list } from '@sonnenwarte/contract/sites/sites';
import { inject } from 'vitest';
import { callApi, openSession, type Session } from './api.ts';
import { waitUntil } from './wait-until.ts';

export const DEMO_PASSWORD = 'sonnenwarte';

export const demoUsers = [
  { user: 'owner', level: 1, plants: 2 },
  { user: 'installer', level: 2, plants: 5 },
  { user: 'agent', level: 3, plants: 8 },
  { user: 'distributor', level: 4, plants: 10 },
  { user: 'integrator', level: 10, plants: 0 },
  { user: 'admin', level: 255, plants: 12 },
] as const satisfies readonly { user: string; level: Level; plants: number }[];

export type DemoUser = (typeof demoUsers)[number]['user'];

export const portalUrl = (): string => inject('portalUrl');

const sessions = new Map<DemoUser, Promise<Session>>();

/** A session of a demo account, opened once per test file. */
export function sessionOf(user: DemoUser): Promise<Session> {
  const known = sessions.get(user);
  if (known) return known;
  const opened = openSession(portalUrl(), user, DEMO_PASSWORD);
  sessions.set(user, opened);
  return opened;
}

/** All plants that an account sees, by name. */
export async function plantsOf(user: DemoUser): Promise<readonly SiteRow[]> {
  const { token } = await sessionOf(user);
  return (await callApi(portalUrl(), list, { pageSize: 50 }, token)).plants;
}

/** A plant of the demonstration by its name, as the administrator sees it. */
export async function plantNamed(name: string): Promise<SiteRow> {
  const { token } = await sessionOf('admin');
  const { plants } = await callApi(portalUrl(), list, { pageSize: 50, condition: { content: name } }, token);
  const found = plants.find((plant) => plant.name === name);
  if (!found) throw new Error(`The demonstration has no plant "${name}"`);
  return found;
}

/** The plant has values that are not older than `withinMs`. */
export function waitUntilFresh(name: string, withinMs = 30_000): Promise<SiteRow> {
  return waitUntil(`fresh values of ${name}`, async () => {
    const plant = await plantNamed(name);
    return plant.updatedAtMs !== null && Date.now() - plant.updatedAtMs < withinMs && plant;
  });
}
