import type { AccountRow } from '@sonnenwarte/contract/user-management/user-management';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { GrantedDevices } from './granted-devices.tsx';
import { PastedSns } from './pasted-sns.tsx';
import styles from './user-management.module.css';

const views = ['granted', 'all', 'paste'] as const;

/** Which devices an integrator may read. */
export function GrantsDrawer({ row, onClose }: ActionProps<AccountRow>): ReactNode {
  const { id, user } = row;
  const { t } = useTranslation();
  const [view, setView] = useState<(typeof views)[number]>('granted');
  return (
    <Dialog opened onClose={onClose} shape="drawer" wide title={t('user-management.grants.title', { user })}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('user-management.grants.meaning')}</p>
        <div className={styles.switcher}>
          <Segmented
            label={t('user-management.grants.view')}
            value={view}
            options={views.map((value) => ({ value, label: t(`user-management.grants.${value}`) }))}
            onChange={setView}
          />
        </div>
        {view === 'paste' ? (
          <PastedSns id={id} onDone={() => setView('granted')} />
        ) : (
          <GrantedDevices key={view} id={id} granted={view === 'granted'} />
        )}
      </div>
    </Dialog>
  );
}
