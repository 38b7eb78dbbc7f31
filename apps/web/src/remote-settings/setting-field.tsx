import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconChevronDown, IconPencil, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import type { Edit } from './edits.ts';
import styles from './setting-field.module.css';
import { TableDialog } from './table-dialog.tsx';
import { type SettingTexts, useSettingTexts } from './use-setting-text.ts';
import { ValueText } from './value-text.tsx';
import { isSameValue, refusalOf, type Scale, scaleOf, typedNumber } from './values.ts';

interface SettingFieldProps {
  rule: SettingRule;
  /** What stands there as long as nothing is edited. */
  wanted: SettingValue | null;
  /** What the device said last. */
  reported: SettingValue | null;
  edit: Edit | undefined;
  disabled?: boolean;
  onEdit: (edit: Edit | undefined) => void;
}

/** The field of a setting, by the form of its values. What is out of bounds is said while it is typed; Enter writes nothing. */
export function SettingField(props: SettingFieldProps): ReactNode {
  const { rule, wanted, reported, edit, disabled = false, onEdit } = props;
  const id = useId();
  const texts = useSettingTexts();
  const value = edit ? edit.value : wanted;
  const refused = edit && refusalOf(rule, edit.value === null && edit.typed ? edit.typed : edit.value);
  const change = (next: SettingValue | null, typed?: string) => {
    const isBack = next !== null && isSameValue(next, wanted);
    // Nothing typed is nothing wanted.
    const isNothing = typed !== undefined && typed.trim() === '';
    onEdit(isBack || isNothing ? undefined : { value: next, basedOn: reported, ...(typed !== undefined && { typed }) });
  };
  const control = {
    id,
    'aria-label': texts.label(rule),
    'aria-invalid': refused !== undefined || undefined,
    ...(refused && { 'aria-describedby': `${id}-why` }),
    disabled,
  };
  return (
    <div className={styles.field} data-edited={edit !== undefined || undefined}>
      <Control {...{ rule, value, reported, control, texts, change }} edit={edit} />
      {refused && (
        <span id={`${id}-why`} className={fields.error} role="status">
          {texts.refusal(refused, rule)}
        </span>
      )}
    </div>
  );
}

interface ControlProps {
  rule: SettingRule;
  value: SettingValue | null;
  reported: SettingValue | null;
  edit: Edit | undefined;
  control: { id: string; 'aria-label': string; disabled: boolean };
  texts: SettingTexts;
  change: (value: SettingValue | null, typed?: string) => void;
}

function Control(props: ControlProps): ReactNode {
  const { rule, value, control, texts, change } = props;
  switch (rule.form) {
    case 'number':
      return <NumberControl {...props} />;
    case 'switch':
      return value === null ? <YesOrNo {...props} /> : <SwitchControl {...props} />;
    case 'choice':
      return (
        <Choice
          control={control}
          value={value === null ? '' : String(value)}
          options={rule.options.map((option) => ({
            value: String(option.value),
            label: texts.option(rule, option.value),
          }))}
          onChange={(chosen) => change(rule.options.find((each) => String(each.value) === chosen)?.value ?? null)}
        />
      );
    case 'table':
      return <TableControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

function NumberControl({ rule, value, edit, control, texts, change }: ControlProps): ReactNode {
  const { locale } = useFormat();
  const scale = scaleOf(rule);
  const written = typeof value === 'number' ? texts.typed(value, scale) : '';
  const shown = edit?.typed ?? written;
  return (
    <span className={styles.box}>
      <input
        {...control}
        className={`${fields.input} ${styles.number}`}
        type="text"
        inputMode={numericMode(scale)}
        autoComplete="off"
        value={shown}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          const number = typedNumber(typed, scale, locale);
          change(typeof number === 'number' ? number : null, typed);
        }}
      />
      {scale.unit !== '' && (
        <span className={styles.unit} aria-hidden="true">
          {scale.unit}
        </span>
      )}
    </span>
  );
}

const numericMode = ({ mostDecimals }: Scale): 'numeric' | 'decimal' => (mostDecimals === 0 ? 'numeric' : 'decimal');

interface ChoiceProps {
  control: ControlProps['control'];
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ control, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <span className={styles.box}>
      <select
        {...control}
        className={fields.select}
        title={options.find((option) => option.value === value)?.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {!options.some((option) => option.value === value) && <option value={value}>{value || '–'}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={16} className={fields.chevron} aria-hidden="true" />
    </span>
  );
}

function YesOrNo({ control, change }: ControlProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Choice
      control={control}
      value=""
      options={[
        { value: 'true', label: t('setting-screens.yes') },
        { value: 'false', label: t('setting-screens.no') },
      ]}
      onChange={(chosen) => change(chosen === 'true')}
    />
  );
}

function SwitchControl({ value, control, change }: ControlProps): ReactNode {
  const { t } = useTranslation();
  const isOn = value === true;
  return (
    <span className={fields.toggle}>
      <input
        {...control}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className={fields.switch}
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <label htmlFor={control.id}>{t(isOn ? 'setting-screens.yes' : 'setting-screens.no')}</label>
    </span>
  );
}

function TextControl({ rule, value, control, change, texts }: ControlProps): ReactNode {
  const list = `${control.id}-offers`;
  return (
    <span className={styles.box}>
      <input
        {...control}
        className={fields.input}
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        value={value === null ? '' : String(value)}
        {...(rule.options.length > 0 && { list })}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {rule.options.length > 0 && (
        <datalist id={list}>
          {rule.options.map((option) => (
            <option key={String(option.value)} value={String(option.value)} label={texts.option(rule, option.value)} />
          ))}
        </datalist>
      )}
    </span>
  );
}

function TableControl({ rule, value, reported, control, change, texts }: ControlProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const { 'aria-label': label, ...rest } = control;
  const named = `${texts.value(rule, value)}, ${label}: ${t('setting-screens.editRows')}`;
  return (
    <>
      {texts.isSpelledOut(rule, value) ? (
        <button {...rest} type="button" className={styles.limits} aria-label={named} onClick={() => setOpened(true)}>
          <ValueText rule={rule} value={value} against={reported} stacked />
          <IconPencil size={14} aria-hidden="true" />
        </button>
      ) : (
        <Button {...rest} small aria-label={named} onClick={() => setOpened(true)}>
          <IconTable size={16} aria-hidden="true" />
          {texts.value(rule, value)}
        </Button>
      )}
      {opened && (
        <TableDialog
          rule={rule}
          rows={Array.isArray(value) ? value : []}
          onClose={() => setOpened(false)}
          onChange={(rows) => change(rows)}
        />
      )}
    </>
  );
}
