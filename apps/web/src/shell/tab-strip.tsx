import { IconDots, IconHome, IconRefresh, IconX } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/dropdown.tsx';
import { useRouteLabel } from './route-label.ts';
import { useTabs } from './tab-state.ts';
import styles from './tab-strip.module.css';
import { HOME_TAB_ID } from './tabs.ts';
import { closeAllTabs, closeOtherTabs, closeTab, refreshTab, showTab } from './workspace.ts';

export const tabElementId = (id: string): string => `tab-of-${id}`;
export const panelElementId = (id: string): string => `panel-of-${id}`;

/** The open tabs: arrows move, Enter shows, Delete closes; the close button stands beside the tab. */
export function TabStrip() {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { list, activeId } = useTabs();

  const atHome = activeId === HOME_TAB_ID;
  const loading = list.some((tab) => tab.id === activeId && tab.loadingNum > 0);
  const actions = [
    { text: t('shell.refreshTab'), act: () => refreshTab(activeId), disabled: loading },
    { text: t('shell.closeThisTab'), act: () => closeTab(activeId), disabled: atHome },
    { text: t('shell.closeOtherTabs'), act: closeOtherTabs, disabled: false },
    { text: t('shell.closeAllTabs'), act: closeAllTabs, disabled: false },
  ];

  const focusTab = (id: string | undefined) => {
    if (id !== undefined) document.getElementById(tabElementId(id))?.focus();
  };

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const last = list.length - 1;
    const moves: Record<string, number> = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    const tab = list[index];
    if (move !== undefined) {
      event.preventDefault();
      focusTab(list[move]?.id);
    } else if (event.key === 'Delete' && tab && tab.id !== HOME_TAB_ID) {
      event.preventDefault();
      const follower = (list[index + 1] ?? list[index - 1])?.id;
      closeTab(tab.id);
      focusTab(follower);
    }
  };

  return (
    <div className={styles.strip}>
      <div
        role="tablist"
        aria-label={t('shell.openTabs')}
        aria-owns={list.map((tab) => tabElementId(tab.id)).join(' ')}
        className="visually-hidden"
      />
      <div className={styles.tabs}>
        {list.map((tab, index) => {
          const active = tab.id === activeId;
          const title = tab.title ?? label(tab.name);
          return (
            <div key={tab.id} className={styles.item} data-active={active || undefined}>
              <button
                type="button"
                role="tab"
                id={tabElementId(tab.id)}
                className={styles.tab}
                aria-selected={active}
                aria-controls={active ? panelElementId(tab.id) : undefined}
                tabIndex={active ? 0 : -1}
                title={title}
                onClick={() => showTab(tab)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onAuxClick={(event) => {
                  if (event.button === 1) closeTab(tab.id);
                }}
              >
                {tab.id === HOME_TAB_ID && <IconHome size={15} stroke={1.8} aria-hidden="true" />}
                <span className={styles.title}>{title}</span>
              </button>
              {tab.id !== HOME_TAB_ID && (
                <button
                  type="button"
                  className={styles.close}
                  tabIndex={active ? 0 : -1}
                  aria-label={t('shell.closeTab', { title })}
                  onClick={() => closeTab(tab.id)}
                >
                  <IconX size={13} stroke={2.2} aria-hidden="true" />
                </button>
              )}
            </div>
          );
        })}
      </div>
      <button
        type="button"
        className={styles.more}
        aria-label={t('shell.refreshTab')}
        title={t('shell.refreshTab')}
        aria-disabled={loading}
        data-loading={loading || undefined}
        onClick={() => refreshTab(activeId)}
      >
        <IconRefresh size={16} aria-hidden="true" />
      </button>
      <Dropdown
        label={t('shell.tabActions')}
        className={styles.more ?? ''}
        button={<IconDots size={18} aria-hidden="true" />}
      >
        {(hide) => (
          <ul className={styles.actions}>
            {actions.map(({ text, act, disabled }) => (
              <li key={text}>
                <button
                  type="button"
                  className={styles.action}
                  disabled={disabled}
                  onClick={() => {
                    hide();
                    act();
                  }}
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Dropdown>
    </div>
  );
}
