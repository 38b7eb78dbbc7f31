import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { type SavedView, list as views } from '@sonnenwarte/contract/saved-views/saved-views';
import { IconBookmark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../../client/queries.ts';
import { addressOf } from '../../router/navigation.ts';
import type { Query } from '../../router/query.ts';
import { pathOf, useTab, useTabQuery } from '../../tabs/tab-context.ts';
import { Dropdown } from '../form/dropdown.tsx';
import { Skeleton } from '../show/loading.tsx';
import { ReadState } from '../show/read-state.tsx';
import { columnsText, keptColumns } from './chosen-columns.ts';
import { textsOf } from './list-text.ts';
import { RowActions } from './row-actions.tsx';
import styles from './saved-views.module.css';
import { ToolFace, toolButton } from './tool-face.tsx';

/** What is done with a view, in a dialog. */
export type ViewTask =
  | { readonly kind: 'save' }
  | { readonly kind: 'link' }
  | { readonly kind: 'rename' | 'remove'; readonly view: SavedView };

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }));

const isSame = (one: Query, other: Query): boolean =>
  Object.keys({ ...one, ...other }).every((key) => one[key] === other[key]);

/** What of an address a view is: the page is none of it. */
function viewOf({ currentPage: _, ...query }: Query, storedAs: string): Query {
  return { columns: columnsText(keptColumns(storedAs)), ...query };
}

interface SavedViewsProps {
  endpoint: ListEndpoint;
  /** Under which the list's columns are kept, and its views apart from others of its endpoint. */
  storedAs: string;
}

/** The account's own views of a list: filters, order and columns under a name, and their addresses. */
export function SavedViews({ endpoint, storedAs }: SavedViewsProps): ReactNode {
  const { t } = useTranslation();
  const [task, setTask] = useState<ViewTask>();
  const { name } = useTab();
  const [query] = useTabQuery();
  const list = storedAs === textsOf(endpoint) ? endpoint.path : `${endpoint.path}/${storedAs}`;
  return (
    <>
      <Dropdown
        fromStart
        label={t('blocks.views.title')}
        className={toolButton}
        button={<ToolFace icon={<IconBookmark size={16} aria-hidden="true" />} word={t('blocks.views.title')} />}
      >
        {(hide) => (
          <Views
            {...{ list, hide }}
            view={viewOf(query, storedAs)}
            begin={(next) => {
              hide();
              setTask(next);
            }}
          />
        )}
      </Dropdown>
      {task && (
        <Suspense>
          <ViewDialog
            {...{ task, list }}
            view={viewOf(query, storedAs)}
            address={`${location.origin}${addressOf(pathOf(name), viewOf(query, storedAs))}`}
            onClose={() => setTask(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

interface ViewsProps {
  list: string;
  view: Query;
  begin: (task: ViewTask) => void;
  hide: () => void;
}

function Views({ list, view, begin, hide }: ViewsProps): ReactNode {
  const { t } = useTranslation();
  const [, setQuery] = useTabQuery();
  const query = useQuery(read(views, { list }));
  const known = query.data?.views ?? [];
  return (
    <div className={styles.panel}>
      <ReadState query={query}>
        <Skeleton height="2.25rem" />
      </ReadState>
      {query.data &&
        (known.length === 0 ? (
          <p className={styles.none}>{t('blocks.views.none')}</p>
        ) : (
          <ul className={styles.list} aria-label={t('blocks.views.title')}>
            {known.map((each) => (
              <li key={each.viewID} className={styles.row}>
                <button
                  type="button"
                  className={styles.view}
                  aria-pressed={isSame(each.query, view)}
                  onClick={() => {
                    hide();
                    setQuery(each.query);
                  }}
                >
                  {each.name}
                </button>
                {each.isOwn && (
                  <RowActions
                    name={each.name}
                    actions={[
                      { label: t('blocks.views.rename'), onSelect: () => begin({ kind: 'rename', view: each }) },
                      {
                        label: t('blocks.views.remove'),
                        danger: true,
                        onSelect: () => begin({ kind: 'remove', view: each }),
                      },
                    ]}
                  />
                )}
              </li>
            ))}
          </ul>
        ))}
      <div className={styles.foot}>
        <button type="button" className={styles.view} onClick={() => begin({ kind: 'save' })}>
          {t('blocks.views.save')}
        </button>
        <button type="button" className={styles.view} onClick={() => begin({ kind: 'link' })}>
          {t('blocks.views.link')}
        </button>
      </div>
    </div>
  );
}
