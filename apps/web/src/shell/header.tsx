import type { UserInfo } from '@sonnenwarte/contract/accounts/accounts';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/dropdown.tsx';
import { AccountPanel } from './account-panel.tsx';
import { DemoBadge } from './demo-badge.tsx';
import styles from './header.module.css';
import { LiveBadge } from './live-badge.tsx';
import { useTabs } from './tab-state.ts';
import { TabStrip } from './tab-strip.tsx';

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .slice(0, 2)
    .map((part) => part.slice(0, 1).toLocaleUpperCase())
    .join('');

/** Whose portal this is, whether it is live, who is signed in; below it the tabs, once there is more than home. */
export function Header({ account }: { account: UserInfo | undefined }) {
  const { t } = useTranslation();
  const withTabs = useTabs().list.length > 1;
  return (
    <header className={styles.header} data-tabs={withTabs || undefined}>
      <div className={styles.row}>
        <div className={styles.who}>
          {account && (
            <>
              <strong>{account.organisation || account.name || account.user}</strong>
              <span>{t(`levels.${account.access}`)}</span>
            </>
          )}
        </div>
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
          {() => <AccountPanel account={account} />}
        </Dropdown>
      </div>
      {withTabs && <TabStrip />}
    </header>
  );
}
