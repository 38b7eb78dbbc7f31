import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { useEffect } from 'react';

const functionKey = /^F([1-9]|1[0-2])$/;

/** Whether a key is one that the workspace takes: F1 to F12 alone; with another key they belong to browser and system. */
export const isTaken = (event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>): boolean =>
  functionKey.test(event.key) && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;

/** Whether the account wants keys and context menu taken; before it is known they are nobody's to take. */
export const wantsGuard = (account: Pick<UserInfo, 'keysGuarded'> | undefined): boolean =>
  account !== undefined && account.keysGuarded !== false;

const asksForMenu = (event: KeyboardEvent): boolean =>
  event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);

/**
 * Disables F1 to F12 and the context menu (specification, section 2) as long as the account wants it. The menu that a key
 * asks for always comes.
 */
export function guardKeys(target: Window): () => void {
  let askedByKey = false;
  const onKeyDown = (event: KeyboardEvent) => {
    askedByKey = asksForMenu(event);
    if (isTaken(event)) event.preventDefault();
  };
  const onPointerDown = () => {
    askedByKey = false;
  };
  const onContextMenu = (event: MouseEvent) => {
    // A long press of a finger selects text before it asks for any menu.
    const byFinger = 'pointerType' in event && event.pointerType === 'touch';
    if (!askedByKey && !byFinger) event.preventDefault();
    askedByKey = false;
  };
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  target.addEventListener('keydown', onKeyDown, options);
  target.addEventListener('pointerdown', onPointerDown, options);
  target.addEventListener('contextmenu', onContextMenu, options);
  return () => ended.abort();
}

export function useGuardedKeys(guarded: boolean): void {
  useEffect(() => (guarded ? guardKeys(window) : undefined), [guarded]);
}
