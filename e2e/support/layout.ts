import type { Page } from 'playwright-core';

/**
 * What of the page's layout does not fit, one line each: a page that scrolls sideways, a text that is cut off where its
 * full length is not told, one that stands out of its box or of the window, two texts that lie on each other, a word that is
 * broken without a hyphen.
 */
export const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SLACK_PX = 1;
    const OVERLAP_PX = 3;
    const problems = new Set<string>();
    const { clientWidth, scrollWidth } = document.documentElement;
    const unmarked = (text: string): string => text.replaceAll(/[\u2063\u2064]/g, '');
    const short = (text: string): string => unmarked(text).trim().replace(/\s+/g, ' ').slice(0, 60);
    const named = (element: Element): string => {
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      return name.replace(/_([a-z]+)_\w+_\d+/gi, '$1');
    };
    if (scrollWidth > clientWidth) {
      const widest = [...document.body.querySelectorAll('*')].findLast(
        (element) => element.getBoundingClientRect().right > clientWidth + SLACK_PX,
      );
      problems.add(
        `the page scrolls sideways: ${scrollWidth} px wide in ${clientWidth} px (${widest ? named(widest) : 'no element'})`,
      );
    }

    const styles = new Map<Element, CSSStyleDeclaration>();
    const styleOf = (element: Element): CSSStyleDeclaration => {
      const known = styles.get(element) ?? getComputedStyle(element);
      styles.set(element, known);
      return known;
    };
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll';
    const cuts = (value: string): boolean => value === 'hidden' || value === 'clip';
    const told = (element: Element, text: string): boolean =>
      [element.closest('[title]')?.getAttribute('title'), element.closest('[aria-label]')?.ariaLabel].some((full) =>
        unmarked(full ?? '').includes(unmarked(text).trim()),
      );
    const isBox = (element: Element): boolean => element.matches('button, a, th, td, label, select, [role=tab]');

    /** Shrunk to a pixel for screen readers alone. */
    function isUnseen(element: Element): boolean {
      for (let around: Element | null = element; around; around = around.parentElement) {
        if (cuts(styleOf(around).overflowX) && around.clientWidth <= 1 && around.clientHeight <= 1) return true;
      }
      return false;
    }

    /** How a text stands to what is around it; nothing where it fits. */
    function misfit(parent: Element, text: string, rect: DOMRect): string | undefined {
      let sideways = false;
      let boxed = false;
      for (let around: Element | null = parent; around; around = around.parentElement) {
        const style = styleOf(around);
        if (style.display === 'inline' || style.display === 'contents') continue;
        const box = around.getBoundingClientRect();
        const inside = rect.left >= box.left - SLACK_PX && rect.right <= box.right + SLACK_PX;
        const within = rect.top >= box.top - OVERLAP_PX && rect.bottom <= box.bottom + OVERLAP_PX;
        if (!sideways && !inside) {
          if (cuts(style.overflowX)) {
            const shortened = style.textOverflow === 'ellipsis' || styleOf(parent).textOverflow === 'ellipsis';
            return shortened && told(parent, text) ? undefined : `is cut off by ${named(around)}`;
          }
          if (isBox(around) && !boxed) return `stands out of ${named(around)}`;
        }
        if (cuts(style.overflowY) && !within && !scrolls(style.overflowX)) {
          if (style.webkitLineClamp !== 'none' && told(around, text)) return undefined;
          return `is cut off below by ${named(around)}`;
        }
        boxed ||= isBox(around);
        sideways ||= scrolls(style.overflowX);
        if (scrolls(style.overflowY) || style.position === 'fixed') break;
      }
      if (!sideways && (rect.right > clientWidth + SLACK_PX || rect.left < -SLACK_PX))
        return 'stands out of the window';
      return undefined;
    }

    /** Letters alone, so that neither a hyphen nor a name made of parts may stand at the break. */
    const LONG_WORD = /(?<![^\s(„“"«])[\p{L}\p{M}]{6,}(?![^\s).,:;!?“”"»…])/gu;
    const WRITTEN_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
    const range = document.createRange();

    const linesOf = (node: Node, from: number, to: number): number => {
      range.setStart(node, from);
      range.setEnd(node, to);
      return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
        .size;
    };

    /** Words that go on in the next line only because they may break anywhere: what still breaks without that has a hyphen there. */
    function brokenWords(node: Node, parent: HTMLElement): string[] {
      if (styleOf(parent).overflowWrap === 'normal' && styleOf(parent).wordBreak === 'normal') return [];
      const broken = [...(node.textContent ?? '').matchAll(LONG_WORD)].filter(
        ({ 0: word, index }) => !WRITTEN_WITHOUT_SPACES.test(word) && linesOf(node, index, index + word.length) > 1,
      );
      if (broken.length === 0) return [];
      const { cssText } = parent.style;
      parent.style.setProperty('overflow-wrap', 'normal', 'important');
      parent.style.setProperty('word-break', 'normal', 'important');
      const unhyphenated = broken.filter(({ 0: word, index }) => linesOf(node, index, index + word.length) === 1);
      parent.style.cssText = cssText;
      return unhyphenated.map(([word]) => word);
    }

    /** What of a text is left by what cuts it off sideways. */
    function uncut(parent: Element, rect: DOMRect): DOMRect {
      let { left, right } = rect;
      for (let around: Element | null = parent; around; around = around.parentElement) {
        if (!cuts(styleOf(around).overflowX)) continue;
        const box = around.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
      }
      return new DOMRect(left, rect.top, Math.max(0, right - left), rect.height);
    }

    const shown: { text: string; parent: Element; rect: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent ?? '';
      if (!parent || text.trim() === '' || parent.closest('.visually-hidden, select, script, style, [inert]')) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isUnseen(parent)) continue;
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width <= 1 || rect.height <= 1) continue;
      const problem = misfit(parent, text, rect);
      if (problem) problems.add(`"${short(text)}" ${problem}`);
      for (const word of parent instanceof HTMLElement ? brokenWords(node, parent) : []) {
        problems.add(`"${short(word)}" is broken without a hyphen`);
      }
      shown.push({ text, parent, rect: uncut(parent, rect) });
    }

    /** In a bar or an opened panel, which lies over the rest on purpose. */
    const layered = (element: Element): boolean => {
      for (let around: Element | null = element; around; around = around.parentElement) {
        const { position, zIndex } = styleOf(around);
        if (/fixed|sticky/.test(position) || (position === 'absolute' && Number(zIndex) > 0)) return true;
      }
      return false;
    };
    /** Beyond the edge of a list that scrolls by itself, and so not seen. */
    const scrolledAway = (parent: Element, rect: DOMRect): boolean => {
      for (let around: Element | null = parent; around && around !== document.body; around = around.parentElement) {
        if (!scrolls(styleOf(around).overflowY)) continue;
        const box = around.getBoundingClientRect();
        if (rect.bottom > box.bottom + SLACK_PX || rect.top < box.top - SLACK_PX) return true;
      }
      return false;
    };
    const flat = shown.filter(({ parent, rect }) => !layered(parent) && !scrolledAway(parent, rect));
    for (const [index, a] of flat.entries()) {
      for (const b of flat.slice(index + 1)) {
        if (a.parent.contains(b.parent) || b.parent.contains(a.parent)) continue;
        const width = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
        const height = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top);
        if (width > OVERLAP_PX && height > OVERLAP_PX) problems.add(`"${short(a.text)}" lies on "${short(b.text)}"`);
      }
    }

    for (const select of document.querySelectorAll<HTMLSelectElement>('select')) {
      const label = select.selectedOptions[0]?.label ?? '';
      if (!select.checkVisibility() || select.clientWidth <= 1 || label === '' || styleOf(select).opacity === '0')
        continue;
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) continue;
      const style = styleOf(select);
      pen.font = style.font;
      const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (pen.measureText(label).width > room + SLACK_PX && !told(select, label))
        problems.add(`"${short(label)}" is cut off by its select`);
    }
    return [...problems];
  });
