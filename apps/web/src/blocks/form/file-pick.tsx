import { IconUpload } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../show/button.tsx';
import styles from './file-pick.module.css';

interface FilePickProps {
  label: string;
  hint: string;
  /** Types that are offered, as the browser's own input takes them. */
  accept: string;
  disabled?: boolean;
  onPick: (file: File | undefined) => void;
  /** Below the hint. */
  children?: ReactNode;
}

/** One file, chosen by a button in the reader's words; its name stands beside. */
export function FilePick({ label, hint, accept, disabled = false, onPick, children }: FilePickProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  return (
    <div className={styles.pick}>
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept={accept}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen once more, mended.
          currentTarget.value = '';
          if (!file) return;
          setName(file.name);
          onPick(file);
        }}
      />
      <div className={styles.chosen}>
        <Button disabled={disabled} aria-describedby={`${id}-label ${id}-hint`} onClick={() => input.current?.click()}>
          <IconUpload size={16} aria-hidden="true" />
          {t('blocks.chooseFile')}
        </Button>
        {name !== '' && <span translate="no">{name}</span>}
      </div>
      <small id={`${id}-hint`}>{hint}</small>
      {children}
    </div>
  );
}
