import { useEffect } from 'react';
import { pageBrand } from '../brand/page-brand.ts';

/** What the portal is called here. */
export const APP_NAME = pageBrand?.name ?? 'Sonnenwarte';

/** Title of the page: the screen's name before the app's, or the app's alone. */
export const titleOf = (screen: string | undefined): string =>
  screen === undefined || screen === '' ? APP_NAME : `${screen} · ${APP_NAME}`;

export function useDocumentTitle(screen: string | undefined): void {
  useEffect(() => {
    document.title = titleOf(screen);
  }, [screen]);
}
