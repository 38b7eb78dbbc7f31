import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from './modal.ts';
import styles from './sheet.module.css';
import { useSwipeDown } from './use-swipe-down.ts';

interface SheetProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Fills the whole height. */
  full?: boolean;
  children: ReactNode;
}

/** A modal sheet from the bottom of a phone: the browser's own dialog keeps the focus inside and gives it back. */
export function Sheet({ title, opened, onClose, full = false, children }: SheetProps) {
  const { t } = useTranslation();
  const id = useId();
  const { dialog, onClosed } = useModal(opened, onClose);
  useSwipeDown(dialog, opened, onClose);
  if (!opened) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={styles.sheet}
      data-full={full || undefined}
      aria-labelledby={id}
      onClose={onClosed}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={t('common.close')} onClick={onClose}>
            <IconX size={20} aria-hidden="true" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
