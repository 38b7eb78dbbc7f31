import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { CopyField } from '../blocks/copy-field.tsx';
import { Dialog } from '../blocks/dialog.tsx';
import styles from './members.module.css';

interface TemporaryPasswordProps {
  account: string;
  password: string;
  onClose: () => void;
}

/** A password that nobody can read again once this is closed. */
export function TemporaryPassword({ account, password, onClose }: TemporaryPasswordProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('members.temporary.title', { account })}
      opened
      onClose={onClose}
      footer={
        <Button look="filled" onClick={onClose}>
          {t('members.temporary.done')}
        </Button>
      }
    >
      <div className={styles.secret}>
        <CopyField label={t('members.temporary.badge')} value={password} hint={t('members.temporary.hint')} />
      </div>
    </Dialog>
  );
}
