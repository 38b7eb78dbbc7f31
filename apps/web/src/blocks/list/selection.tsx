import { IconX } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from '../form/check-box.module.css';
import { IconButton } from '../show/button.tsx';
import { isForRows } from './row-keys.ts';
import styles from './selection.module.css';

/** Chosen rows of a list, by their keys; they stay chosen while pages are turned. */
export interface Selection {
  keys: ReadonlySet<string>;
  set: (keys: ReadonlySet<string>) => void;
  clear: () => void;
  /** Rows that can be chosen; else all. */
  canSelect?: (key: string) => boolean;
  /** What can be done with the chosen rows. */
  actions?: ReactNode;
}

/** Rows chosen in a list: `selection={{ ...chosen, actions: <Button … /> }}`. */
export function useSelection(): Selection {
  const [keys, set] = useState<ReadonlySet<string>>(() => new Set());
  return useMemo(() => ({ keys, set, clear: () => set(new Set()) }), [keys]);
}

/** Escape lets all chosen rows go; a dialog, a menu or a field has it first. The focus stays in the list. */
export function useEscape(selection: Selection | undefined, place: RefObject<HTMLElement | null>): void {
  const clear = selection !== undefined && selection.keys.size > 0 ? selection.clear : undefined;
  useEffect(() => {
    if (!clear) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isForRows(event) || document.querySelector(':modal, :popover-open')) return;
      event.preventDefault();
      // The bar goes, and what has the focus in it.
      if (document.activeElement?.closest('[data-selection-bar]')) {
        place.current?.querySelector<HTMLElement>('[data-row-opener], input[type="checkbox"]')?.focus();
      }
      clear();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [clear, place]);
}

const withKeys = (keys: ReadonlySet<string>, changed: readonly string[], chosen: boolean): ReadonlySet<string> => {
  const next = new Set(keys);
  for (const key of changed) {
    if (chosen) next.add(key);
    else next.delete(key);
  }
  return next;
};

/** Chooses a whole page, or lets it go. */
export function PageBox({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const { t } = useTranslation();
  const choosable = keys.filter((key) => selection.canSelect?.(key) ?? true);
  const count = choosable.filter((key) => selection.keys.has(key)).length;
  return (
    <label className={styles.target}>
      <span className="visually-hidden">{t('blocks.selection.page')}</span>
      <input
        type="checkbox"
        className={checkStyles.box}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < choosable.length;
        }}
        checked={count > 0 && count === choosable.length}
        disabled={choosable.length === 0}
        onChange={() => selection.set(withKeys(selection.keys, choosable, count < choosable.length))}
      />
    </label>
  );
}

/** Chooses one row. */
export function RowBox({ selection, rowKey, name }: { selection: Selection; rowKey: string; name: string }) {
  const { t } = useTranslation();
  return (
    <label className={styles.target}>
      <span className="visually-hidden">{t('blocks.selection.row', { name })}</span>
      <input
        type="checkbox"
        className={checkStyles.box}
        checked={selection.keys.has(rowKey)}
        disabled={!(selection.canSelect?.(rowKey) ?? true)}
        onChange={(event) => selection.set(withKeys(selection.keys, [rowKey], event.currentTarget.checked))}
      />
    </label>
  );
}

/** How many rows are chosen, and what can be done with them. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { t } = useTranslation();
  const count = selection.keys.size;
  return (
    <div role="status" data-selection-bar className={count === 0 ? 'visually-hidden' : styles.bar}>
      {count > 0 && (
        <>
          <strong>{t('blocks.selection.count', { count })}</strong>
          {selection.actions}
          <span className={styles.clear}>
            <IconButton aria-label={t('blocks.selection.clear')} onClick={selection.clear}>
              <IconX size={16} aria-hidden="true" />
            </IconButton>
          </span>
        </>
      )}
    </div>
  );
}
