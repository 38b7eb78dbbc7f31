import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

/** Paths of the organisations to which plants belong, each once; that of the platform where there is no plant. */
export async function pathsOfSites(db: Kysely<Database>, ids: readonly (string | null)[]): Promise<string[][]> {
  const { rows } = await sql<{ path: string[] }>`
    select distinct coalesce(own.path, platform.path)::text[] as path
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join (select path from organisations where kind = 'platform') platform
    left join sites on sites.id = wanted.id
    left join organisations own on own.id = sites.organisation_id`.execute(db);
  return rows.map(({ path }) => path);
}
