import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { CopyField } from '../blocks/copy-field.tsx';
import { Dialog } from '../blocks/dialog.tsx';
import styles from './organisations.module.css';

export interface HandedOver {
  user: string;
  password: string;
}

/** A temporary password, shown once. */
export function PasswordDialog({ user, password, onClose }: HandedOver & { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('organisations.password.title')}
      footer={
        <Button look="filled" onClick={onClose}>
          {t('organisations.password.done')}
        </Button>
      }
    >
      <div className={styles.stack}>
        <p className={styles.text}>{t('organisations.password.meaning', { user })}</p>
        <CopyField label={t('organisations.password.user')} value={user} />
        <CopyField label={t('organisations.password.label')} value={password} />
      </div>
    </Dialog>
  );
}
