import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../show/button.tsx';
import type { EndpointForm, FieldName, FormRow } from './endpoint-form.ts';
import styles from './row-group.module.css';

const FIELD = 'input:enabled, select:enabled, textarea:enabled, [role="spinbutton"]';

type Direction = 'up' | 'down';

/** Where the focus goes once the rows are drawn anew. */
type Target = { at: number; button?: Direction } | 'add';

interface RowGroupProps<V extends object, F extends string, N extends FieldName<V>> {
  form: EndpointForm<V, F>;
  /** The list. */
  name: N;
  /** What one row is called; its number follows. */
  rowName: string;
  addLabel: string;
  /** A new row. */
  make: () => unknown;
  /** As many as are allowed. */
  most?: number;
  /** Fields of a row: their names are its path, a dot and the name within. */
  children: (row: FormRow<N>) => ReactNode;
}

/**
 * Rows of a list in a form: added, taken out, moved up and down. The focus stays where the work goes on, and what was
 * done is said to who does not see it.
 */
export function RowGroup<V extends object, F extends string, const N extends FieldName<V>>(
  props: RowGroupProps<V, F, N>,
) {
  const { form, name, rowName, addLabel, make, most, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const target = useRef<Target>(undefined);
  const [said, say] = useState('');
  const rows = form.rowsOf(name);
  const error = form.errorOf(name);

  useEffect(() => {
    const to = target.current;
    target.current = undefined;
    if (to === undefined || !group.current) return;
    const row = to === 'add' ? null : group.current.querySelector(`[data-row="${to.at}"]`);
    const button = to === 'add' ? undefined : to.button;
    const other = button === 'up' ? 'down' : 'up';
    const wanted = button
      ? (row?.querySelector<HTMLElement>(`[data-move="${button}"]:enabled`) ??
        row?.querySelector<HTMLElement>(`[data-move="${other}"]:enabled`))
      : row?.querySelector<HTMLElement>(FIELD);
    (wanted ?? group.current.querySelector<HTMLElement>('[data-add]'))?.focus();
  });

  const add = () => {
    form.insertRow(name, rows.length, make());
    target.current = { at: rows.length };
    say(t('blocks.rows.added', { name: rowName, number: rows.length + 1 }));
  };
  const remove = (at: number) => {
    form.removeRow(name, at);
    target.current = rows.length === 1 ? 'add' : { at: Math.min(at, rows.length - 2) };
    say(t('blocks.rows.removed', { name: rowName, number: at + 1 }));
  };
  const move = (at: number, button: Direction) => {
    const to = at + (button === 'up' ? -1 : 1);
    form.moveRow(name, at, to);
    target.current = { at: to, button };
    say(t('blocks.rows.moved', { number: to + 1, count: rows.length }));
  };

  return (
    <fieldset ref={group} className={styles.group} aria-describedby={error ? `${id}-error` : undefined}>
      {rows.map((row, at) => {
        const nth = t('blocks.rows.nth', { name: rowName, number: at + 1 });
        return (
          <fieldset key={row.key} data-row={at} aria-label={nth} className={styles.row}>
            <div className={styles.head}>
              <span className={styles.nth} aria-hidden="true">
                {nth}
              </span>
              <IconButton
                data-move="up"
                aria-label={`${t('blocks.rows.up')}: ${nth}`}
                disabled={at === 0}
                onClick={() => move(at, 'up')}
              >
                <IconArrowUp size={18} aria-hidden="true" />
              </IconButton>
              <IconButton
                data-move="down"
                aria-label={`${t('blocks.rows.down')}: ${nth}`}
                disabled={at === rows.length - 1}
                onClick={() => move(at, 'down')}
              >
                <IconArrowDown size={18} aria-hidden="true" />
              </IconButton>
              <IconButton aria-label={`${t('blocks.rows.remove')}: ${nth}`} onClick={() => remove(at)}>
                <IconTrash size={18} aria-hidden="true" />
              </IconButton>
            </div>
            {children(row)}
          </fieldset>
        );
      })}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
      <div>
        <Button data-add disabled={most !== undefined && rows.length >= most} onClick={add}>
          <IconPlus size={16} aria-hidden="true" /> {addLabel}
        </Button>
      </div>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </fieldset>
  );
}
