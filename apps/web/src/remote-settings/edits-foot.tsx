import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import type { OwnEdits } from './edits.ts';
import { wantedOf } from './setting-row.tsx';
import styles from './settings.module.css';
import { useSettingTexts } from './use-setting-text.ts';
import { refusalOf } from './values.ts';

interface EditsFootProps {
  rows: readonly SettingRow[];
  own: OwnEdits;
  onWrite: () => void;
}

/** Own edits by name, waiting to be written; they survive leaving the screen. */
export function EditsFoot({ rows, own, onWrite }: EditsFootProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const edited = rows.filter(({ rule }) => own.edits[rule.name] !== undefined);
  const refused = edited.filter(({ rule }) => {
    const edit = own.edits[rule.name];
    return edit !== undefined && refusalOf(rule, edit.value ?? edit.typed ?? null) !== undefined;
  });
  return (
    <div className={edited.length === 0 ? 'visually-hidden' : styles.foot} role="status">
      {edited.length > 0 && (
        <>
          <div className={styles.edits}>
            <strong>{t('setting-screens.open', { count: edited.length })}</strong>
            <span>
              {edited
                .map((row) => {
                  const { value = null, typed = '' } = own.edits[row.rule.name] ?? {};
                  const { amount } = texts.parts(row.rule, wantedOf(row));
                  return `${texts.label(row.rule)} ${amount} → ${value === null ? typed : texts.value(row.rule, value)}`;
                })
                .join(', ')}
            </span>
            {refused.length > 0 && (
              <span className={styles.refused}>
                {t('setting-screens.refusedEdits', { names: refused.map(({ rule }) => texts.label(rule)).join(', ') })}
              </span>
            )}
          </div>
          <Button onClick={own.clear}>{t('setting-screens.discard')}</Button>
          <Button look="filled" disabled={refused.length > 0} onClick={onWrite}>
            <IconSend size={16} aria-hidden="true" />
            {t('setting-screens.checkAndWrite')}
          </Button>
        </>
      )}
    </div>
  );
}
