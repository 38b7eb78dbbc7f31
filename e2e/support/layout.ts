import type { Page } from 'playwright-core';

/** What of the page's layout does not fit: one line each. */
export const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const problems: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      const widest = [...document.body.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
        .slice(-1)
        .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
      problems.push(`the page scrolls sideways: ${scrollWidth} px wide in ${clientWidth} px (${widest.join()})`);
    }
    const visible = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1 &&
      !element.closest('.visually-hidden');
    const controls =
      'button, a, label, th, dt, legend, h1, h2, h3, [role=tab], [role=button], select, summary, figcaption, nav span';
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      if (!visible(element) || element.textContent.trim() === '') continue;
      const style = getComputedStyle(element);
      const cut =
        element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible' && style.display !== 'inline';
      const meant = style.textOverflow === 'ellipsis' && (element.title !== '' || element.closest('[title]') !== null);
      if (cut && !meant) {
        problems.push(`cut off: ${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 60)}"`);
      }
      const box = element.getBoundingClientRect();
      const scroller = element.closest('[tabindex="0"], [role=tablist], nav, [data-scrolls]');
      if (box.right > clientWidth + 1 && box.left < clientWidth && !scroller) {
        problems.push(
          `stands out to the right: ${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 60)}"`,
        );
      }
    }
    return [...new Set(problems)];
  });

/** Texts that the page shows, one per text node that can be seen. */
export const shownTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (text !== '' && node.parentElement?.checkVisibility()) texts.push(text);
    }
    return texts;
  });
