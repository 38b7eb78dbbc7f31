import { IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import styles from './incidents.module.css';

interface NewIncidentsProps {
  /** How many wait; `null` where that is not known. */
  waiting: number | null;
  onShow: () => void;
}

/** That there are incidents which are not shown yet: they come when they are asked for. */
export function NewIncidents({ waiting, onShow }: NewIncidentsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="status" className={waiting === 0 ? 'visually-hidden' : styles.arrived}>
      {waiting !== 0 && (
        <Button small look="plain" onClick={onShow}>
          <IconArrowUp size={16} aria-hidden="true" />
          {waiting === null ? t('incidents.newOnes') : t('incidents.newCount', { count: waiting })}
        </Button>
      )}
    </div>
  );
}
