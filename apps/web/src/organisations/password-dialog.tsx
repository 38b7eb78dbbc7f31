import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import styles from './organisations.module.css';

export interface HandedOver {
  user: string;
  password: string;
}

/** A temporary password, shown once. */
export function PasswordDialog({ user, password, onClose }: HandedOver & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <ShownOnce
      title={t('organisations.password.title')}
      closeLabel={t('organisations.password.done')}
      onClose={onClose}
    >
      <div className={styles.stack}>
        <p className={styles.text}>{t('organisations.password.meaning', { user })}</p>
        <CopyField label={t('organisations.password.user')} value={user} />
        <CopyField label={t('organisations.password.label')} value={password} />
      </div>
    </ShownOnce>
  );
}
