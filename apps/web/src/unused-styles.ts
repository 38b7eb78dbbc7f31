/**
 * Uses the styles that came along for a screen that will not be shown: browsers warn of preloaded files that nothing
 * uses. The fragment keeps them apart from the same styles, should the page that is shown need them.
 */
export function spendStyles(): void {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=style]')) {
    const link = document.createElement('link');
    Object.assign(link, {
      rel: 'stylesheet',
      media: 'not all',
      crossOrigin: '',
      href: `${href}#`,
      onload: () => link.remove(),
    });
    document.head.append(link);
  }
}
