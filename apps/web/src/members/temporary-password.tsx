import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
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
    <ShownOnce
      title={t('members.temporary.title', { account })}
      closeLabel={t('members.temporary.done')}
      onClose={onClose}
    >
      <div className={styles.secret}>
        <CopyField label={t('members.temporary.badge')} value={password} hint={t('members.temporary.hint')} />
      </div>
    </ShownOnce>
  );
}
