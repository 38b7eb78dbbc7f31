import { useTranslation } from 'react-i18next';
import { useTabs } from '../../tabs/tab-state.ts';
import { HOME_TAB_ID, type Tab } from '../../tabs/tabs.ts';
import {
  closeActiveTab,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  refreshTab,
  reopenClosedTab,
  useReopenable,
} from '../../tabs/workspace.ts';

export interface TabAction {
  text: string;
  act: () => void;
  disabled: boolean;
}

/** What can be done with a tab; only the shown one can be loaded anew. */
export function useTabActions(tab: Tab | undefined): readonly TabAction[] {
  const { t } = useTranslation();
  const { list } = useTabs();
  const reopenable = useReopenable();
  if (!tab) return [];
  const others = list.some(({ id }) => id !== tab.id && id !== HOME_TAB_ID);
  return [
    { text: t('shell.refreshTab'), act: () => refreshTab(tab.id), disabled: !tab.isShow || tab.loadingNum > 0 },
    {
      text: t('shell.closeThisTab'),
      act: tab.isShow ? closeActiveTab : () => closeTab(tab.id),
      disabled: tab.id === HOME_TAB_ID,
    },
    { text: t('shell.closeOtherTabs'), act: () => closeOtherTabs(tab.id), disabled: !others },
    { text: t('shell.closeAllTabs'), act: closeAllTabs, disabled: list.length === 1 },
    { text: t('shell.reopenTab'), act: reopenClosedTab, disabled: !reopenable },
  ];
}
