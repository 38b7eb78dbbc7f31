import { useTranslation } from 'react-i18next';
import { ApiKeysSection } from '../api-keys/api-keys-section.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import styles from './user-center.module.css';

interface AccountDrawerProps {
  opened: boolean;
  onClose: () => void;
}

/** What an integrator, who has no user centre, manages of its account. */
export function AccountDrawer({ opened, onClose }: AccountDrawerProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('user-center.drawer')} opened={opened} onClose={onClose} shape="drawer" wide>
      <div className={styles.sections}>
        <PasswordSection />
        <SessionsSection />
        <ApiKeysSection />
      </div>
    </Dialog>
  );
}
