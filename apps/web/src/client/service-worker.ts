import { savesData } from '../state/idle.ts';

/** Where the service worker of the portal is. */
export const WORKER = '/worker.js';

/** Browsers let a page have one over https, and on this machine. */
export const canWork = (): boolean => isSecureContext && 'serviceWorker' in navigator;

/** Gives it what this page has fetched before there was one, the texts of its language for instance: the browser has it already. */
async function keepFilesOfPage(): Promise<void> {
  const name = (await caches.keys()).find((each) => each.startsWith('shell-'));
  if (name === undefined) return;
  const kept = await caches.open(name);
  for (const { name: address } of performance.getEntriesByType('resource')) {
    if (!address.startsWith(`${location.origin}/assets/`) || (await kept.match(address))) continue;
    await kept.add(address);
  }
}

/** Lets the service worker keep what the first pages are made of, so that they open without a network. Says whether it does. */
export async function startWorker(): Promise<boolean> {
  if (!canWork() || savesData()) return true;
  try {
    await navigator.serviceWorker.register(WORKER);
    await navigator.serviceWorker.ready;
    await keepFilesOfPage();
    return true;
  } catch {
    return false;
  }
}
