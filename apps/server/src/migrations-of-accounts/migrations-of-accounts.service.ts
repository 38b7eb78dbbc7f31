import { createHash, randomInt } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  MIGRATION_CODE_ALPHABET,
  MIGRATION_CODE_LENGTH,
  MIGRATION_CODE_MS,
  type MigrationParty,
  type MigrationRow,
  type migrationEndpoints,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import type { MovingSite } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Found, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { imagesOf } from '../tenancy/images.ts';
import {
  countTransfers,
  dropOldCodes,
  findParties,
  listMigrations,
  type MigrationListInput,
  migrationById,
  namesOf,
  type Party,
  partyById,
  putCode,
  type SiteToMove,
  type StoredMigration,
  sitesOf,
} from './migrations-of-accounts.store.ts';

type Db = Kysely<Database>;
type Migrations = typeof migrationEndpoints;

const toParty = (party: Party): MigrationParty => ({
  accountID: party.id,
  user: party.username,
  name: party.name,
  email: party.email,
  level: party.level,
  organisation: party.organisation,
  parentAgents: party.parent_agents,
  sites: party.sites,
});

/** Accounts to choose from. */
export async function partiesToChoose(
  { db }: Uses<'db'>,
  { search, ids, sourceID }: Parsed<Migrations['accounts']>,
  { scope }: Scoped,
): Promise<Result<Migrations['accounts']>> {
  const source = sourceID === undefined ? undefined : found(await partyById(db, scope, sourceID), 'accountNotFound');
  const parties = await findParties(db, scope, { search, ids }, source);
  return {
    choices: parties.map((row) => {
      const party = toParty(row);
      const { accountID: id, user: name, organisation } = party;
      return { id, name, detail: [party.name, organisation].filter((text) => text !== '').join(' · '), party };
    }),
  };
}

/** A transfer that can be made: who, what, and where each plant comes to. */
export interface Transfer {
  readonly source: Party;
  readonly target: Party;
  readonly sites: readonly SiteToMove[];
  /** Absent where the plants stay with the organisation that they have. */
  readonly organisationID: string | undefined;
  /** Absent where the plants keep their owners. */
  readonly ownerAccountId: string | undefined;
  readonly seen: string;
}

/** Works out a transfer, or refuses: kinds that differ, nothing that would move, an account that is shut out. */
export async function planTransfer(db: Db, scope: Scope, sourceId: string, targetId: string): Promise<Transfer> {
  const source = found(await partyById(db, scope, sourceId), 'accountNotFound');
  const target = found(await partyById(db, scope, targetId), 'accountNotFound');
  if (target.disabled) throw new CallError('accountNotFound');
  if (source.level !== target.level) throw new CallError('migrationKindsDiffer');
  const ownerAccountId = target.level === 1 ? target.id : undefined;
  // An end user without an installer hangs under the platform: its plants stay with the one who looks after them.
  const organisationID = target.level === 1 && target.kind === 'platform' ? undefined : target.organisation_id;
  const sites = (await sitesOf(db, scope, source)).filter(
    (site) =>
      (organisationID !== undefined && site.organisation_id !== organisationID) ||
      (ownerAccountId !== undefined && site.owner_account_id !== ownerAccountId),
  );
  if (sites.length === 0) throw new CallError('migrationNothingToMove');
  return { source, target, sites, organisationID, ownerAccountId, seen: digestOf(source, target, sites) };
}

function digestOf(source: Party, target: Party, sites: readonly SiteToMove[]): string {
  const party = ({ id, level, organisation_id }: Party) => [id, level, organisation_id];
  const rows = sites
    .map((site) => [site.id, site.organisation_id, site.owner_account_id ?? ''])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([party(source), party(target), rows]))
    .digest('hex');
}

const ownerName = ({ name, username }: Party): string => name || username;

/** A plant of a transfer with where it is and where it comes to. */
export const toMovingSite = (site: SiteToMove, { target, organisationID, ownerAccountId }: Transfer): MovingSite => ({
  stationID: site.id,
  name: site.name,
  city: site.city,
  devices: site.devices,
  dataloggers: site.dataloggers,
  from: { organisation: site.organisation, owner: site.owner },
  to: {
    organisation: organisationID === undefined ? site.organisation : target.organisation,
    owner: ownerAccountId === undefined ? site.owner : ownerName(target),
  },
});

/** What would move. */
export async function previewOf(
  { db }: Uses<'db'>,
  { sourceID, targetID }: Parsed<Migrations['preview']>,
  { scope }: Scoped,
): Promise<Result<Migrations['preview']>> {
  const plan = await planTransfer(db, scope, sourceID, targetID);
  return {
    source: toParty(plan.source),
    target: toParty(plan.target),
    sites: plan.sites.map((site) => toMovingSite(site, plan)),
    transferCount: (await countTransfers(db, sourceID)) + 1,
    seen: plan.seen,
  };
}

const newCode = (): string =>
  Array.from({ length: MIGRATION_CODE_LENGTH }, () =>
    MIGRATION_CODE_ALPHABET.charAt(randomInt(MIGRATION_CODE_ALPHABET.length)),
  ).join('');

/** Makes the code for what was seen; refuses where it is no longer so. */
export async function codeFor(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { sourceID, targetID, seen }: Parsed<Migrations['makeCode']>,
  { scope, actor }: CallContext,
): Promise<Result<Migrations['makeCode']>> {
  const plan = await planTransfer(db, scope, sourceID, targetID);
  if (plan.seen !== seen) throw new CallError('migrationSitesChanged');
  const now = nowMs();
  const expiresAt = new Date(now + MIGRATION_CODE_MS);
  const code = newCode();
  await dropOldCodes(db, new Date(now));
  const { id } = await putCode(db, {
    accountId: actor.accountId,
    sourceId: sourceID,
    targetId: targetID,
    code,
    seen,
    siteIds: plan.sites.map((site) => site.id),
    expiresAt,
  });
  return { codeID: id, code, expiresAtMs: expiresAt.getTime() };
}

const toRow = (row: StoredMigration, nowMs: number): MigrationRow => ({
  migrationID: row.id,
  kind: row.kind,
  source: row.source_account,
  parentAgents: row.parent_agents,
  target: row.target_account,
  sites: row.sites,
  transferCount: row.transfer_count,
  operatedBy: row.operated_by_name,
  transferredAtMs: row.transferred_at.getTime(),
  undoUntilMs: row.undo_until.getTime(),
  state: row.undone_at === null ? 'transferred' : 'undone',
  undoneAtMs: row.undone_at?.getTime() ?? null,
  undoneBy: row.undone_by_name,
  can: { undo: row.undone_at === null && row.undo_until.getTime() > nowMs },
});

/** The history. */
export async function migrationList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: MigrationListInput,
  { scope }: Scoped,
): Promise<Found<MigrationRow>> {
  const now = nowMs();
  return toRows(await listMigrations(db, scope, input), (row) => toRow(row, now));
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One transfer with the plants that moved. */
export async function migrationOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { migrationID: id }: Parsed<Migrations['detail']>,
  { scope }: Scoped,
): Promise<Result<Migrations['detail']>> {
  const row = found(await migrationById(db, scope, id), 'migrationNotFound');
  const images = await imagesOf(db, id, 'sites');
  const ids = images.flatMap(({ before, after }) =>
    [before, after].flatMap((image) => [text(image.organisation_id), text(image.owner_account_id)]),
  );
  const names = await namesOf(
    db,
    [...new Set(ids)].filter((each) => each !== ''),
  );
  const placeOf = (image: Readonly<Record<string, unknown>>) => ({
    organisation: names.get(text(image.organisation_id)) ?? '',
    owner: names.get(text(image.owner_account_id)) ?? '',
  });
  return {
    ...toRow(row, nowMs()),
    plants: images.map(({ id: stationID, before, after }) => ({
      stationID,
      name: text(before.name),
      from: placeOf(before),
      to: placeOf(after),
    })),
  };
}
