import { useEffect } from 'react';
import { fetchQuietly } from '../client/quietly.ts';
import { hasScreen, screens } from '../screens.ts';
import { useGlobalState } from '../state/global-state.ts';
import { savesData, whileIdle } from '../state/idle.ts';

/** What of the shell comes when it is first asked for. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('../search/palette.tsx'),
  () => import('./account-panel.tsx'),
  () => import('./tabs/tab-list.tsx'),
  () => import('../blocks/widgets/record-entry.tsx'),
];

/** Fetches the code of the screens that are open to the account, one after the other while the browser is idle: opening them needs no network then. */
export function usePreload(): void {
  const open = useGlobalState((state) => state.menuCode);
  useEffect(() => {
    if (open === undefined || savesData()) return;
    const works = [...parts, ...open.filter(hasScreen).flatMap((name) => screens[name]?.preload ?? [])];
    return whileIdle(works.map((preload) => () => fetchQuietly(preload)));
  }, [open]);
}
