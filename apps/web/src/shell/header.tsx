import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { type RouteName, routes } from '@sonnenwarte/contract/routes';
import {
  IconChevronDown,
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/form/dropdown.tsx';
import { initialsOf } from '../format/initials.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useHasTabs } from '../tabs/tab-state.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { AccountAction } from './account-panel.tsx';
import { DemoBadge } from './demo-badge.tsx';
import styles from './header.module.css';
import { LiveBadge } from './live-badge.tsx';
import { useRail } from './menu/rail.ts';
import { LazyPart } from './screen-boundary.tsx';
import { TabStrip } from './tabs/tab-strip.tsx';

const AccountPanel = lazy(async () => ({ default: (await import('./account-panel.tsx')).AccountPanel }));

const parentOf = (name: RouteName): RouteName | undefined => {
  const route = routes.find((each) => each.name === name);
  return route && 'parent' in route ? route.parent : undefined;
};

interface HeaderProps {
  account: UserInfo | undefined;
  active: Pick<Tab, 'name' | 'title'> | undefined;
  /** The workspace takes function keys and context menu. */
  guarded: boolean;
  onAction: (action: AccountAction) => void;
}

/** Where one is, whether it is live, who is signed in; below it the tabs, once there is more than home. */
export function Header({ account, active, guarded, onAction }: HeaderProps) {
  const { t } = useTranslation();
  const withTabs = useHasTabs();
  return (
    <header className={styles.header} data-tabs={withTabs || undefined}>
      <div className={styles.row}>
        <CollapseButton />
        {active && <Place tab={active} />}
        <LiveBadge />
        {account?.demo && <DemoBadge />}
        <Dropdown
          className={styles.user ?? ''}
          button={
            <>
              <span className={styles.avatar} aria-hidden="true">
                {initialsOf(account?.name || account?.user || '')}
              </span>
              <span className="visually-hidden">{t('shell.account')}</span>
              <span>{account?.user}</span>
              <IconChevronDown size={16} aria-hidden="true" />
            </>
          }
        >
          {(hide) => (
            <LazyPart>
              <AccountPanel account={account} onLeave={hide} onAction={onAction} />
            </LazyPart>
          )}
        </Dropdown>
      </div>
      {withTabs && <TabStrip guarded={guarded} />}
    </header>
  );
}

function CollapseButton() {
  const { t } = useTranslation();
  const { rail, toggle } = useRail();
  const Icon = rail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <button
      type="button"
      className={styles.collapse}
      aria-expanded={!rail}
      aria-label={t('shell.mainMenu')}
      title={t(rail ? 'shell.expandMenu' : 'shell.collapseMenu')}
      onClick={toggle}
    >
      <Icon size={20} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

/** The way to the screen through the menu, quietly: its heading says the rest. */
function Place({ tab }: { tab: Pick<Tab, 'name' | 'title'> }) {
  const label = useRouteLabel();
  const parent = parentOf(tab.name);
  return (
    <p className={styles.place}>
      {parent && (
        <>
          <span>{label(parent)}</span>
          <IconChevronRight size={14} aria-hidden="true" />
        </>
      )}
      <span className={styles.here}>{tab.title ?? label(tab.name)}</span>
    </p>
  );
}
