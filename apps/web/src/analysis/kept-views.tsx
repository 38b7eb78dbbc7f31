import { type SavedView, list as views } from '@sonnenwarte/contract/saved-views/saved-views';
import { IconBookmark, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../blocks/list/row-actions.tsx';
import type { ViewTask } from '../blocks/list/saved-views.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import type { Query } from '../router/query.ts';
import styles from './views.module.css';
import { VIEWS_LIST } from './views-list.ts';

const ViewDialog = lazy(async () => ({ default: (await import('../blocks/list/view-dialog.tsx')).ViewDialog }));

const isSame = (one: Query, other: Query): boolean =>
  Object.keys({ ...one, ...other }).every((key) => one[key] === other[key]);

/** Name of the view that shows the same as an address. */
export function useViewName(view: Query): SavedView | undefined {
  const { data } = useQuery(read(views, { list: VIEWS_LIST }));
  return Object.keys(view).length === 0 ? undefined : data?.views.find((each) => isSame(each.query, view));
}

interface KeptViewsProps {
  view: Query;
  onOpen: (view: Query) => void;
}

/** The account's own views and those of its colleagues. */
export function KeptViews({ view, onOpen }: KeptViewsProps): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(views, { list: VIEWS_LIST }));
  const [task, setTask] = useState<ViewTask>();
  const known = query.data?.views ?? [];
  return (
    <section className={styles.views}>
      <h3>{t('analysis.views')}</h3>
      <ReadState query={query}>
        <Skeleton height="2rem" />
      </ReadState>
      {query.data && known.length === 0 && <p>{t('analysis.noViews')}</p>}
      {known.length > 0 && (
        <ul aria-label={t('analysis.views')}>
          {known.map((each) => (
            <li key={each.viewID}>
              <button type="button" aria-pressed={isSame(each.query, view)} onClick={() => onOpen(each.query)}>
                {each.isShared ? (
                  <IconUsers size={16} role="img" aria-label={t('analysis.shared')} />
                ) : (
                  <IconBookmark size={16} aria-hidden="true" />
                )}
                <span>{each.name}</span>
              </button>
              {each.isOwn && (
                <RowActions
                  name={each.name}
                  actions={[
                    { label: t('blocks.views.rename'), onSelect: () => setTask({ kind: 'rename', view: each }) },
                    {
                      label: t('blocks.views.remove'),
                      danger: true,
                      onSelect: () => setTask({ kind: 'remove', view: each }),
                    },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {task !== undefined && (
        <Suspense>
          <ViewDialog task={task} list={VIEWS_LIST} view={view} address="" onClose={() => setTask(undefined)} />
        </Suspense>
      )}
    </section>
  );
}
