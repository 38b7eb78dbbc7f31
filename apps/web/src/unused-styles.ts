/**
 * Uses the styles that came along for a screen that will not be shown: browsers warn of preloaded files that nothing
 * uses. The fragment keeps them apart from the same styles, should the page that is shown need them.
 */
export function spendStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[as=style]'))
    Object.assign(link, { media: 'not all', href: `${link.href}#`, rel: 'stylesheet' });
}
