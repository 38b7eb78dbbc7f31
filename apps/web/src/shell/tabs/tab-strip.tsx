import { IconBrowser, IconDots, IconHome, IconRefresh, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, lazy, type MouseEvent, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../../blocks/form/dropdown.tsx';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { useTabs } from '../../tabs/tab-state.ts';
import { HOME_TAB_ID, panelElementId, tabElementId } from '../../tabs/tabs.ts';
import { closeTab, refreshTab, showTab } from '../../tabs/workspace.ts';
import { LazyPart } from '../screen-boundary.tsx';
import { useTabActions } from './tab-actions.ts';
import type { MenuPlace } from './tab-menu.tsx';
import styles from './tab-strip.module.css';

const TabList = lazy(async () => ({ default: (await import('./tab-list.tsx')).TabList }));
const TabMenu = lazy(async () => ({ default: (await import('./tab-menu.tsx')).TabMenu }));

/** What of a title's end stays when it is shortened: screens and records of one kind begin alike. */
const tailOf = (title: string): string => title.slice(-Math.min(5, Math.ceil(title.length / 3))).trim();

/** Says at a title (`data-cut`) that it does not fit, as a ref. */
function showCut(element: HTMLElement | null): (() => void) | undefined {
  const text = element?.firstElementChild;
  if (!element || !text) return undefined;
  const observer = new ResizeObserver(() =>
    element.toggleAttribute('data-cut', text.scrollWidth > element.clientWidth),
  );
  observer.observe(element);
  observer.observe(text);
  return () => observer.disconnect();
}

/** A menu asked for by a key comes without a place of its own: it stands beneath its tab. */
function placeOf(event: MouseEvent<HTMLElement>): MenuPlace {
  const { left, bottom } = event.currentTarget.getBoundingClientRect();
  const byKey = event.clientX === 0 && event.clientY === 0;
  return byKey || event.detail === 0 ? { left, top: bottom } : { left: event.clientX, top: event.clientY };
}

/**
 * The open tabs: arrows move, Enter shows, Delete closes; the close button stands beside the tab. Where the workspace takes
 * the context menu (`guarded`), a tab has one of its own in its place.
 */
export function TabStrip({ guarded }: { guarded: boolean }) {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { list, activeId } = useTabs();
  const [menu, setMenu] = useState<{ id: string; at: MenuPlace }>();
  const asked = list.find((tab) => tab.id === menu?.id);
  const active = list.find((tab) => tab.id === activeId);
  const activeTitle = active?.title;
  const loading = (active?.loadingNum ?? 0) > 0;
  const actions = useTabActions(active);

  const closeMenu = useCallback(
    (back: boolean) => {
      setMenu(undefined);
      if (back) document.getElementById(tabElementId(menu?.id ?? ''))?.focus();
    },
    [menu?.id],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: tabs that come, go or get their names move the others
  useEffect(() => {
    const item = document.getElementById(tabElementId(activeId))?.parentElement;
    item?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeId, activeTitle, list.length]);

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
      closeTab(tab.id);
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
          const shown = tab.id === activeId;
          const title = tab.title ?? label(tab.name);
          return (
            <div
              key={tab.id}
              className={styles.item}
              data-active={shown || undefined}
              data-home={tab.id === HOME_TAB_ID || undefined}
            >
              <button
                type="button"
                role="tab"
                id={tabElementId(tab.id)}
                className={styles.tab}
                aria-selected={shown}
                aria-controls={shown ? panelElementId(tab.id) : undefined}
                tabIndex={shown ? 0 : -1}
                aria-label={title}
                title={title}
                onClick={() => showTab(tab)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onContextMenu={(event) => {
                  if (!guarded) return;
                  event.preventDefault();
                  setMenu({ id: tab.id, at: placeOf(event) });
                }}
                onAuxClick={(event) => {
                  if (event.button === 1) closeTab(tab.id);
                }}
              >
                {tab.id === HOME_TAB_ID && <IconHome size={15} stroke={1.8} aria-hidden="true" />}
                {tab.id === HOME_TAB_ID ? (
                  <span className="visually-hidden">{title}</span>
                ) : (
                  <span ref={showCut} className={styles.title} data-tail={tailOf(title)}>
                    <span>{title}</span>
                  </span>
                )}
              </button>
              {tab.id !== HOME_TAB_ID && (
                <button
                  type="button"
                  className={styles.close}
                  tabIndex={shown ? 0 : -1}
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
      <Dropdown
        label={`${t('shell.allTabs')}: ${list.length}`}
        className={styles.count ?? ''}
        button={
          <>
            <IconBrowser size={16} aria-hidden="true" />
            <span aria-hidden="true">{list.length}</span>
          </>
        }
      >
        {(hide) => (
          <LazyPart>
            <TabList onLeave={hide} />
          </LazyPart>
        )}
      </Dropdown>
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
      {menu && asked && (
        <LazyPart>
          <TabMenu tab={asked} title={asked.title ?? label(asked.name)} at={menu.at} onClose={closeMenu} />
        </LazyPart>
      )}
    </div>
  );
}
