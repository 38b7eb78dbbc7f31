import type { Result } from '@sonnenwarte/contract/endpoint';
import { grantAdd, grantCheck, MAX_GRANTS_AT_ONCE, MAX_PASTED_SNS } from '@sonnenwarte/contract/user-management/grants';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useWrite } from '../client/queries.ts';
import styles from './user-management.module.css';

type Line = Result<typeof grantCheck>['lines'][number];

const tones = { new: 'good', granted: 'neutral', repeated: 'neutral', unknown: 'bad' } as const;

const snsOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((sn) => sn.trim())
    .filter((sn) => sn !== '');

/** Serial numbers pasted line by line: each is checked, then the good ones are granted. */
export function PastedSns({ id, onDone }: { id: string; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const fieldId = useId();
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<{ text: string; lines: readonly Line[] }>();
  const lines = checked?.text === text ? checked.lines : undefined;
  const check = useWrite(grantCheck);
  const add = useWrite(grantAdd);
  const sns = snsOf(text);
  const tooMany = sns.length > MAX_PASTED_SNS;
  const fresh = (lines ?? []).flatMap(({ outcome, device }) =>
    outcome === 'new' && device !== null ? [device.id] : [],
  );
  const runCheck = () =>
    check.mutate({ id, sns }, { onSuccess: (answer) => setChecked({ text, lines: answer.lines }) });
  const grant = async () => {
    for (let start = 0; start < fresh.length; start += MAX_GRANTS_AT_ONCE)
      await add.mutateAsync({ id, deviceIds: fresh.slice(start, start + MAX_GRANTS_AT_ONCE) });
    onDone();
  };
  return (
    <div className={styles.stack}>
      <label htmlFor={fieldId}>{t('user-management.grants.sns')}</label>
      <textarea
        id={fieldId}
        className={styles.paste}
        rows={8}
        spellCheck={false}
        value={text}
        aria-invalid={tooMany || undefined}
        aria-describedby={tooMany ? `${fieldId}-error` : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {tooMany && (
        <p id={`${fieldId}-error`} role="alert" className={styles.refused}>
          {t('user-management.grants.tooMany', { max: MAX_PASTED_SNS })}
        </p>
      )}
      <div className={styles.line}>
        <Button disabled={sns.length === 0 || tooMany || check.isPending} onClick={runCheck}>
          {t('user-management.grants.check')}
        </Button>
        {fresh.length > 0 && (
          <Button look="filled" disabled={add.isPending} onClick={() => void grant().catch(() => undefined)}>
            {t('user-management.grants.grantChecked', { count: fresh.length })}
          </Button>
        )}
      </div>
      <div aria-live="polite">
        {lines !== undefined && (
          <ul className={styles.lines}>
            {lines.map(({ sn, outcome, device }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same number may stand there twice
              <li key={index} className={styles.checked}>
                <span className={styles.sn}>{sn}</span>
                <Badge tone={tones[outcome]}>{t(`user-management.grants.outcome.${outcome}`)}</Badge>
                {device !== null && (
                  <span className={styles.count}>{[device.model, device.site].filter(Boolean).join(' · ')}</span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
