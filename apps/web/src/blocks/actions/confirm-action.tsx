import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../overlay/dialog.tsx';
import { Button } from '../show/button.tsx';
import { ErrorNotice } from '../show/error-notice.tsx';
import styles from './confirm-action.module.css';

interface ConfirmActionProps {
  /** The question, with the name of what it is about. */
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What will happen. */
  children?: ReactNode;
  /** The action itself, never "OK". */
  confirmLabel: string;
  danger?: boolean;
  /** Has to be typed, letter by letter, before. */
  typed?: string;
  /** Its failure is shown here; after success the dialog closes. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done, and says what that will mean. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { title, opened, onClose, children, confirmLabel, danger = false, typed, onConfirm } = props;
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [differs, setDiffers] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const wasOpened = useRef(false);
  useEffect(() => {
    if (opened === wasOpened.current) return;
    wasOpened.current = opened;
    setText('');
    setDiffers(false);
    setFailure(undefined);
  }, [opened]);

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    if (typed !== undefined && text.trim() !== typed) {
      setDiffers(true);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
    } catch (error) {
      setFailure(error);
      return;
    } finally {
      setBusy(false);
    }
    onClose();
  };

  return (
    <Dialog
      title={title}
      opened={opened}
      onClose={() => {
        if (!busy) onClose();
      }}
      footer={
        <div className={styles.buttons}>
          <Button type="submit" form={id} look={danger ? 'danger' : 'filled'} aria-disabled={busy}>
            {confirmLabel}
          </Button>
          <Button onClick={onClose} disabled={busy}>
            {t('blocks.cancel')}
          </Button>
        </div>
      }
    >
      <form id={id} className={styles.question} onSubmit={confirm} noValidate>
        {children !== undefined && <div className={styles.meaning}>{children}</div>}
        {typed !== undefined && (
          <div className={styles.typed}>
            <label htmlFor={`${id}-typed`}>{t('blocks.confirm.type', { text: typed })}</label>
            <input
              ref={field}
              id={`${id}-typed`}
              value={text}
              autoComplete="off"
              spellCheck={false}
              aria-required
              aria-invalid={differs || undefined}
              aria-describedby={differs ? `${id}-error` : undefined}
              onChange={(event) => {
                setText(event.currentTarget.value);
                setDiffers(false);
              }}
            />
            {differs && (
              <span id={`${id}-error`} className={styles.error}>
                {t('blocks.confirm.differs')}
              </span>
            )}
          </div>
        )}
        {failure !== undefined && <ErrorNotice error={failure} />}
      </form>
    </Dialog>
  );
}
