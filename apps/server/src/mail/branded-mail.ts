import { coloursOf } from '@sonnenwarte/contract/brands/colours';
import type { Kysely } from 'kysely';
import { addressUnder, type Brand, brandById, type Logo, logoOf } from '../branding/brand-of.ts';
import { escaped } from '../branding/branded-page.ts';
import type { Database } from '../stores/schema.ts';

/** How a mail of a brand looks, beside its plain text. */
export interface MailLook {
  /** Name of its sender. */
  readonly name: string;
  /** Address of its sender; empty where it is that of the portal. */
  readonly address: string;
  readonly html: string;
  readonly logo: Logo | undefined;
}

export const LOGO_ID = 'logo';
const LOGO_HEIGHT_PX = 40;
const MOST_LOGO_WIDTH_PX = 240;

const LINK = /https?:\/\/[^\s<>"']+/g;

function withLinks(text: string, colour: string): string {
  let html = '';
  let from = 0;
  for (const { 0: link, index } of text.matchAll(LINK)) {
    html += `${escaped(text.slice(from, index))}<a href="${escaped(link)}" style="color:${colour}">${escaped(link)}</a>`;
    from = index + link.length;
  }
  return html + escaped(text.slice(from));
}

function sizeOf({ width, height }: Logo): { width: number; height: number } {
  const scale = Math.min(1, LOGO_HEIGHT_PX / height, MOST_LOGO_WIDTH_PX / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const OWN_COLOUR = '#0b6f73';

function htmlOf(text: string, brand: Brand, logo: Logo | undefined): string {
  const { light } = coloursOf(brand.colour === '' ? OWN_COLOUR : brand.colour);
  const name = escaped(brand.name);
  const size = logo && sizeOf(logo);
  const mark = size
    ? `<img src="cid:${LOGO_ID}" alt="${name}" width="${size.width}" height="${size.height}" style="display:block;border:0">`
    : `<strong style="font-size:18px;color:${light.text}">${name}</strong>`;
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((each) => `<p style="margin:0 0 16px">${withLinks(each, light.text).replaceAll('\n', '<br>')}</p>`);
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head>',
    '<body style="margin:0;background:#f4f6f9;color:#101828;font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif">',
    `<div style="max-width:560px;margin:0 auto;padding:24px 16px"><div style="background:#ffffff;border-top:4px solid ${light.brand};padding:24px">`,
    `<div style="margin:0 0 24px">${mark}</div>${paragraphs.join('')}</div></div></body></html>`,
  ].join('');
}

/**
 * A mail in the look of its brand: links to the portal lead to it under the domain of the brand. Without one it stays the plain text that it is.
 */
export async function inItsLook(
  db: Kysely<Database>,
  { body, brand_id }: { readonly body: string; readonly brand_id: string | null },
  publicUrl: string,
): Promise<{ text: string; look?: MailLook }> {
  const brand = brand_id === null ? undefined : await brandById(db, brand_id);
  if (brand === undefined) return { text: body };
  const text = body.replaceAll(publicUrl, addressUnder(publicUrl, brand));
  const logo = brand.logo === null ? undefined : await logoOf(db, brand.logo);
  return { text, look: { name: brand.name, address: brand.mailAddress, html: htmlOf(text, brand, logo), logo } };
}
