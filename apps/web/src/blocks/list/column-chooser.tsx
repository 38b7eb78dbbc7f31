import { IconColumns3 } from '@tabler/icons-react';
import checkStyles from '../form/check-box.module.css';
import { Dropdown } from '../form/dropdown.tsx';
import styles from './column-chooser.module.css';
import type { Column } from './columns.tsx';

interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[];
  chosen: Readonly<Record<string, boolean>>;
  onChange: (chosen: Readonly<Record<string, boolean>>) => void;
  label: string;
}

/** Which columns a table shows; the first one always stays. */
export function ColumnChooser<Row>({ columns, chosen, onChange, label }: ColumnChooserProps<Row>) {
  return (
    <Dropdown
      className={styles.button ?? ''}
      above
      button={
        <>
          <IconColumns3 size={16} aria-hidden="true" />
          {label}
        </>
      }
    >
      {() => (
        <div className={styles.list}>
          {columns.slice(1).map((column) => (
            <label key={column.field} className={styles.choice}>
              <input
                type="checkbox"
                className={checkStyles.box}
                checked={chosen[column.field] ?? !column.optional}
                onChange={(event) => onChange({ ...chosen, [column.field]: event.currentTarget.checked })}
              />
              {column.header}
            </label>
          ))}
        </div>
      )}
    </Dropdown>
  );
}
