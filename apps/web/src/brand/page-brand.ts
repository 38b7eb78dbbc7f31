import type { PageBrand } from '@sonnenwarte/contract/brands/page-brand';

function told(): PageBrand | undefined {
  const content =
    typeof document === 'undefined' ? undefined : document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content;
  return content === undefined ? undefined : (JSON.parse(content) as PageBrand);
}

/** The brand whose domain the page was reached by; undefined where the portal has its own look. */
export const pageBrand: PageBrand | undefined = told();
