/** A finger that has gone so far down means it. */
const CAPTURED_PX = 8;
/** What has been dragged past this share of its height is closed. */
const CLOSED_SHARE = 1 / 3;
/** A flick closes, too. */
const FLICK_PX = 48;
const FLICK_PX_PER_MS = 0.6;

/** What takes a drag for itself. */
const OWN_DRAG = 'input, textarea, select, canvas, [role="slider"], [contenteditable="true"]';

interface Drag {
  readonly x: number;
  readonly y: number;
  readonly startMs: number;
  captured: boolean;
}

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether something between what was touched and the sheet can still be scrolled up: then the finger scrolls. */
function isScrolled(from: Element, sheet: HTMLElement): boolean {
  for (let element: Element | null = from; element !== null; element = element.parentElement) {
    if (element.scrollTop > 0) return true;
    if (element === sheet) return false;
  }
  return false;
}

/** How a drag that ends stands to the height of what was dragged. */
export const closesBy = ({ downPx, tookMs, heightPx }: { downPx: number; tookMs: number; heightPx: number }): boolean =>
  downPx > heightPx * CLOSED_SHARE || (downPx > FLICK_PX && downPx / Math.max(1, tookMs) > FLICK_PX_PER_MS);

/**
 * Closes a sheet that a finger drags down from where nothing can be scrolled up any more. It follows the finger, except for who wants
 * things to stay still. The answer ends it.
 */
export function closeBySwipe(sheet: HTMLElement, close: () => void): () => void {
  let drag: Drag | null = null;

  const moveTo = (downPx: number): void => {
    if (!isStill()) sheet.style.translate = downPx === 0 ? '' : `0 ${downPx}px`;
  };
  const start = ({ touches, target, timeStamp }: TouchEvent): void => {
    const [touch] = touches;
    const isOurs = target instanceof Element && target.closest('dialog') === sheet && target.closest(OWN_DRAG) === null;
    drag =
      touch !== undefined && touches.length === 1 && isOurs && !isScrolled(target, sheet)
        ? { x: touch.clientX, y: touch.clientY, startMs: timeStamp, captured: false }
        : null;
  };
  const move = (event: TouchEvent): void => {
    const [touch] = event.touches;
    if (drag === null || touch === undefined) return;
    const downPx = touch.clientY - drag.y;
    if (!drag.captured) {
      const asidePx = Math.abs(touch.clientX - drag.x);
      if (downPx < CAPTURED_PX && asidePx < CAPTURED_PX && downPx > -CAPTURED_PX) return;
      if (downPx < asidePx) {
        drag = null;
        return;
      }
      drag.captured = true;
    }
    if (event.cancelable) event.preventDefault();
    moveTo(Math.max(0, downPx));
  };
  const end = ({ changedTouches, timeStamp, type }: TouchEvent): void => {
    const ended = drag;
    drag = null;
    if (ended?.captured !== true) return;
    moveTo(0);
    const downPx = (changedTouches[0]?.clientY ?? ended.y) - ended.y;
    const way = { downPx, tookMs: timeStamp - ended.startMs, heightPx: sheet.getBoundingClientRect().height };
    if (type === 'touchend' && closesBy(way)) close();
  };

  sheet.addEventListener('touchstart', start, { passive: true });
  sheet.addEventListener('touchmove', move, { passive: false });
  sheet.addEventListener('touchend', end);
  sheet.addEventListener('touchcancel', end);
  return () => {
    sheet.removeEventListener('touchstart', start);
    sheet.removeEventListener('touchmove', move);
    sheet.removeEventListener('touchend', end);
    sheet.removeEventListener('touchcancel', end);
  };
}
