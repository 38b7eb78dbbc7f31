import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { IconMenu2, IconRefresh, IconSearch, IconX } from '@tabler/icons-react';
import { type CSSProperties, lazy, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../blocks/overlay/sheet.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Logo } from '../blocks/show/logo.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { WhenIdle } from '../blocks/show/when-idle.tsx';
import { longestWord } from '../format/longest-word.ts';
import { MenuCount as AlarmCount } from '../incidents/menu-count.tsx';
import { leavesOf } from '../menu/menu.ts';
import { MenuIcon } from '../menu/menu-icons.tsx';
import { openPalette } from '../search/palette-state.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabs } from '../tabs/tab-state.ts';
import { HOME_TAB_ID, tabElementId } from '../tabs/tabs.ts';
import {
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  refreshTab,
  reopenClosedTab,
  showTab,
  useReopenable,
} from '../tabs/workspace.ts';
import type { AccountAction } from './account-panel.tsx';
import { DemoBadge } from './demo-badge.tsx';
import { LiveBadge } from './live-badge.tsx';
import { MenuList } from './menu/menu-list.tsx';
import styles from './phone-bars.module.css';
import { PullToRefresh } from './pull-to-refresh.tsx';
import { LazyPart } from './screen-boundary.tsx';

const AccountPanel = lazy(async () => ({ default: (await import('./account-panel.tsx')).AccountPanel }));

const BAR_ENTRIES = 4;

/** Screens whose menu entry is too long for the bar go by a shorter one. */
const inBar: Partial<Record<RouteName, RouteName>> = {
  'plant-view': 'plant',
  'device-inverter': 'device',
  'integrator-device-list': 'integrator-inverter',
};

/** Of their alarms the bar tells how many wait, wherever their entry is. */
const alarmLists: readonly RouteName[] = ['alarm', 'integrator-alarm'];

/** Top bar of a phone: the shown tab, which opens the switcher, and whether values are live. */
export function PhoneHeader({ account }: { account: UserInfo | undefined }) {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { list, activeId } = useTabs();
  const [opened, setOpened] = useState(false);
  const reopenable = useReopenable();
  const active = list.find((tab) => tab.id === activeId);
  const title = active && (active.title ?? label(active.name));
  const others = list.some(({ id }) => id !== activeId && id !== HOME_TAB_ID);
  return (
    <header className={styles.header}>
      <PullToRefresh />
      <Logo />
      <button type="button" className={styles.switcher} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <span className={styles.place}>
          <span className={styles.shown} title={title} style={{ '--letters': longestWord(title) } as CSSProperties}>
            {title}
          </span>
        </span>
        <span className={styles.count} aria-hidden="true">
          {list.length}
        </span>
        <span className="visually-hidden">{t('shell.openTabsCount', { count: list.length })}</span>
      </button>
      <LiveBadge brief />
      {account?.demo && <DemoBadge brief />}
      <button type="button" className={styles.search} aria-label={t('search.title')} onClick={openPalette}>
        <IconSearch size={20} stroke={1.8} aria-hidden="true" />
      </button>
      <Sheet opened={opened} onClose={() => setOpened(false)} title={t('shell.openTabs')}>
        <ul className={styles.tabs}>
          {list.map((tab) => {
            const title = tab.title ?? label(tab.name);
            return (
              <li key={tab.id} className={styles.tab} data-active={tab.id === activeId || undefined}>
                <button
                  type="button"
                  id={tabElementId(tab.id)}
                  className={styles.open}
                  aria-current={tab.id === activeId || undefined}
                  onClick={() => {
                    setOpened(false);
                    showTab(tab);
                  }}
                >
                  {title}
                </button>
                {tab.id === activeId && (
                  <button
                    type="button"
                    className={styles.close}
                    aria-label={t('shell.refreshTab')}
                    aria-disabled={tab.loadingNum > 0}
                    onClick={() => {
                      setOpened(false);
                      refreshTab(tab.id);
                    }}
                  >
                    <IconRefresh size={18} aria-hidden="true" />
                  </button>
                )}
                {tab.id !== HOME_TAB_ID && (
                  <button
                    type="button"
                    className={styles.close}
                    aria-label={t('shell.closeTab', { title })}
                    onClick={() => closeTab(tab.id)}
                  >
                    <IconX size={18} aria-hidden="true" />
                  </button>
                )}
              </li>
            );
          })}
        </ul>
        {reopenable && (
          <div className={styles.actions}>
            <Button
              onClick={() => {
                setOpened(false);
                reopenClosedTab();
              }}
            >
              {t('shell.reopenTab')}
            </Button>
          </div>
        )}
        {list.length > 1 && (
          <div className={styles.actions}>
            <Button onClick={() => closeOtherTabs(activeId)} disabled={!others}>
              {t('shell.closeOtherTabs')}
            </Button>
            <Button
              onClick={() => {
                setOpened(false);
                closeAllTabs();
              }}
            >
              {t('shell.closeAllTabs')}
            </Button>
          </div>
        )}
      </Sheet>
    </header>
  );
}

interface PhoneBarProps {
  account: UserInfo | undefined;
  activeName: string | undefined;
  onAction: (action: AccountAction) => void;
}

/** Bottom bar of a phone: four screens and More. */
export function PhoneBar({ account, activeName, onAction }: PhoneBarProps) {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const leaves = leavesOf(useGlobalState((state) => state.navigation));
  const entries = leaves.slice(0, BAR_ENTRIES);
  const others = leaves.slice(BAR_ENTRIES);
  const [opened, setOpened] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the sheet
  useEffect(() => setOpened(false), [activeName]);
  return (
    <nav className={styles.bar} aria-label={t('shell.mainMenu')}>
      {entries.map((entry) => (
        <ScreenLink
          key={entry.name}
          to={entry.name}
          className={styles.entry ?? ''}
          aria-current={entry.name === activeName ? 'page' : undefined}
        >
          <MenuIcon name={entry.name} />
          <BarLabel text={label(inBar[entry.name] ?? entry.name)} />
          {alarmLists.includes(entry.name) && (
            <WhenIdle>
              <AlarmCount className={styles.waiting ?? ''} />
            </WhenIdle>
          )}
        </ScreenLink>
      ))}
      <button
        type="button"
        className={styles.entry}
        aria-haspopup="dialog"
        aria-current={others.some(({ name }) => name === activeName) || undefined}
        onClick={() => setOpened(true)}
      >
        <IconMenu2 size={20} stroke={1.7} aria-hidden="true" />
        <BarLabel text={t('shell.more')} />
        {others.some(({ name }) => alarmLists.includes(name)) && (
          <WhenIdle>
            <AlarmCount className={styles.waiting ?? ''} />
          </WhenIdle>
        )}
      </button>
      <Sheet opened={opened} onClose={() => setOpened(false)} title={t('shell.more')} full>
        <div className={styles.sheet}>
          <MenuList activeName={activeName} onChosen={() => setOpened(false)} />
          <LazyPart>
            <AccountPanel account={account} onLeave={() => setOpened(false)} onAction={onAction} />
          </LazyPart>
        </div>
      </Sheet>
    </nav>
  );
}

function BarLabel({ text }: { text: string }): ReactNode {
  return <span style={{ '--letters': longestWord(text) } as CSSProperties}>{text}</span>;
}
