import { useEffect } from 'react';
import { fetchQuietly } from '../client/chunk-failure.ts';
import { hasScreen, screens } from '../screens.ts';
import { useGlobalState } from '../state/global-state.ts';

/** What the screen at hand asks for comes first. */
const AFTER_MS = 3_000;

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 10_000 });
  else setTimeout(work, 200);
}

const savesData = (): boolean =>
  'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;

/** What of the shell comes when it is first asked for. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('../tabs/tab-strip.tsx'),
  () => import('../search/palette.tsx'),
  () => import('./account-panel.tsx'),
  () => import('../tabs/tab-list.tsx'),
  () => import('../blocks/widgets/record-entry.tsx'),
];

/** Fetches the code of the screens that are open to the account, one after the other while the browser is idle: opening them needs no network then. */
export function usePreload(): void {
  const open = useGlobalState((state) => state.menuCode);
  useEffect(() => {
    if (open === undefined || savesData()) return;
    let left = [...parts, ...open.filter(hasScreen).flatMap((name) => screens[name]?.preload ?? [])];
    const next = () => {
      const [preload, ...others] = left;
      left = others;
      if (!preload) return;
      whenIdle(() => void fetchQuietly(preload).then((fetched) => fetched && next()));
    };
    const timer = setTimeout(next, AFTER_MS);
    return () => {
      left = [];
      clearTimeout(timer);
    };
  }, [open]);
}
