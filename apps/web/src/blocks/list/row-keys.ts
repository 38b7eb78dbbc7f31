import { type RefObject, useEffect, useRef } from 'react';

/** Where keys are typed into, or choose something. */
const TAKES_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="combobox"], [role="slider"], dialog';

type Pressed = Pick<
  KeyboardEvent,
  'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'defaultPrevented'
> & {
  readonly target: unknown;
};

/** Whether a key is for the rows of a list: alone, and not typed into something. */
export const isForRows = (event: Pressed): boolean =>
  !event.defaultPrevented &&
  !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) &&
  !(event.target as Partial<Element> | null)?.closest?.(TAKES_KEYS);

const OPENER = '[data-row-opener]';

/**
 * Keys of a table: J and K lead from row to row, X chooses the row at hand, which Enter opens as any link, and others do what
 * `acts` says with its key. They act on the row that has the focus.
 */
export function useRowKeys(
  place: RefObject<HTMLElement | null>,
  acts: Readonly<Record<string, (rowKey: string) => void>> = {},
): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isForRows(event) || document.querySelector(':modal') !== null) return;
      const rows = [...(place.current?.querySelectorAll<HTMLElement>('tr[data-key]') ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k') {
        const next = rows[key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
        const opener = next?.querySelector<HTMLElement>(OPENER);
        if (!opener) return;
        event.preventDefault();
        opener.focus();
        return;
      }
      const row = rows[at];
      const rowKey = row?.dataset.key;
      if (row === undefined || rowKey === undefined || event.repeat) return;
      const act = latest.current[key];
      if (key === 'x') row.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
      else if (act) act(rowKey);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [place]);
}
