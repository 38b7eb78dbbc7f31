import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { SiteOpening } from './site-figures.ts';
import type { SiteFrame } from './sites.store.ts';

/** Energies of a plant before it was recorded. The site is named by its frame, which only a query with a scope gives. */
export async function siteOpening(db: Kysely<Database>, site: Pick<SiteFrame, 'id'>): Promise<SiteOpening> {
  const row = await db.selectFrom('site_openings').selectAll().where('site_id', '=', site.id).executeTakeFirst();
  if (row === undefined) return {};
  const { site_id: _id, ...opening } = row;
  return opening;
}
