import type uPlot from 'uplot';

/** How far a finger goes sideways before it is more than a tap, and a mouse. */
const DRAG_PX = { mouse: 4, touch: 8 } as const;
const AWAY = { left: -10, top: -10 };

export interface PointerReaders {
  /** The pointer is held and moves. */
  drag: () => void;
  /** It was let go after it had moved. */
  letGo: () => void;
  /** It was put down and lifted at one place. */
  tap: () => void;
  /** Another place of the page was chosen, and not what shows the same moment (`data-scrubs`). */
  elsewhere: () => void;
}

/** Moves the cursor of a plot with a finger, and tells what finger and mouse do with it. */
export function followPointer(plot: uPlot, element: HTMLElement, readers: PointerReaders): () => void {
  let downX: number | null = null;
  let isDragging = false;
  const chart = element.closest('figure') ?? element;
  const isInside = (target: EventTarget | null): boolean => target instanceof Node && chart.contains(target);

  const place = (event: PointerEvent): void => {
    const { left, width } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: Math.min(width, Math.max(0, event.clientX - left)), top: 0 });
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    downX = event.clientX;
    if (event.pointerType !== 'mouse') place(event);
  };
  const move = (event: PointerEvent): void => {
    const isMouse = event.pointerType === 'mouse';
    if (downX === null) return;
    if (!isDragging && Math.abs(event.clientX - downX) >= DRAG_PX[isMouse ? 'mouse' : 'touch']) isDragging = true;
    if (!isMouse || isDragging) place(event);
    if (isDragging) readers.drag();
  };
  const up = (): void => {
    if (downX === null) return;
    downX = null;
    if (isDragging) readers.letGo();
    else readers.tap();
    isDragging = false;
  };
  /** The browser took the finger for scrolling. */
  const cancel = (): void => {
    if (isDragging) readers.letGo();
    downX = null;
    isDragging = false;
  };
  const leave = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType !== 'mouse' && !isInside(target)) plot.setCursor(AWAY);
  };
  const click = ({ target }: MouseEvent): void => {
    const isOfTheSame = target instanceof Element && target.closest('[data-scrubs]') !== null;
    if (!isInside(target) && !isOfTheSame) readers.elsewhere();
  };
  element.addEventListener('pointerdown', down);
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', up);
  document.addEventListener('pointercancel', cancel);
  document.addEventListener('pointerdown', leave);
  // Before what the click does, which may take away what was clicked.
  document.addEventListener('click', click, true);
  return () => {
    element.removeEventListener('pointerdown', down);
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', up);
    document.removeEventListener('pointercancel', cancel);
    document.removeEventListener('pointerdown', leave);
    document.removeEventListener('click', click, true);
  };
}
