import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { DeletionList } from '../deletions/deletion-list.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { AccountList } from './account-list.tsx';
import styles from './user-management.module.css';

const views = ['accounts', 'deleted'] as const;

/** Accounts in scope; administrators also see what was deleted. */
export function UserManagementScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [query, setQuery] = useTabQuery();
  const access = useGlobalState((state) => state.access);
  const title = label('user-management');
  if (access !== 255) return <AccountList title={title} switcher={null} />;
  const view = query.view === 'deleted' ? 'deleted' : 'accounts';
  const switcher = (
    <div className={styles.switcher}>
      <Segmented
        label={t('organisations.view.label')}
        value={view}
        options={views.map((value) => ({
          value,
          label: t(value === 'accounts' ? 'user-management.view.accounts' : 'organisations.view.deleted'),
        }))}
        onChange={(next) => setQuery(next === 'accounts' ? {} : { view: next })}
      />
    </div>
  );
  return view === 'deleted' ? (
    <DeletionList title={title} switcher={switcher} />
  ) : (
    <AccountList title={title} switcher={switcher} />
  );
}
