import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './dialog.module.css';
import { focusFirstField } from './focus.ts';
import { useModal } from './modal.ts';
import { useSwipeDown } from './use-swipe-down.ts';

/** How the user asks to close a dialog. */
export type ClosedBy = 'escape' | 'button' | 'beside' | 'swipe';

interface DialogProps {
  title: string;
  opened: boolean;
  /** Asked for by Escape, the close button, a click beside it and, on a phone, by dragging it down; the caller closes by `opened`. */
  onClose: (by: ClosedBy) => void;
  /**
   * `drawer` and `sheet` come from the right; on a phone all fill the window's width from below, a drawer its height too. A sheet leaves
   * in sight what it tells of, and has a handle.
   */
  shape?: 'center' | 'drawer' | 'sheet';
  /** Wider than a question: tables, trees; `twice` where two things stand side by side. */
  wide?: boolean | 'twice';
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A modal window: the browser's own dialog keeps the focus inside and gives it back. */
export function Dialog({ title, opened, onClose, shape = 'center', wide = false, footer, children }: DialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const { dialog, onClosed } = useModal(opened, () => onClose('escape'), focusFirstField);
  useSwipeDown(dialog, opened, () => onClose('swipe'));
  const pressedBeside = useRef(false);
  if (!opened) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-shape={shape}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose('escape');
      }}
      onClose={onClosed}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (pressedBeside.current && event.target === dialog.current) onClose('beside');
      }}
    >
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <button
            type="button"
            className={styles.close}
            aria-label={t('common.close')}
            onClick={() => onClose('button')}
          >
            <IconX size={20} aria-hidden="true" />
          </button>
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  );
}
