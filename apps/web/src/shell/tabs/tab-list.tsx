import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { matches } from '../../search/wish.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { useTabs } from '../../tabs/tab-state.ts';
import { HOME_TAB_ID } from '../../tabs/tabs.ts';
import { closeTab, showTab } from '../../tabs/workspace.ts';
import styles from './tab-list.module.css';

/** All open tabs beneath a search: arrows walk from the field through the list, Enter in the field shows the first. */
export function TabList({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { list, activeId } = useTabs();
  const [wanted, setWanted] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const found = list
    .map((tab) => ({ tab, title: tab.title ?? label(tab.name) }))
    .filter(({ title }) => matches(title, wanted.trim()));

  useEffect(() => field.current?.focus(), []);

  const show = (tab: (typeof list)[number] | undefined) => {
    if (!tab) return;
    onLeave();
    showTab(tab);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops = [...(root.current?.querySelectorAll<HTMLElement>('input, [data-stop]') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches what its own controls let through
    <div ref={root} className={styles.panel} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        className={styles.search}
        aria-label={t('shell.findTab')}
        placeholder={t('shell.findTab')}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Else the button that has the focus then is pressed by the same key.
          event.preventDefault();
          show(found[0]?.tab);
        }}
      />
      {found.length === 0 && <p className={styles.none}>{t('shell.noTab')}</p>}
      <ul className={styles.list}>
        {found.map(({ tab, title }) => (
          <li key={tab.id} className={styles.item}>
            <button
              type="button"
              data-stop
              className={styles.tab}
              aria-current={tab.id === activeId || undefined}
              onClick={() => show(tab)}
            >
              {title}
            </button>
            {tab.id !== HOME_TAB_ID && (
              <button
                type="button"
                className={styles.close}
                aria-label={t('shell.closeTab', { title })}
                onClick={() => {
                  field.current?.focus();
                  closeTab(tab.id);
                }}
              >
                <IconX size={14} stroke={2} aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
