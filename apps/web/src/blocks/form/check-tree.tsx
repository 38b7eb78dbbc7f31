import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from './check-box.module.css';
import styles from './check-tree.module.css';
import { groupState, toggleGroup, toggleItem } from './check-tree-state.ts';
import type { FieldName } from './endpoint-form.ts';
import { type FieldProps, useFieldLabel } from './field-frame.tsx';

export interface CheckItem {
  id: string;
  label: string;
  /** Cannot be changed, for example because the own account does not hold it. */
  disabled?: boolean;
}

export interface CheckGroup {
  id: string;
  label: string;
  items: readonly CheckItem[];
}

interface CheckTreeProps {
  label: string;
  groups: readonly CheckGroup[];
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** Boxes by group; the box of a group stands for all in it, for some, or for none. */
export function CheckTree(props: CheckTreeProps) {
  const { label, groups, value, onChange, disabled = false, invalid = false, describedBy } = props;
  const { t } = useTranslation();
  const id = useId();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const chosen = new Set(value);
  const fold = (group: string) => {
    const next = new Set(folded);
    if (!next.delete(group)) next.add(group);
    setFolded(next);
  };
  return (
    <fieldset className={styles.tree} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={styles.legend}>{label}</legend>
      {groups.map((group) => {
        const state = groupState(group, chosen);
        const count = group.items.filter((item) => chosen.has(item.id)).length;
        const open = !folded.has(group.id);
        return (
          <fieldset key={group.id} aria-labelledby={`${id}-${group.id}`} className={styles.group}>
            <div className={styles.head}>
              <button
                type="button"
                className={styles.fold}
                aria-expanded={open}
                aria-label={group.label}
                onClick={() => fold(group.id)}
              >
                <IconChevronRight size={16} aria-hidden="true" />
              </button>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  className={checkStyles.box}
                  ref={(box) => {
                    if (box) box.indeterminate = state === 'some';
                  }}
                  checked={state === 'all'}
                  disabled={disabled || group.items.every((item) => item.disabled)}
                  onChange={() => onChange(toggleGroup(group, value))}
                />
                <span id={`${id}-${group.id}`}>{group.label}</span>
              </label>
              <span className={styles.count}>{t('blocks.chosenOf', { chosen: count, total: group.items.length })}</span>
            </div>
            {open && (
              <div className={styles.items}>
                {group.items.map((item) => (
                  <label key={item.id} className={styles.choice} data-disabled={item.disabled || undefined}>
                    <input
                      type="checkbox"
                      className={checkStyles.box}
                      checked={chosen.has(item.id)}
                      disabled={disabled || item.disabled}
                      onChange={() => onChange(toggleItem(item.id, value))}
                    />
                    <span>{item.label}</span>
                  </label>
                ))}
              </div>
            )}
          </fieldset>
        );
      })}
    </fieldset>
  );
}

/** The boxes as a field of a form; its value is the list of chosen ids. */
export function CheckTreeField<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldProps<V, F, N> & { groups: readonly CheckGroup[] },
) {
  const { form, name, groups, disabled } = props;
  const label = useFieldLabel(form, name, props.label);
  const id = useId();
  const error = form.errorOf(name);
  const value = form.valueOf(name);
  return (
    <div>
      <CheckTree
        label={label}
        groups={groups}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(next) => form.setValue(name, next)}
        disabled={disabled ?? false}
        invalid={error !== undefined}
        describedBy={error === undefined ? undefined : `${id}-error`}
      />
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}
