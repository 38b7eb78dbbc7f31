import { logoAddress } from '@sonnenwarte/contract/brands/brands';
import { coloursOf, tokensOf } from '@sonnenwarte/contract/brands/colours';
import type { PageBrand } from '@sonnenwarte/contract/brands/page-brand';
import type { Brand } from './brand-of.ts';

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text within HTML or one of its attributes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '');

function toldOf({ name, logo, downloadLink, appLink }: Brand): PageBrand {
  return {
    name,
    ...(logo !== null && { logo: logoAddress(logo) }),
    ...(downloadLink !== '' && { downloadLink }),
    ...(appLink !== '' && { appLink }),
  };
}

function stylesOf({ colour }: Brand, nonce: string): string {
  if (colour === '') return '';
  const tokens = Object.entries(tokensOf(coloursOf(colour))).map(([name, value]) => `${name}:${value}`);
  return `<style nonce="${nonce}">:root{${tokens.join(';')}}</style>`;
}

/** The page under the domain of a brand: its name, logo and colour from the first moment on. */
export function brandedPage(page: string, brand: Brand, nonce: string): string {
  const name = escaped(brand.name);
  const logo = brand.logo === null ? undefined : escaped(logoAddress(brand.logo));
  const mark = logo === undefined ? '' : `<img src="${logo}" height="56" alt="">`;
  const told = `<meta name="brand" content="${escaped(JSON.stringify(toldOf(brand)))}">`;
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/<div class="opening">[\s\S]*?<\/div>/, () => `<div class="opening">${mark}<p>${name}</p></div>`)
    .replace(/<link rel="icon"[^>]*>/, () =>
      logo === undefined ? '' : `<link rel="icon" type="image/png" href="${logo}">`,
    )
    .replace(/<link rel="apple-touch-icon"[^>]*>/, (own) =>
      logo === undefined ? own : `<link rel="apple-touch-icon" href="${logo}">`,
    )
    .replace('</head>', () => `${told}${stylesOf(brand, nonce)}</head>`);
}

/** What browsers are told of the app that people put on their screens. */
export function brandedManifest(manifest: string, brand: Brand): string {
  const own = JSON.parse(manifest) as Record<string, unknown>;
  const icons = brand.logo !== null && { icons: [{ src: logoAddress(brand.logo), type: 'image/png', sizes: 'any' }] };
  return JSON.stringify({ ...own, name: brand.name, short_name: brand.name, ...icons });
}
