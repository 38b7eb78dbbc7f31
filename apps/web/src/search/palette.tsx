import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from '../blocks/overlay/modal.ts';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { showNotice } from '../notices/notices.ts';
import { useGlobalState } from '../state/global-state.ts';
import { appendTab } from '../tabs/workspace.ts';
import styles from './palette.module.css';
import { PaletteKeys } from './palette-keys.tsx';
import { PaletteOption } from './palette-option.tsx';
import { closePalette } from './palette-state.ts';
import type { PaletteRow } from './rows.ts';
import { usePaletteGroups } from './use-palette-groups.ts';
import { type Kind, kinds, wishOf } from './wish.ts';

const LONGEST = 80;

/** Opens a row, in its own tab or in one behind what is shown; an action acts either way. */
function take({ target, name }: PaletteRow, behind: boolean, said: string): void {
  if ('act' in target) {
    closePalette();
    target.act();
  } else if (behind) {
    appendTab(target.to, target.query, target.title);
    showNotice({ id: `behind:${name}`, text: said, color: 'brand' });
  } else {
    closePalette();
    openScreen(target);
  }
}

/** The search over screens, plants, serial numbers, people and actions. */
export function Palette(): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { dialog, onClosed } = useModal(true, closePalette);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Kind>('all');
  const [at, setAt] = useState(0);
  const menuCode = useGlobalState((state) => state.menuCode);
  const wish = wishOf(typed, chosen);
  const { groups, isAsking, error, retry } = usePaletteGroups(wish);
  const rows = groups.flatMap((group) => group.rows);
  const current = Math.min(at, rows.length - 1);
  const offered = kinds.filter(
    (kind) =>
      (kind !== 'people' || menuCode?.includes('user-management')) &&
      (kind !== 'orders' || menuCode?.includes('work-order-detail')),
  );

  const choose = (kind: Kind) => {
    // A sign that says another kind goes.
    if (wish.kind !== chosen) setTyped(wish.text);
    setChosen(kind);
    setAt(0);
  };
  const walk = (to: number) => {
    if (rows.length === 0) return;
    const next = (to + rows.length) % rows.length;
    setAt(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const open = (row: PaletteRow | undefined, behind: boolean) => {
    if (row) take(row, behind, t('search.behind', { name: row.name }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') walk(current + 1);
    else if (event.key === 'ArrowUp') walk(current - 1);
    else if (event.key === 'Enter') open(rows[current], event.ctrlKey || event.metaKey);
    else if (event.key === 'Tab') {
      const step = event.shiftKey ? offered.length - 1 : 1;
      choose(offered[(offered.indexOf(wish.kind) + step) % offered.length] ?? 'all');
    } else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('search.title')}
      onClose={onClosed}
      onClick={(event) => {
        if (event.target === dialog.current) closePalette();
      }}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <IconSearch size={20} stroke={1.8} aria-hidden="true" />
          <input
            role="combobox"
            className={styles.input}
            aria-label={t('search.title')}
            aria-expanded={rows.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={rows[current] ? `${id}-${current}` : undefined}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={LONGEST}
            placeholder={t('search.placeholder')}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} aria-label={t('common.close')} onClick={closePalette}>
            <span className={styles.escape} data-key="Esc" aria-hidden="true" />
            <IconX size={20} aria-hidden="true" />
          </button>
        </div>
        <fieldset className={styles.kinds} aria-label={t('search.key.kind')}>
          {offered.map((kind) => (
            <button
              key={kind}
              type="button"
              className={styles.kind}
              tabIndex={-1}
              aria-pressed={wish.kind === kind}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(kind)}
            >
              {t(`search.kind.${kind}`)}
            </button>
          ))}
        </fieldset>
        <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('search.title')} className={styles.list}>
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a list of options may have groups, and no fieldsets
            <div key={group.kind} role="group" aria-labelledby={`${id}-${group.kind}`} className={styles.group}>
              <div className={styles.title}>
                <span id={`${id}-${group.kind}`}>{group.title}</span>
                {group.more && wish.kind === 'all' && (
                  <button
                    type="button"
                    tabIndex={-1}
                    // A list has options alone; by key it is the next kind.
                    aria-hidden="true"
                    className={styles.more}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => choose(group.kind)}
                  >
                    {t('search.showAll')}
                  </button>
                )}
              </div>
              {group.rows.map((row) => {
                index += 1;
                const place = index;
                return (
                  <PaletteOption
                    key={row.key}
                    id={`${id}-${place}`}
                    row={row}
                    wanted={wish.text}
                    current={place === current}
                    onPoint={() => setAt(place)}
                    onTake={(behind) => open(row, behind)}
                  />
                );
              })}
            </div>
          ))}
        </div>
        <div className={styles.said} role="status">
          {rows.length === 0 && !isAsking && error === null && (
            <p className={styles.nothing}>{t(wish.text === '' ? 'search.begin' : 'search.nothing')}</p>
          )}
        </div>
        {error !== null && <ErrorNotice error={error} retry={retry} />}
        <PaletteKeys />
      </div>
    </dialog>
  );
}
