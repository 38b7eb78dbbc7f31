import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconAlertTriangle, IconArrowBackUp, IconArrowRight, IconLink, IconSend } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useFormat } from '../format/use-format.ts';
import { newRequestID } from './request-id.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { ValueText } from './value-text.tsx';
import styles from './write-dialog.module.css';

/** A value that will be written, beside what the device has now. */
export interface Written {
  readonly rule: SettingRule;
  readonly from: SettingValue | null;
  readonly fromMs: number | null;
  readonly to: SettingValue;
}

interface WriteDialogProps {
  title: string;
  label: string;
  changes: readonly Written[];
  /** What has to be typed before something dangerous is written, and the sentence that asks for it. */
  typed: { text: string; ask: string };
  /** Typed whatever the settings are. */
  isDangerous?: boolean;
  timeZone: string;
  /** What it costs, from the own past. */
  consequence?: ReactNode;
  /** What else changes with it. */
  alsoChanges?: string;
  undo?: string;
  onClose: () => void;
  /** `requestID` is the same however often it is tried while the dialog is open. */
  onWrite: (confirmation: string, requestID: string) => Promise<unknown>;
  /** It is closed because it was written: what had the focus may be gone with it. */
  onWritten?: () => void;
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Shows old and new side by side before something is written. What is dangerous is written only after the number was typed. */
export function WriteDialog(props: WriteDialogProps): ReactNode {
  const { title, label, changes, typed, timeZone, consequence, alsoChanges, undo, onClose, onWrite, onWritten } = props;
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [requestID] = useState(newRequestID);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const isDangerous = props.isDangerous ?? changes.some(({ rule }) => rule.isDangerous);
  const isTyped = withoutSpaces(text) === withoutSpaces(typed.text);
  const mayWrite = !busy && (!isDangerous || isTyped);
  const risks = [...new Set(changes.map(({ rule }) => texts.risk(rule)))].filter((risk) => risk !== '');

  // Without a field the window would begin at its way out; a key still held writes nothing from what is to be read.
  useEffect(() => {
    if (!isDangerous) body.current?.focus();
  }, [isDangerous]);

  const write = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onWrite(isDangerous ? text.trim() : '', requestID);
      onClose();
      onWritten?.();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      opened
      title={title}
      onClose={() => {
        if (!busy) onClose();
      }}
      footer={
        <div className={styles.foot}>
          {isDangerous && (
            <span id={`${id}-when`} className={styles.when}>
              {isTyped ? '' : t('setting-screens.write.whenTyped')}
            </span>
          )}
          <Button onClick={onClose} disabled={busy}>
            {t('blocks.cancel')}
          </Button>
          <Button
            look={isDangerous ? 'danger' : 'filled'}
            {...(isDangerous ? { disabled: !mayWrite } : { 'aria-disabled': busy })}
            onClick={() => {
              if (mayWrite) void write();
            }}
          >
            {!isDangerous && <IconSend size={16} aria-hidden="true" />}
            {label}
          </Button>
        </div>
      }
    >
      <div ref={body} className={styles.body} tabIndex={-1}>
        {(isDangerous || risks.length > 0) && (
          <div className={styles.risk} data-grave={isDangerous || undefined}>
            <IconAlertTriangle size={20} aria-hidden="true" />
            <div>
              {risks.map((risk) => (
                <p key={risk}>{risk}</p>
              ))}
              {isDangerous && <p>{t('setting-screens.write.whoMay')}</p>}
            </div>
          </div>
        )}
        <ul className={styles.changes}>
          {changes.map((change) => (
            <Change key={change.rule.name} change={change} timeZone={timeZone} />
          ))}
        </ul>
        <ul className={styles.meanings}>
          {consequence !== undefined && (
            <li>
              <IconAlertTriangle size={16} aria-hidden="true" data-tone="warn" />
              <span>{consequence}</span>
            </li>
          )}
          {alsoChanges !== undefined && alsoChanges !== '' && (
            <li>
              <IconLink size={16} aria-hidden="true" />
              <span>{alsoChanges}</span>
            </li>
          )}
          <li>
            <IconArrowBackUp size={16} aria-hidden="true" />
            <span>{undo ?? t('setting-screens.write.undo')}</span>
          </li>
        </ul>
        {isDangerous && (
          <div className={styles.typed}>
            <label htmlFor={id}>
              {typed.ask} <b>{typed.text}</b>
            </label>
            <span className={styles.box}>
              <input
                id={id}
                className={fields.input}
                value={text}
                autoComplete="off"
                spellCheck={false}
                aria-required
                aria-describedby={`${id}-count ${id}-when`}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <span id={`${id}-count`} className={styles.count}>
                {t('setting-screens.write.typed', {
                  number: withoutSpaces(text).length,
                  total: withoutSpaces(typed.text).length,
                })}
              </span>
            </span>
          </div>
        )}
        {failure !== undefined && <ErrorNotice error={failure} />}
      </div>
    </Dialog>
  );
}

function Change({ change, timeZone }: { change: Written; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const { rule, from, fromMs, to } = change;
  const bounds = rule.form === 'number' ? texts.bounds(rule) : '';
  return (
    <li className={styles.change}>
      <h3>{texts.label(rule)}</h3>
      <div>
        <small>
          {fromMs === null
            ? t('setting-screens.deviceSays')
            : t('setting-screens.deviceSaysAt', { time: format.time(fromMs, timeZone) })}
        </small>
        <Amount rule={rule} value={from} against={to} />
      </div>
      <IconArrowRight size={20} aria-label="→" />
      <div data-new data-grave={rule.isDangerous || undefined}>
        <small>{t('setting-screens.wanted')}</small>
        <Amount rule={rule} value={to} against={from} />
        {bounds !== '' && <small>{t('setting-screens.write.allowed', { bounds })}</small>}
      </div>
    </li>
  );
}

interface AmountProps {
  rule: SettingRule;
  value: SettingValue | null;
  against: SettingValue | null;
}

function Amount({ rule, value, against }: AmountProps): ReactNode {
  const texts = useSettingTexts();
  if (texts.isSpelledOut(rule, value)) {
    return (
      <strong data-spelled>
        <ValueText rule={rule} value={value} against={against} stacked />
      </strong>
    );
  }
  const { amount, unit } = texts.parts(rule, value);
  return (
    <strong>
      {amount}
      {unit !== '' && <small>{`\u00a0${unit}`}</small>}
    </strong>
  );
}
