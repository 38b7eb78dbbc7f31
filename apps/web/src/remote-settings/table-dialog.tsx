import type { TableRow } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from '../blocks/form/check-box.module.css';
import fields from '../blocks/form/fields.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { shortWeekday } from '../format/short-weekday.ts';
import { useFormat } from '../format/use-format.ts';
import fieldStyles from './setting-field.module.css';
import styles from './table-dialog.module.css';
import {
  type Column,
  cellOf,
  cellRefusal,
  hasDay,
  minutesOf,
  newRow,
  timeText,
  WEEKDAYS,
  withDay,
} from './table-rows.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { refusalOf, rowRefusal, scaleOf, typedNumber } from './values.ts';

interface TableDialogProps {
  rule: SettingRule;
  rows: readonly TableRow[];
  onClose: () => void;
  onChange: (rows: TableRow[]) => void;
}

interface KeyedRow {
  readonly key: number;
  readonly row: TableRow;
  /** What stands in a cell that is no number. */
  readonly typed: Readonly<Record<string, string>>;
}

/** The rows of a setting that is a table, each cell within its bounds; taken over into the own edits as a whole. */
export function TableDialog({ rule, rows, onClose, onChange }: TableDialogProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const [own, setOwn] = useState<readonly KeyedRow[]>(() => rows.map((row, key) => ({ key, row, typed: {} })));
  const plain = own.map(({ row }) => row);
  const isValid = refusalOf(rule, plain) === undefined;
  const change = (at: number, column: Column, value: number | undefined, typed: string | undefined) =>
    setOwn(
      own.map((each, place) => {
        if (place !== at) return each;
        const { [column.name]: _, ...others } = each.row;
        const { [column.name]: __, ...otherTyped } = each.typed;
        return {
          key: each.key,
          row: value === undefined ? others : { ...others, [column.name]: value },
          typed: typed === undefined ? otherTyped : { ...otherTyped, [column.name]: typed },
        };
      }),
    );
  return (
    <Dialog
      opened
      wide
      title={texts.label(rule)}
      onClose={onClose}
      footer={
        <div className={styles.buttons}>
          <Button
            look="filled"
            disabled={!isValid}
            onClick={() => {
              onChange(plain);
              onClose();
            }}
          >
            {t('setting-screens.takeRows')}
          </Button>
          <Button onClick={onClose}>{t('blocks.cancel')}</Button>
        </div>
      }
    >
      <div className={styles.rows}>
        {texts.meaning(rule) !== '' && <p className={styles.note}>{texts.meaning(rule)}</p>}
        {own.length === 0 && <p className={styles.note}>{t('setting-screens.noRows')}</p>}
        {own.map(({ key, row, typed }, at) => (
          <fieldset key={key} className={styles.row}>
            <legend>{t('setting-screens.row', { number: at + 1 })}</legend>
            {rule.columns.map((column) => (
              <Cell
                key={column.name}
                column={column}
                row={row}
                typed={typed[column.name]}
                onChange={(value, text) => change(at, column, value, text)}
              />
            ))}
            <RowRefused rule={rule} row={row} before={plain.slice(0, at)} />
            {rule.mostRows > 1 && (
              <IconButton
                aria-label={t('setting-screens.removeRow', { number: at + 1 })}
                onClick={() => setOwn(own.filter((_, place) => place !== at))}
              >
                <IconTrash size={16} aria-hidden="true" />
              </IconButton>
            )}
          </fieldset>
        ))}
        {own.length < rule.mostRows ? (
          <Button
            small
            onClick={() =>
              setOwn([
                ...own,
                { key: Math.max(-1, ...own.map((each) => each.key)) + 1, row: newRow(rule.columns), typed: {} },
              ])
            }
          >
            <IconPlus size={16} aria-hidden="true" />
            {t('setting-screens.addRow')}
          </Button>
        ) : (
          rule.mostRows > 1 && (
            <p className={styles.note}>{t('setting-screens.refusal.rows', { count: rule.mostRows })}</p>
          )
        )}
      </div>
    </Dialog>
  );
}

interface RowRefusedProps {
  rule: SettingRule;
  row: TableRow;
  before: readonly TableRow[];
}

/** What is wrong with a row as a whole. */
function RowRefused({ rule, row, before }: RowRefusedProps): ReactNode {
  const texts = useSettingTexts();
  const refused = rowRefusal(rule, row, before);
  return (
    <span role="status" className={refused ? fields.error : 'visually-hidden'}>
      {refused && texts.refusal(refused, rule)}
    </span>
  );
}

interface CellProps {
  column: Column;
  row: TableRow;
  typed: string | undefined;
  onChange: (value: number | undefined, typed: string | undefined) => void;
}

function Cell({ column, row, typed, onChange }: CellProps): ReactNode {
  const texts = useSettingTexts();
  const { locale } = useFormat();
  const id = useId();
  const refused = cellRefusal(row, column);
  const value = row[column.name];
  const label = texts.column(column);
  const kind = cellOf(column);
  const scale = scaleOf(column);
  if (kind === 'days') return <Days label={label} mask={value ?? 0} onChange={(mask) => onChange(mask, undefined)} />;
  const written = value === undefined ? '' : kind === 'time' ? timeText(value) : texts.typed(value, scale);
  const cellValue = (text: string): number | undefined => {
    if (kind === 'time') return minutesOf(text);
    const number = typedNumber(text, scale, locale);
    return typeof number === 'number' ? number : undefined;
  };
  return (
    <div className={styles.cell}>
      <label htmlFor={id} className={fields.label}>
        {label}
      </label>
      <span className={fieldStyles.box}>
        <input
          id={id}
          className={`${fields.input} ${fieldStyles.number}`}
          type="text"
          inputMode={kind === 'time' ? 'text' : 'decimal'}
          autoComplete="off"
          value={typed ?? written}
          aria-invalid={refused !== undefined || undefined}
          aria-describedby={`${id}-about`}
          onChange={(event) => onChange(cellValue(event.currentTarget.value), event.currentTarget.value)}
        />
        {kind === 'number' && scale.unit !== '' && (
          <span className={fieldStyles.unit} aria-hidden="true">
            {scale.unit}
          </span>
        )}
      </span>
      <span id={`${id}-about`} className={refused ? fields.error : styles.note}>
        {refused ? texts.refusal(refused, column) : kind === 'time' ? '' : texts.bounds(column)}
      </span>
    </div>
  );
}

function Days({ label, mask, onChange }: { label: string; mask: number; onChange: (mask: number) => void }): ReactNode {
  const format = useFormat();
  return (
    <fieldset className={styles.days}>
      <legend className={fields.label}>{label}</legend>
      {WEEKDAYS.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            className={checkStyles.box}
            checked={hasDay(mask, day)}
            onChange={(event) => onChange(withDay(mask, day, event.currentTarget.checked))}
          />
          {shortWeekday(`2024-01-0${day + 1}`, format, format.language)}
        </label>
      ))}
    </fieldset>
  );
}
