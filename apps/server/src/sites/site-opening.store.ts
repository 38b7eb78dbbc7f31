import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { SiteOpening } from './site-figures.ts';
import type { SiteFrame } from './sites.store.ts';

type SiteId = Pick<SiteFrame, 'id'>;

export interface MarkedOpening {
  energies: SiteOpening;
  /** Which of them the balance told (see `marksOf`); `null` = not known. */
  marks: number | null;
}

/** Energies of a plant before it was recorded. The site is named by its frame, which only a query with a scope gives. */
export async function markedOpening(db: Kysely<Database>, site: SiteId): Promise<MarkedOpening> {
  const row = await db.selectFrom('site_openings').selectAll().where('site_id', '=', site.id).executeTakeFirst();
  if (row === undefined) return { energies: {}, marks: 0 };
  const { site_id: _id, marks, ...energies } = row;
  return { energies, marks };
}

/** The same without the marks. */
export const siteOpening = async (db: Kysely<Database>, site: SiteId): Promise<SiteOpening> =>
  (await markedOpening(db, site)).energies;
