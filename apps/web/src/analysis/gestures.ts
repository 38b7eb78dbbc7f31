import type { Window } from './lanes.ts';

/** How far a mouse goes before it draws a part. */
const DRAG_PX = 5;
/** Less is no part that somebody means. */
const LEAST_PART_PX = 8;
const WHEEL_STEP = 1.2;

export interface GestureReaders {
  /** What is shown now. */
  part: () => Window;
  /** The pointer is at a moment; null once it has left. */
  point: (tsMs: number | null) => void;
  /** A part is being drawn, as shares of the width; null once it is done or given up. */
  drawing: (part: { readonly from: number; readonly to: number } | null) => void;
  /** A part was drawn. */
  choose: (part: Window) => void;
  /** Closer or further away around a moment. */
  zoom: (factor: number, aroundMs: number, fromPart?: Window) => void;
  /** All of it. */
  reset: () => void;
}

/**
 * What a mouse and fingers do on a plot: a mouse points and draws a part, one finger points, two zoom, the wheel zooms with Ctrl, a double click shows
 * all. Whatever goes up and down with one finger stays the page's (`touch-action: pan-y`).
 */
export function followGestures(element: HTMLElement, readers: GestureReaders): () => void {
  const fingers = new Map<number, number>();
  let drawnFrom: number | null = null;
  let isDrawing = false;
  let pinch: { readonly distance: number; readonly part: Window; readonly aroundMs: number } | null = null;

  const shareOf = (clientX: number): number => {
    const { left, width } = element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
  };
  const momentAt = (share: number, { fromMs, toMs }: Window = readers.part()): number =>
    fromMs + share * (toMs - fromMs);

  const beginPinch = (): void => {
    const [one = 0, other = 0] = [...fingers.values()];
    const part = readers.part();
    pinch = {
      distance: Math.max(12, Math.abs(one - other)),
      part,
      aroundMs: momentAt(shareOf((one + other) / 2), part),
    };
    readers.point(null);
  };

  const down = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') {
      if (event.button !== 0) return;
      drawnFrom = event.clientX;
      element.setPointerCapture(event.pointerId);
      return;
    }
    fingers.set(event.pointerId, event.clientX);
    if (fingers.size === 2) beginPinch();
    else if (fingers.size === 1) readers.point(momentAt(shareOf(event.clientX)));
  };

  const move = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event.clientX);
      if (pinch !== null && fingers.size >= 2) {
        const [one = 0, other = 0] = [...fingers.values()];
        readers.zoom(pinch.distance / Math.max(12, Math.abs(one - other)), pinch.aroundMs, pinch.part);
      } else if (pinch === null) readers.point(momentAt(shareOf(event.clientX)));
      return;
    }
    readers.point(momentAt(shareOf(event.clientX)));
    if (drawnFrom === null) return;
    if (Math.abs(event.clientX - drawnFrom) >= DRAG_PX) isDrawing = true;
    if (!isDrawing) return;
    const ends = [shareOf(drawnFrom), shareOf(event.clientX)].toSorted((a, b) => a - b);
    readers.drawing({ from: ends[0] ?? 0, to: ends[1] ?? 1 });
  };

  const up = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') {
      fingers.delete(event.pointerId);
      if (fingers.size === 0) pinch = null;
      return;
    }
    if (isDrawing && drawnFrom !== null && Math.abs(event.clientX - drawnFrom) >= LEAST_PART_PX) {
      const [from = 0, to = 0] = [momentAt(shareOf(drawnFrom)), momentAt(shareOf(event.clientX))].toSorted(
        (a, b) => a - b,
      );
      readers.choose({ fromMs: from, toMs: to });
    }
    drawnFrom = null;
    isDrawing = false;
    readers.drawing(null);
  };

  /** The browser took the finger for scrolling, or the mouse was taken away. */
  const cancel = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) pinch = null;
    drawnFrom = null;
    isDrawing = false;
    readers.drawing(null);
  };
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse' && drawnFrom === null) readers.point(null);
  };
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    readers.zoom(event.deltaY > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, momentAt(shareOf(event.clientX)));
  };
  const double = (): void => readers.reset();

  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', cancel);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('dblclick', double);
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', cancel);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('dblclick', double);
  };
}
