import { useTranslation } from 'react-i18next';
import styles from './demo-badge.module.css';

/** Marks a demonstration as such, wherever one is. */
export function DemoBadge({ brief = false }: { brief?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={styles.badge} title={t('shell.demoHint')}>
      {t(brief ? 'shell.demoBrief' : 'shell.demo')}
    </span>
  );
}
