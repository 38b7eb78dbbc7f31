import { type ReactNode, use, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { TabContext } from '../../tabs/tab-context.ts';
import { Badge } from '../show/badge.tsx';
import { hasDraft, NO_TAB, watchDrafts } from './drafts.ts';

/** Says at what opens a form that something was typed there and not sent: after a reload the form is closed. */
export function DraftMark({ path }: { path: string }): ReactNode {
  const { t } = useTranslation();
  const tabId = use(TabContext)?.id ?? NO_TAB;
  const isKept = () => hasDraft(tabId, path);
  const drafted = useSyncExternalStore(watchDrafts, isKept, isKept);
  return drafted ? <Badge>{t('blocks.draft')}</Badge> : null;
}
