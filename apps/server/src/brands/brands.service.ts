import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type BrandRow, type brandEndpoints, MOST_BRANDS } from '@sonnenwarte/contract/brands/brands';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import type { BrandBook } from '../branding/brand-book.ts';
import { logoOf } from '../branding/brand-of.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import type { ReceivedFile } from '../http/serve-upload.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { PictureMaker } from '../pictures/picture-maker.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import {
  brandById,
  brandsFound,
  countBrands,
  countUnusedLogos,
  deleteBrand,
  insertBrand,
  keepLogo,
  logoIsThere,
  type NewBrand,
  organisationIsThere,
  type StoredBrand,
  updateBrand,
} from './brands.store.ts';

type Calls = typeof brandEndpoints;
type Used = Uses<'db' | 'nowMs'> & { readonly book: BrandBook };
type Tx = Parameters<typeof brandById>[0];

/** Logos that were uploaded and are no brand's. */
const MOST_UNUSED_LOGOS = 100;

const toRow = (row: StoredBrand): BrandRow => ({
  brandID: row.id,
  name: row.name,
  domain: row.domain,
  organisationID: row.organisation_id,
  organisation: row.organisation ?? '',
  colour: row.colour,
  logo: row.logo ?? '',
  logoWidth: row.width ?? 0,
  logoHeight: row.height ?? 0,
  downloadLink: row.download_link,
  appLink: row.app_link,
  mailAddress: row.mail_address,
  updatedMs: row.updated_at.getTime(),
});

/** All brands, for a page as for a file. */
export async function brandList({ db }: Uses<'db'>, input: Asked<Calls['list']>) {
  return toRows(await brandsFound(db, input), toRow);
}

/** Keeps a logo, made anew, until a brand has it. */
export async function takeLogo(
  { db, nowMs, pictures }: Uses<'db' | 'nowMs'> & { readonly pictures: PictureMaker },
  _: Parsed<Calls['uploadLogo']>,
  { actor }: CallContext,
  { bytes }: ReceivedFile,
): Promise<Result<Calls['uploadLogo']>> {
  if ((await countUnusedLogos(db)) >= MOST_UNUSED_LOGOS) throw new CallError('tooManyLogos');
  const { content, width, height } = await pictures.make(bytes, 'logo', actor.accountId);
  const hash = createHash('sha256').update(content).digest('hex');
  await keepLogo(db, { hash, content: Buffer.from(content), width, height, sent_at: new Date(nowMs()) });
  return { logo: hash, width, height };
}

export async function showLogo({ db }: Uses<'db'>, { key }: Parsed<Calls['logo']>): Promise<FileAnswer> {
  const { content } = found(await logoOf(db, key), 'logoNotFound');
  return { name: 'logo.png', contentType: 'image/png', body: content };
}

/** As it is stored; refuses what cannot be kept. */
async function checked(tx: Tx, input: Parsed<Calls['add']>, nowMs: number): Promise<NewBrand> {
  const domain = domainToASCII(input.domain);
  if (domain === '') throw new CallError('refusedInput', { fields: [{ path: 'domain', reason: 'wrong', params: {} }] });
  const { organisationID = null } = input;
  if (organisationID !== null && !(await organisationIsThere(tx, organisationID)))
    throw new CallError('organisationNotFound');
  if (input.logo !== '' && !(await logoIsThere(tx, input.logo))) throw new CallError('logoNotFound');
  return {
    name: input.name,
    domain,
    organisation_id: organisationID,
    colour: input.colour,
    logo: input.logo === '' ? null : input.logo,
    download_link: input.downloadLink,
    app_link: input.appLink,
    mail_address: input.mailAddress,
    updated_at: new Date(nowMs),
  };
}

const told = ({ updated_at: _, ...brand }: NewBrand): Record<string, unknown> => ({
  name: brand.name,
  domain: brand.domain,
  organisation: brand.organisation_id,
  colour: brand.colour,
  logo: brand.logo,
  downloadLink: brand.download_link,
  appLink: brand.app_link,
  mailAddress: brand.mail_address,
});

const record = (
  tx: Tx,
  context: CallContext,
  action: 'brands.add' | 'brands.edit' | 'brands.delete',
  [id, name]: readonly [string, string],
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action,
    recordKind: 'brand',
    recordId: id,
    recordName: name,
    organisationPath: context.actor.organisationPath,
    ...change,
  });

/** Changes brands; the next page that this process sends knows. */
async function changing<T>({ db, book }: Used, change: (tx: Tx) => Promise<T>): Promise<T> {
  const done = await orTaken({ brands_domain: 'domain', brands_organisation: 'organisationID' }, () =>
    inTransaction(db, change),
  );
  await book.read();
  return done;
}

export const addBrand = (
  used: Used,
  input: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> =>
  changing(used, async (tx) => {
    if ((await countBrands(tx)) >= MOST_BRANDS) throw new CallError('tooManyBrands');
    const brand = await checked(tx, input, used.nowMs());
    const brandID = await insertBrand(tx, brand);
    await record(tx, context, 'brands.add', [brandID, brand.name], { after: told(brand) });
    return { brandID };
  });

export const editBrand = (
  used: Used,
  { brandID, ...input }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<void> =>
  changing(used, async (tx) => {
    const before = found(await brandById(tx, brandID), 'brandNotFound');
    const brand = await checked(tx, input, used.nowMs());
    await updateBrand(tx, brandID, brand);
    await record(tx, context, 'brands.edit', [brandID, brand.name], { before: told(before), after: told(brand) });
  });

export const removeBrand = (used: Used, { brandID }: Parsed<Calls['remove']>, context: CallContext): Promise<void> =>
  changing(used, async (tx) => {
    const before = found(await brandById(tx, brandID), 'brandNotFound');
    await deleteBrand(tx, brandID);
    await record(tx, context, 'brands.delete', [brandID, before.name], { before: told(before) });
  });
