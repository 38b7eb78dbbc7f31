import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { isOfRegion, LEAST_PLANTS_OF_REGION, REGION_WITHIN_MS } from './explains.ts';
import {
  addEntries,
  addIncidents,
  type MadeIncident,
  type RegionalRow,
  regionsGoingOn,
  type SummedIncident,
  standingIn,
  summedRegions,
  type WrittenEntry,
  writeCauses,
  writeIncidents,
  writeOrganisations,
} from './fold.store.ts';
import { stateAfter } from './fold.ts';

type Tx = Transaction<Database>;

/** The lowest organisation to which all belong, of paths from the root down. */
export function commonOrganisation(paths: readonly (readonly string[])[]): string | null {
  const [first = [], ...others] = paths;
  const depth = first.findIndex((id, at) => others.some((path) => path[at] !== id));
  return first[(depth === -1 ? first.length : depth) - 1] ?? null;
}

/** Those that began together, at enough plants; the largest such group, the oldest first. */
export function begunTogether<T extends { since: Date; site_id: string }>(rows: readonly T[]): T[] {
  let best: T[] = [];
  let from = 0;
  for (let to = 0; to < rows.length; to += 1) {
    while ((rows[to] as T).since.getTime() - (rows[from] as T).since.getTime() > REGION_WITHIN_MS) from += 1;
    if (to - from + 1 > best.length) best = rows.slice(from, to + 1);
  }
  return new Set(best.map(({ site_id }) => site_id)).size >= LEAST_PLANTS_OF_REGION ? best : [];
}

/** What several plants of a postcode have together becomes one trouble, and goes with them; answers those that are others now. */
export async function gatherRegions(tx: Tx, touched: readonly SummedIncident[]): Promise<string[]> {
  const regional = touched.filter(({ code, region, site_id }) => site_id !== null && region !== '' && isOfRegion(code));
  const regions = [...new Set(regional.map(({ region }) => region))];
  if (regions.length === 0) return [];
  const codes = [...new Set(regional.map(({ code }) => code))];
  const parents = await regionsGoingOn(tx, regions);
  const standing = await standingIn(tx, regions, codes);
  const made: MadeIncident[] = [];
  const causes: { id: string; cause: string; organisation: string | null }[] = [];
  for (const region of regions) {
    for (const code of codes) {
      const rows = standing.filter((row) => row.region === region && row.code === code);
      const free = rows.filter(({ cause_id }) => cause_id === null);
      const parent = parents.find((each) => each.region === region && each.code === code);
      const joining = parent === undefined ? begunTogether(free) : free.filter((row) => isNear(row, parent));
      if (joining.length === 0) continue;
      const id = parent?.id ?? randomUUID();
      if (parent === undefined) made.push(newRegion(id, region, code, joining));
      for (const row of joining) causes.push({ id: row.id, cause: id, organisation: null });
    }
  }
  await addIncidents(tx, made);
  await writeCauses(tx, causes);
  const ids = [...new Set([...parents.map(({ id }) => id), ...made.map(({ id }) => id)])];
  await settleRegions(tx, ids, new Set(made.map(({ id }) => id)));
  return ids;
}

const isNear = (row: RegionalRow, { since, last_since }: { since: Date; last_since: Date }): boolean =>
  row.since.getTime() >= since.getTime() - REGION_WITHIN_MS &&
  row.since.getTime() <= last_since.getTime() + REGION_WITHIN_MS;

const newRegion = (id: string, region: string, code: number, rows: readonly RegionalRow[]): MadeIncident => ({
  id,
  code,
  // Of its own: what it is told of is several plants.
  subject: randomUUID(),
  site_id: null,
  device_id: null,
  logger_id: null,
  region,
  organisation_id: commonOrganisation(rows.map(({ path }) => path)),
  since: (rows[0] as RegionalRow).since,
  until: null,
  closed_at: null,
});

async function settleRegions(tx: Tx, ids: readonly string[], isMade: ReadonlySet<string>): Promise<void> {
  const summed = await summedRegions(tx, ids);
  const entries: WrittenEntry[] = [];
  const written = summed.map((row) => {
    const { id, level, since, last_since, until, stands } = row;
    const state = stateAfter(row.state, row.is_known, stands);
    if (isMade.has(id)) entries.push({ incident_id: id, at: since, kind: 'raised' });
    else if (state !== row.state) {
      entries.push(
        stands
          ? { incident_id: id, at: last_since, kind: 'returned' }
          : { incident_id: id, at: until, kind: 'cleared' },
      );
    }
    return { id, state, level, since, last_since, until: stands ? null : until, times: 1, extra: '' };
  });
  await writeIncidents(tx, written);
  await addEntries(tx, entries);
  await writeOrganisations(
    tx,
    summed.flatMap(({ id, paths }) => {
      const organisation = commonOrganisation(paths);
      return organisation === null ? [] : [{ id, organisation }];
    }),
  );
}
