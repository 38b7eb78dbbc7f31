import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { DeletionList } from '../deletions/deletion-list.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { OrganisationList } from './organisation-list.tsx';
import { OrganisationTree } from './organisation-tree.tsx';
import styles from './organisations.module.css';

const views = ['list', 'tree', 'deleted'] as const;

/** Distributors, agents and installers: as a list, as a tree, and what was deleted. */
export function OrganisationsScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [query, setQuery] = useTabQuery();
  const view = views.find((name) => name === query.view) ?? 'list';
  const switcher = (
    <div className={styles.switcher}>
      <Segmented
        label={t('organisations.view.label')}
        value={view}
        options={views.map((value) => ({ value, label: t(`organisations.view.${value}`) }))}
        onChange={(next) => setQuery(next === 'list' ? {} : { view: next })}
      />
    </div>
  );
  const title = label('group-management');
  if (view === 'tree') return <OrganisationTree title={title} switcher={switcher} />;
  if (view === 'deleted') return <DeletionList title={title} switcher={switcher} />;
  return <OrganisationList title={title} switcher={switcher} />;
}
