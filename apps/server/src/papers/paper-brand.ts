import { brandOf, logoOf, OWN_NAME } from '../branding/brand-of.ts';
import type { Uses } from '../services.ts';
import type { PaperBrand } from './letterhead.ts';

/** Name, colour and logo of whose brand an account has. */
export async function paperBrandOf({ db }: Uses<'db'>, accountId: string): Promise<PaperBrand> {
  const brand = await brandOf(db, { accountId });
  if (brand === undefined) return { name: OWN_NAME, colour: '', logo: null };
  const logo = brand.logo === null ? undefined : await logoOf(db, brand.logo);
  return { name: brand.name, colour: brand.colour, logo: logo ?? null };
}
