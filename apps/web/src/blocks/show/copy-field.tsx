import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';

const FEEDBACK_MS = 2_500;
/** In the narrowest place where one stands. */
const SIGNS_PER_LINE = 30;

interface CopyFieldProps {
  label: string;
  value: string;
  /** For example that it is shown only once. */
  hint?: string;
}

/** A text to take along: a key, a link, a password that is shown once. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [copied, setCopied] = useState<'yes' | 'no'>();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied('yes');
    } catch {
      // Without https the browser hands out no clipboard; the text is selected for the user's own copy.
      setCopied('no');
    }
  };

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.row}>
        <textarea
          ref={field}
          id={id}
          className={styles.value}
          value={value}
          readOnly
          rows={Math.ceil(value.length / SIGNS_PER_LINE)}
          spellCheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button onClick={copy}>
          {copied === 'yes' ? <IconCheck size={16} aria-hidden="true" /> : <IconCopy size={16} aria-hidden="true" />}
          {t(copied === 'yes' ? 'blocks.copy.done' : 'blocks.copy.button')}
        </Button>
      </div>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      <span role="status" className={copied === 'no' ? styles.hint : 'visually-hidden'}>
        {copied === 'yes' && t('blocks.copy.said', { label })}
        {copied === 'no' && t('blocks.copy.byHand')}
      </span>
    </div>
  );
}
