import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './dataloggers.module.css';

interface NewPassword {
  readonly sn: string;
  readonly password: string;
  readonly formerUntilMs: number | null;
}

/** What is entered at a datalogger, this once. */
export function PasswordShown({ given, onClose }: { given: NewPassword; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { sn, password, formerUntilMs } = given;
  return (
    <ShownOnce title={t('dataloggers.password.title')} closeLabel={t('dataloggers.password.close')} onClose={onClose}>
      <div className={styles.stack}>
        <p>{t('dataloggers.password.lead')}</p>
        <CopyField label={t('dataloggers.password.user')} value={sn} />
        <CopyField label={t('dataloggers.password.password')} value={password} />
        {formerUntilMs !== null && <p>{t('dataloggers.password.former', { time: format.localTime(formerUntilMs) })}</p>}
      </div>
    </ShownOnce>
  );
}
