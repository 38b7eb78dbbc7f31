import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../show/button.tsx';
import { EmptyState } from '../show/empty-state.tsx';
import { useListText } from './list-text.ts';
import type { List } from './use-list.ts';

/** A list without rows: there are none yet, or none that the filters let through. */
export function EmptyList({ list }: { list: Pick<List, 'endpoint' | 'filters' | 'reset'> }): ReactNode {
  const { t } = useTranslation();
  const { sentence } = useListText();
  if (list.filters === 0) return <EmptyState text={sentence(list.endpoint, 'empty')} />;
  return (
    <EmptyState
      text={sentence(list.endpoint, 'noMatch')}
      action={<Button onClick={list.reset}>{t('common.clearFilters')}</Button>}
    />
  );
}
