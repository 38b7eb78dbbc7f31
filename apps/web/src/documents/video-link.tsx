import { IconVideo } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './documents.module.css';

/** The film to a document, in a window of its own. */
export function VideoLink({ to, name }: { to: string; name: string }): ReactNode {
  const { t } = useTranslation();
  if (to === '') return null;
  return (
    <a
      className={styles.video}
      href={to}
      target="_blank"
      rel="noreferrer"
      aria-label={`${t('documents.viewer.video')}: ${name}`}
    >
      <IconVideo size={16} aria-hidden="true" />
      {t('documents.viewer.video')}
    </a>
  );
}
