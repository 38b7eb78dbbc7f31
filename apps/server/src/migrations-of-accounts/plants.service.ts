import { createHash } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { MovingSite, plantMigrationEndpoints } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { CallError, found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { openPlace, type Place } from '../tenancy/end-user-moves.ts';
import type { SiteToMove } from './migrations-of-accounts.store.ts';
import { countShares, findOwners, type Owner, ownerById, sitesByIds } from './plants.store.ts';

type Db = Kysely<Database>;
type Calls = typeof plantMigrationEndpoints;
type Wanted = Parsed<Calls['plantsPreview']>;

/** End users to choose from. */
export async function ownersToChoose(
  { db }: Uses<'db'>,
  { search, ids }: Parsed<Calls['owners']>,
  { scope }: Scoped,
): Promise<Result<Calls['owners']>> {
  const owners = await findOwners(db, scope, { search, ids });
  return {
    choices: owners.map(({ id, username, name, organisation }) => ({
      id,
      name: username,
      detail: [name, organisation].filter((text) => text !== '').join(' · '),
    })),
  };
}

/** Plants that move, to whom, and where to. */
export interface PlantMove {
  readonly sites: readonly SiteToMove[];
  readonly staying: number;
  readonly owner: Owner | undefined;
  readonly place: Place | undefined;
  readonly endingShares: number;
  readonly seen: string;
}

/** Works out what moves, or refuses: a plant or target that is not there, nothing that would move. */
export async function planPlantMove(db: Db, scope: Scope, wanted: Wanted): Promise<PlantMove> {
  const { stationIDs, ownerID, organisationID } = wanted;
  const chosen = await sitesByIds(db, scope, stationIDs);
  if (chosen.length !== stationIDs.length) throw new CallError('siteNotFound');
  const owner = ownerID === undefined ? undefined : found(await ownerById(db, scope, ownerID), 'accountNotFound');
  const place =
    organisationID === undefined
      ? undefined
      : found(await openPlace(db, scope, organisationID).executeTakeFirst(), 'organisationNotFound');
  const isElsewhere = (site: SiteToMove): boolean =>
    (owner !== undefined && site.owner_account_id !== owner.id) ||
    (place !== undefined && site.organisation_id !== place.id);
  const sites = chosen.filter(isElsewhere);
  if (sites.length === 0) throw new CallError('migrationNothingToMove');
  const reowned = sites.filter((site) => owner !== undefined && site.owner_account_id !== owner.id);
  return {
    sites,
    staying: chosen.length - sites.length,
    owner,
    place,
    endingShares: await countShares(
      db,
      reowned.map(({ id }) => id),
    ),
    seen: digestOf(sites, wanted),
  };
}

function digestOf(sites: readonly SiteToMove[], { ownerID = '', organisationID = '' }: Wanted): string {
  const rows = sites
    .map((site) => [site.id, site.organisation_id, site.owner_account_id ?? ''].join(' '))
    .sort((one, other) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([ownerID, organisationID, rows]))
    .digest('hex');
}

/** A plant with where it is and where it comes to. */
export const toMovedPlant = (
  { id, name, city, devices, dataloggers, organisation, owner }: SiteToMove,
  to: Pick<PlantMove, 'owner' | 'place'>,
): MovingSite => ({
  stationID: id,
  name,
  city,
  devices,
  dataloggers,
  from: { organisation, owner },
  to: { organisation: to.place?.name ?? organisation, owner: to.owner?.name || to.owner?.username || owner },
});

/** What would move. */
export async function plantsPreviewOf(
  { db }: Uses<'db'>,
  wanted: Wanted,
  { scope }: Scoped,
): Promise<Result<Calls['plantsPreview']>> {
  const { sites, staying, endingShares, seen, ...to } = await planPlantMove(db, scope, wanted);
  return { sites: sites.map((site) => toMovedPlant(site, to)), staying, endingShares, seen };
}
