import { type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';
import { giveFocusBack, type Spot, spotOf } from './kept-focus.ts';

/** Opens a modal window; the answer closes it and gives the focus back to what had it before. */
export function openModal(element: HTMLDialogElement, opener: { current: Spot | null }): () => void {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement instanceof HTMLElement) opener.current = spotOf(activeElement);
  element.showModal();
  return () => {
    element.close();
    // A dialog that is taken off the page gives the focus back to nobody.
    if (opener.current) giveFocusBack(opener.current);
  };
}

/** A second Escape in a row closes a modal window without asking; one that stays although is opened again. */
export function keepOpen(element: HTMLDialogElement | null, onOpened?: (element: HTMLDialogElement) => void): void {
  if (!element?.isConnected || element.open) return;
  element.showModal();
  onOpened?.(element);
}

interface Modal {
  dialog: RefObject<HTMLDialogElement | null>;
  /** Takes the window's `close` event. */
  onClosed: (event: SyntheticEvent) => void;
}

/** The browser's own modal window, while `opened`; `onClose` is called when the user closes it, and may refuse. */
export function useModal(opened: boolean, onClose: () => void, onOpened?: (element: HTMLDialogElement) => void): Modal {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Spot>(null);
  const closedByUs = useRef(false);
  const begin = useRef(onOpened);
  useEffect(() => {
    const element = dialog.current;
    if (!opened || !element) return;
    closedByUs.current = false;
    const close = openModal(element, opener);
    begin.current?.(element);
    return () => {
      closedByUs.current = true;
      close();
    };
  }, [opened]);
  const onClosed = (event: SyntheticEvent) => {
    if (event.target !== dialog.current || closedByUs.current) return;
    onClose();
    queueMicrotask(() => keepOpen(dialog.current, begin.current));
  };
  return { dialog, onClosed };
}
