import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstField } from '../overlay/focus.ts';
import { Button } from '../show/button.tsx';
import { ErrorNotice } from '../show/error-notice.tsx';
import type { EndpointForm } from './endpoint-form.ts';
import styles from './form.module.css';

/** Says that what was typed before is shown again, and lets it go. */
export function RestoredNote<V extends object>({ form }: { form: EndpointForm<V> }): ReactNode {
  const { t } = useTranslation();
  if (!form.restored) return null;
  return (
    <p className={styles.restored} role="status">
      {t('blocks.form.restored')}
      <button
        type="button"
        onClick={() => {
          form.discard();
          focusFirstField(form.element.current);
        }}
      >
        {t('blocks.form.startAnew')}
      </button>
    </p>
  );
}

interface FormProps<V extends object> {
  form: EndpointForm<V>;
  submitLabel: string;
  /** What cannot be taken back. */
  danger?: boolean;
  /** What is shown is already in force: there is something to send only once a field was changed. */
  onlyChanged?: boolean;
  /** Offered only where there is something to leave. */
  onCancel?: () => void;
  children: ReactNode;
}

/** A form in a page: fields, what went wrong, and the button that sends it. */
export function Form<V extends object>(props: FormProps<V>) {
  const { form, submitLabel, danger = false, onlyChanged = false, onCancel, children } = props;
  const { t } = useTranslation();
  const isSame = onlyChanged && !form.dirty;
  return (
    <form
      ref={form.element}
      className={styles.form}
      onSubmit={isSame ? (event) => event.preventDefault() : form.submit}
      aria-busy={form.busy}
      noValidate
    >
      <RestoredNote form={form} />
      {children}
      {form.failure !== undefined && <ErrorNotice error={form.failure} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          look={danger ? 'danger' : isSame ? 'default' : 'filled'}
          aria-disabled={form.busy || isSame}
        >
          {submitLabel}
        </Button>
        {onCancel && (
          <Button
            onClick={() => {
              form.discard();
              onCancel();
            }}
          >
            {t('blocks.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Fields side by side where there is room. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Fields that belong together, with their name. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
