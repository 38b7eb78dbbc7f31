import type { Endpoint, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import type { Level } from '@sonnenwarte/contract/levels';
import { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { sql } from 'kysely';
import type { PlantsFixture } from './plants-fixture.ts';
import { signedRequest } from './portal.ts';

export interface Somebody {
  readonly id: string;
  readonly token: string;
}

/** There is one. */
async function platformOf(plants: PlantsFixture): Promise<{ id: string; path: string[] }> {
  const known = await plants.db
    .selectFrom('organisations')
    .select(['id', sql<string[]>`path::text[]`.as('path')])
    .where('kind', '=', 'platform')
    .executeTakeFirst();
  return known ?? plants.addOrganisation('platform');
}

/** A tree from the platform to an installer, with people of each level, and a plant with an inverter and its owner. */
export async function orderWorld(plants: PlantsFixture) {
  const platform = await platformOf(plants);
  const distributor = await plants.addOrganisation('distributor', platform.path);
  const agent = await plants.addOrganisation('agent', distributor.path);
  const installer = await plants.addOrganisation('installer', agent.path);
  const other = await plants.addOrganisation('installer', agent.path);
  const somebody = async (organisation: { id: string; path: string[] }, level: Level): Promise<Somebody> => {
    const account = await plants.addAccount(organisation.id, level);
    return { id: account.id, token: plants.signInOf(account, organisation.path) };
  };
  const people = {
    owner: await somebody(installer, 1),
    neighbour: await somebody(installer, 1),
    installer: await somebody(installer, 2),
    colleague: await somebody(installer, 2),
    other: await somebody(other, 2),
    agent: await somebody(agent, 3),
    distributor: await somebody(distributor, 4),
    admin: await somebody(platform, 255),
    integrator: await somebody(platform, 10),
  };
  const site = await plants.addSite(installer.id, { name: 'Livada', owner_account_id: people.owner.id });
  const logger = await plants.addDatalogger(site.id);
  const device = await plants.addDevice(site.id, logger.id, {
    values: { 'DC/Mppt1/Power': [2140, plants.time.nowMs ?? 0], 'DC/Mppt2/Power': [1630, plants.time.nowMs ?? 0] },
  });
  return { platform, distributor, agent, installer, other, people, site, device };
}

export type OrderWorld = Awaited<ReturnType<typeof orderWorld>>;

/** What an owner asks, with a word that no other order has. */
export const ask = (plants: PlantsFixture, world: OrderWorld, by: Somebody = world.people.owner) =>
  plants.read(
    workOrderEndpoints.create,
    {
      deviceID: world.device.id,
      title: 'String 3 brings too little',
      category: 'fault',
      product: 'inverter',
      text: 'For a week the display has been orange at noon.',
    },
    by.token,
  );

/** Sends a file as a browser does. */
export async function sendFile<E extends Endpoint>(
  plants: PlantsFixture,
  endpoint: E,
  bytes: Uint8Array,
  token: string,
  part = 'file',
  fields: Readonly<Record<string, string>> = {},
): Promise<Envelope<Result<E>>> {
  const timestamp = String(plants.time.nowMs ?? Date.now());
  const [url, { headers }] = signedRequest(plants.url, endpoint, {}, { token, timestamp });
  const { 'content-type': _, ...others } = headers as Record<string, string>;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append(part, new Blob([new Uint8Array(bytes)]), 'IMG_0001.png');
  const response = await fetch(url, { method: 'POST', headers: others, body });
  return (await response.json()) as Envelope<Result<E>>;
}
