import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconAlertTriangle, IconArrowBackUp, IconArrowRight, IconLink, IconSend } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useFormat } from '../format/use-format.ts';
import { useSettingTexts } from './use-setting-text.ts';
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
  onWrite: (confirmation: string) => Promise<unknown>;
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Shows old and new side by side before something is written. What is dangerous is written only after the number was typed. */
export function WriteDialog(props: WriteDialogProps): ReactNode {
  const { title, label, changes, typed, timeZone, consequence, alsoChanges, undo, onClose, onWrite } = props;
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const id = useId();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const isDangerous = props.isDangerous ?? changes.some(({ rule }) => rule.isDangerous);
  const isTyped = withoutSpaces(text) === withoutSpaces(typed.text);
  const mayWrite = !busy && (!isDangerous || isTyped);
  const risks = [...new Set(changes.map(({ rule }) => texts.risk(rule)))].filter((risk) => risk !== '');

  const write = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onWrite(isDangerous ? text.trim() : '');
      onClose();
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
          <Button look={isDangerous ? 'danger' : 'filled'} disabled={!mayWrite} onClick={() => void write()}>
            {!isDangerous && <IconSend size={16} aria-hidden="true" />}
            {label}
          </Button>
        </div>
      }
    >
      <div className={styles.body}>
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
        <Amount of={texts.parts(rule, from)} />
      </div>
      <IconArrowRight size={20} aria-label="→" />
      <div data-new data-grave={rule.isDangerous || undefined}>
        <small>{t('setting-screens.wanted')}</small>
        <Amount of={texts.parts(rule, to)} />
        {bounds !== '' && <small>{t('setting-screens.write.allowed', { bounds })}</small>}
      </div>
    </li>
  );
}

const Amount = ({ of: { amount, unit } }: { of: { amount: string; unit: string } }): ReactNode => (
  <strong>
    {amount}
    {unit !== '' && <small>{`\u00a0${unit}`}</small>}
  </strong>
);
