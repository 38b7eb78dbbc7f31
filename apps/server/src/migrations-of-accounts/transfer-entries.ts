import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { AuditEntry } from '../audit/audit.ts';
import type { Database } from '../stores/schema.ts';
import type { RowImage } from '../tenancy/images.ts';
import { type Transfer, toMovingSite } from './migrations-of-accounts.service.ts';
import { namesOf, pathOf, pathOfAccount } from './migrations-of-accounts.store.ts';
import { type PlantMove, toMovedPlant } from './plants.service.ts';

type Tx = Transaction<Database>;
type Values = Readonly<Record<string, unknown>>;

/** Where something comes from or goes to. */
interface Side {
  readonly path: readonly string[];
  readonly recordName: string;
  readonly values: Values;
}

type Common = Pick<AuditEntry, 'action' | 'recordKind' | 'recordId'>;

/**
 * An entry for each tree, which names that side alone: who loses something does not read there who got it. One entry
 * that names both where they lie in the same place.
 */
function entriesOf(common: Common, from: Side, to: Side, told: Values = {}): AuditEntry[] {
  const entry = { log: 'operation', ...common } as const;
  const isSameName = from.recordName === to.recordName;
  if (isDeepStrictEqual(from.path, to.path))
    return [
      {
        ...entry,
        recordName: isSameName ? from.recordName : `${from.recordName} → ${to.recordName}`,
        organisationPath: from.path,
        before: differing(from.values, to.values),
        after: { ...differing(to.values, from.values), ...told },
      },
    ];
  return [
    {
      ...entry,
      recordName: from.recordName,
      organisationPath: from.path,
      before: from.values,
      after: Object.keys(told).length === 0 ? null : told,
    },
    {
      ...entry,
      recordName: to.recordName,
      organisationPath: to.path,
      before: null,
      after: { ...to.values, ...told },
    },
  ];
}

const differing = (values: Values, others: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== others[name]));

/** Paths of organisations by their ids. */
async function pathsOf(tx: Tx, organisationIds: readonly string[]): Promise<(id: string) => readonly string[]> {
  const ids = [...new Set(organisationIds)];
  const paths = await Promise.all(ids.map((id) => pathOf(tx, id)));
  return (id) => paths[ids.indexOf(id)] ?? [];
}

export async function transferEntries(
  tx: Tx,
  migrationId: string,
  plan: Transfer,
  transferCount: number,
): Promise<AuditEntry[]> {
  const { source, target, organisationID } = plan;
  const action = 'migrations-of-accounts.transfer';
  const sideOf = ({ path, username }: Transfer['source']): Side => ({
    path,
    recordName: username,
    values: { account: username },
  });
  const pathAt = await pathsOf(tx, [...plan.sites.map((site) => site.organisation_id), target.organisation_id]);
  const names = plan.sites.map(({ name }) => name);
  return [
    ...entriesOf({ action, recordKind: 'migration', recordId: migrationId }, sideOf(source), sideOf(target), {
      sites: names,
      transferCount,
    }),
    ...plan.sites.flatMap((site) => {
      const { name, from, to } = toMovingSite(site, plan);
      return entriesOf(
        { action, recordKind: 'site', recordId: site.id },
        { path: pathAt(site.organisation_id), recordName: name, values: from },
        { path: pathAt(organisationID ?? site.organisation_id), recordName: name, values: to },
      );
    }),
  ];
}

/** What was done with chosen plants: an entry for the move where the platform reads it, and those of each plant. */
export async function plantMoveEntries(
  tx: Tx,
  migrationId: string,
  plan: PlantMove,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<AuditEntry[]> {
  const action = 'migrations-of-accounts.transfer';
  const { sites, place } = plan;
  const pathAt = await pathsOf(tx, [...sites.map((site) => site.organisation_id), ...(place ? [place.id] : [])]);
  return [
    {
      log: 'operation',
      action,
      recordKind: 'migration',
      recordId: migrationId,
      recordName: `${from} → ${to}`,
      organisationPath: [],
      before: { account: from },
      after: { account: to, sites: sites.map(({ name }) => name) },
    },
    ...sites.flatMap((site) => {
      const moved = toMovedPlant(site, plan);
      return entriesOf(
        { action, recordKind: 'site', recordId: site.id },
        { path: pathAt(site.organisation_id), recordName: site.name, values: moved.from },
        { path: place?.path ?? pathAt(site.organisation_id), recordName: site.name, values: moved.to },
      );
    }),
  ];
}

interface Undone {
  readonly id: string;
  readonly kind: 'account' | 'plants';
  readonly source_account_id: string | null;
  readonly target_account_id: string | null;
  readonly source_account: string;
  readonly target_account: string;
}

export async function undoEntries(tx: Tx, migration: Undone, sites: readonly RowImage[]): Promise<AuditEntry[]> {
  const action = 'migrations-of-accounts.undo';
  const idsIn = (column: string): string[] =>
    sites.flatMap(({ before, after }) => [before[column], after[column]].filter((id) => typeof id === 'string'));
  const organisationIds = idsIn('organisation_id');
  const names = await namesOf(tx, [...new Set([...organisationIds, ...idsIn('owner_account_id')])]);
  const pathAt = await pathsOf(tx, organisationIds);
  const sideOf = (row: RowImage['before'], recordName: string): Side => ({
    path: pathAt(String(row.organisation_id)),
    recordName,
    values: {
      organisation: names.get(String(row.organisation_id)) ?? '',
      owner: names.get(String(row.owner_account_id)) ?? '',
    },
  });
  const accountSide = async (id: string | null, username: string): Promise<Side> => ({
    path: id === null || migration.kind === 'plants' ? [] : await pathOfAccount(tx, id),
    recordName: username,
    values: { account: username },
  });
  return [
    ...entriesOf(
      { action, recordKind: 'migration', recordId: migration.id },
      await accountSide(migration.target_account_id, migration.target_account),
      await accountSide(migration.source_account_id, migration.source_account),
      { sites: sites.map(({ before }) => before.name) },
    ),
    ...sites.flatMap(({ id, before, after }) => {
      const name = String(before.name);
      return entriesOf({ action, recordKind: 'site', recordId: id }, sideOf(after, name), sideOf(before, name));
    }),
  ];
}
