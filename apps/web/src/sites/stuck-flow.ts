import { type RefObject, useEffect, useRef } from 'react';
import type { ReplayStore } from './replay.ts';

const GAP_PX = 8;

/** Moves the page so far that the picture, where it is held at the top, ends above what is read of the curve. */
function makeRoom(region: HTMLElement): void {
  const flow = region.firstElementChild;
  const panel = flow?.firstElementChild;
  const chart = region.querySelector('figure');
  if (!flow || !panel || !chart) return;
  const topPx = Number.parseFloat(getComputedStyle(flow).top);
  const lackingPx = topPx + panel.getBoundingClientRect().height + GAP_PX - chart.getBoundingClientRect().top;
  if (lackingPx > 0) scrollBy({ top: -lackingPx, behavior: 'instant' });
}

/**
 * For the part of a page that holds the flow picture and, below it, the curve of the day. While a moment is shown the picture stays in
 * sight; it may become lower, but keeps its room, so that the curve stays where it is touched.
 */
export function useStuckFlow(replay: ReplayStore): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let wasShown = false;
    return replay.subscribe(() => {
      const isShown = replay.get().index !== null;
      const element = region.current;
      if (isShown && !wasShown && element) {
        const roomPx = element.firstElementChild?.getBoundingClientRect().height ?? 0;
        element.style.setProperty('--flow-room', `${roomPx}px`);
        requestAnimationFrame(() => makeRoom(element));
      }
      wasShown = isShown;
    });
  }, [replay]);
  return region;
}
