import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../overlay/dialog.tsx';
import { focusFirstField } from '../overlay/focus.ts';
import { Button } from '../show/button.tsx';
import { ErrorNotice } from '../show/error-notice.tsx';
import type { EndpointForm } from './endpoint-form.ts';
import styles from './form.module.css';
import { RestoredNote } from './form.tsx';

interface FormDialogProps<V extends object> {
  form: EndpointForm<V>;
  title: string;
  opened: boolean;
  onClose: () => void;
  submitLabel: string;
  danger?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** What the wish to close a form means; Escape at the question whether to drop what was typed is no answer to it. */
export const closingOf = (
  form: { busy: boolean; dirty: boolean },
  asking: boolean,
): 'wait' | 'edit' | 'ask' | 'leave' => {
  if (form.busy) return 'wait';
  if (asking) return 'edit';
  return form.dirty ? 'ask' : 'leave';
};

/** A form in a drawer. Typed changes are dropped only after asking. */
export function FormDialog<V extends object>(props: FormDialogProps<V>) {
  const { form, title, opened, onClose, submitLabel, danger = false, wide = false, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const [asking, setAsking] = useState(false);
  const begun = useRef(false);
  /** What had the focus when it was asked. */
  const before = useRef<HTMLElement>(null);
  const { begin } = form;
  useEffect(() => {
    if (opened === begun.current) return;
    begun.current = opened;
    setAsking(false);
    if (opened) begin();
  }, [opened, begin]);

  const leave = () => {
    form.discard();
    onClose();
  };
  const edit = () => {
    setAsking(false);
    if (before.current?.isConnected) before.current.focus();
    else focusFirstField(form.element.current);
  };
  const ask = () => {
    const closing = closingOf(form, asking);
    if (closing === 'leave') leave();
    if (closing === 'edit') edit();
    if (closing !== 'ask') return;
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAsking(true);
  };

  return (
    <Dialog
      title={title}
      opened={opened}
      onClose={ask}
      shape="drawer"
      wide={wide}
      footer={
        <div className={styles.foot}>
          {form.failure !== undefined && <ErrorNotice error={form.failure} />}
          {asking ? (
            <div className={styles.asking} role="alert">
              <p>{t('blocks.form.dropChanges')}</p>
              <div className={styles.buttons}>
                <Button look="danger" onClick={leave}>
                  {t('blocks.form.drop')}
                </Button>
                <Button autoFocus onClick={edit}>
                  {t('blocks.form.keepEditing')}
                </Button>
              </div>
            </div>
          ) : (
            <div className={styles.buttons}>
              <Button type="submit" form={id} look={danger ? 'danger' : 'filled'} aria-disabled={form.busy}>
                {submitLabel}
              </Button>
              <Button onClick={ask}>{t('blocks.cancel')}</Button>
            </div>
          )}
        </div>
      }
    >
      <form
        id={id}
        ref={form.element}
        className={styles.form}
        onSubmit={form.submit}
        aria-busy={form.busy}
        aria-label={title}
        noValidate
      >
        <RestoredNote form={form} />
        {children}
      </form>
    </Dialog>
  );
}
