import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { line } from '../fields.ts';
import { inFormat } from '../formats.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';

const admin = [255] as const satisfies readonly Level[];

/** Brands that are kept at once; every process of the server holds all. */
export const MOST_BRANDS = 500;
export const MOST_LOGO_BYTES = 2 * 1024 * 1024;
/** A logo is kept no larger than this. */
export const LOGO_SIDE_PX = 640;
/** What a logo is taken as, by its content. */
export const logoTypes = ['image/png', 'image/jpeg'] as const;

const id = z.uuid();
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** An address that is opened in a window of its own; may be empty. */
const webLink = inFormat('url', line(500).check(z.regex(/^(?:https:\/\/[^\s/]+\S*)?$/i)));

/** A host as browsers know it: letters of any script, without port and path; a place on this machine too. */
const domain = line(253, 1).check(
  z.toLowerCase(),
  z.regex(/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u),
);

const colour = z.string().check(z.toLowerCase(), z.regex(/^(?:#[0-9a-f]{6})?$/));
const mailAddress = inFormat(
  'email',
  line(254).check(z.regex(/^(?:[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+\.[^\s@<>(),;:"\\]+)?$/)),
);

export const brandRow = z.object({
  brandID: z.string(),
  /** The manufacturer whose devices and portal it is. */
  name: z.string(),
  domain: z.string(),
  organisationID: z.nullable(z.string()),
  organisation: z.string(),
  /** As it was chosen, `#rrggbb`; empty where the portal keeps its own. */
  colour: z.string(),
  /** Key of its logo; empty where it has none. */
  logo: z.string(),
  logoWidth: z.int(),
  logoHeight: z.int(),
  downloadLink: z.string(),
  appLink: z.string(),
  mailAddress: z.string(),
  updatedMs: z.int(),
});
export type BrandRow = z.infer<typeof brandRow>;

export const brandFields = fieldsOf(brandRow)({
  name: is.text,
  logo: is.own,
  domain: is.text,
  organisation: is.text,
  colour: unsorted(is.text),
  downloadLink: unsorted(is.text),
  appLink: unsorted(is.text),
  mailAddress: unsorted(is.text),
  updatedMs: is.time,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/brand/list',
  feature: 'brands',
  summary: 'Brands: under which domain the portal has which name, logo, colour and links.',
  callers: admin,
  reads: true,
  input: z.object({ ...paging, condition: filteredBy({}), sort: sortedBy(brandFields, 'name') }),
  list: { rows: 'brands', key: 'brandID', fields: brandFields },
  result: z.object({ ...paged, brands: z.array(brandRow) }),
});
export const exportList = exportOf(list);

export const uploadLogo = endpoint({
  method: 'POST',
  path: '/c/v0/brand/logo/upload',
  feature: 'brands',
  summary:
    'Takes a logo (JPEG or PNG, by its content) for a brand that is saved within a day; it is made anew as a PNG.',
  callers: admin,
  changes: [],
  upload: { mostBytes: MOST_LOGO_BYTES, tooLarge: 'logoTooLarge' },
  input: z.object({}),
  result: z.object({ logo: z.string(), width: z.int(), height: z.int() }),
});

export const logo = endpoint({
  method: 'GET',
  path: '/c/v0/brand/logo',
  feature: 'brands',
  summary: 'A logo by the key of its content; whatever has that key never changes.',
  callers: 'public',
  signed: false,
  file: true,
  ready: true,
  immutable: true,
  input: z.object({ key: hash }),
  result: z.null(),
});

const brand = {
  name: line(64, 1),
  domain,
  organisationID: z.optional(z.nullable(id)),
  colour: z._default(colour, ''),
  logo: z._default(z.union([hash, z.literal('')]), ''),
  downloadLink: z._default(webLink, ''),
  appLink: z._default(webLink, ''),
  mailAddress: z._default(mailAddress, ''),
};

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/brand/add',
  feature: 'brands',
  summary: 'Makes a brand; from then on the portal looks so to whoever reaches it by its domain.',
  callers: admin,
  changes: ['brands'],
  input: z.object(brand),
  result: z.object({ brandID: z.string() }),
  names: { organisationID: 'organisation' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/brand/edit',
  feature: 'brands',
  summary: 'Changes a brand.',
  callers: admin,
  changes: ['brands'],
  input: z.object({ brandID: id, ...brand }),
  result: z.object({}),
  names: { brandID: 'brand', organisationID: 'organisation' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/brand/delete',
  feature: 'brands',
  summary: 'Deletes a brand: its domain shows the portal’s own name again.',
  callers: admin,
  changes: ['brands'],
  input: z.object({ brandID: id }),
  result: z.object({}),
  names: { brandID: 'brand' },
});

export const brandEndpoints = { list, exportList, uploadLogo, logo, add, edit, remove } as const;

/** Where a logo is read. */
export const logoAddress = (key: string): string => `${logo.path}?key=${key}`;
