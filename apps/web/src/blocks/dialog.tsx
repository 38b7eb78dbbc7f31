import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './dialog.module.css';

const FIRST_FIELD = 'input:enabled, select:enabled, textarea:enabled';

interface DialogProps {
  title: string;
  opened: boolean;
  /** Asked for by Escape, the close button and a click beside it; the caller closes by `opened`. */
  onClose: () => void;
  /** `drawer` comes from the right; on a phone both fill the window's width from below, a drawer its height too. */
  shape?: 'center' | 'drawer';
  /** Wider than a question: tables, trees. */
  wide?: boolean;
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A modal window: the browser's own dialog keeps the focus inside and gives it back. */
export function Dialog({ title, opened, onClose, shape = 'center', wide = false, footer, children }: DialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);
  const closedByUs = useRef(false);
  const pressedBeside = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    if (!opened || !element) return;
    closedByUs.current = false;
    if (document.activeElement !== document.body) opener.current = document.activeElement;
    element.showModal();
    if (matchMedia('(pointer: fine)').matches) element.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      closedByUs.current = true;
      element.close();
      // A dialog that is taken off the page gives the focus back to nobody.
      if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [opened]);
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
        onClose();
      }}
      onClose={(event) => {
        if (event.target === dialog.current && !closedByUs.current) onClose();
      }}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (pressedBeside.current && event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={t('common.close')} onClick={onClose}>
            <IconX size={20} aria-hidden="true" />
          </button>
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  );
}
