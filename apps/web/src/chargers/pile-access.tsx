import type { PileAccess } from '@sonnenwarte/contract/chargers/chargers';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import styles from './chargers.module.css';

/** What is entered at a charge point, this once. */
export function PileAccessShown({ access, onClose }: { access: PileAccess; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <ShownOnce title={t('chargers.access.title')} closeLabel={t('chargers.access.close')} onClose={onClose}>
      <div className={styles.access}>
        <p>{t('chargers.access.lead')}</p>
        <CopyField
          label={t('chargers.access.address')}
          value={access.address}
          hint={t('chargers.access.addressHint')}
        />
        <CopyField label={t('chargers.access.user')} value={access.user} />
        <CopyField
          label={t('chargers.access.password')}
          value={access.password}
          hint={t('chargers.access.passwordHint')}
        />
      </div>
    </ShownOnce>
  );
}
