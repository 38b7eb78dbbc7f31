/** Says at an element that scrolls sideways (`data-scrolls`) on which sides there is more, as a ref. */
export function showEdges(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const say = () => {
    const left = element.scrollLeft > 0;
    const right = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
    const sides = [left && 'left', right && 'right'].filter(Boolean).join(' ');
    if (sides === '') delete element.dataset.scrolls;
    else element.dataset.scrolls = sides;
  };
  say();
  const observer = new ResizeObserver(say);
  observer.observe(element);
  if (element.firstElementChild) observer.observe(element.firstElementChild);
  element.addEventListener('scroll', say, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener('scroll', say);
  };
}
