import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import styles from './repair.module.css';
import { UndoButton } from './undo-button.tsx';

interface RepairNoticeProps {
  text: string;
  /** What can be taken back. */
  correctionID?: number;
  stationID: string;
  onUndone: () => void;
  onClose: () => void;
}

/** Says what was done, as long as the screen is open, with the way back. */
export function RepairNotice({ text, correctionID, stationID, onUndone, onClose }: RepairNoticeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.notice} role="status">
      <span>{text}</span>
      {correctionID !== undefined && (
        <UndoButton stationID={stationID} correctionID={correctionID} onUndone={onUndone} />
      )}
      <IconButton aria-label={t('common.dismiss')} onClick={onClose}>
        ×
      </IconButton>
    </div>
  );
}
