import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tab } from '../../tabs/tabs.ts';
import { useTabActions } from './tab-actions.ts';
import styles from './tab-menu.module.css';

export interface MenuPlace {
  left: number;
  top: number;
}

interface TabMenuProps {
  tab: Tab;
  title: string;
  at: MenuPlace;
  /** Called with whether the focus belongs back to the tab. */
  onClose: (back: boolean) => void;
}

/** The menu of one tab, where pointer or key asked for it: arrows walk, Enter acts, Escape and Tab close. */
export function TabMenu({ tab, title, at, onClose }: TabMenuProps) {
  const { t } = useTranslation();
  const actions = useTabActions(tab);
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:enabled') ?? [])];

  useEffect(() => {
    menu.current?.querySelector<HTMLButtonElement>('[role=menuitem]:enabled')?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) onClose(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const index = all.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = {
      ArrowDown: (index + 1) % all.length,
      ArrowUp: (index - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      all[move]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose(true);
    }
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !menu.current?.contains(event.relatedTarget)) onClose(false);
  };

  return (
    <div
      ref={menu}
      role="menu"
      aria-label={t('shell.tabMenu', { title })}
      className={styles.menu}
      style={{ left: `min(${at.left}px, calc(100vw - 14rem))`, top: `${at.top}px` }}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {actions.map(({ text, act, disabled }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.item}
          disabled={disabled}
          onClick={() => {
            onClose(true);
            act();
          }}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
