import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './brand-links.module.css';
import { pageBrand } from './page-brand.ts';

/** Where the brand whose domain this is keeps its downloads and its app. */
export function BrandLinks(): ReactNode {
  const { t } = useTranslation();
  const { downloadLink, appLink } = pageBrand ?? {};
  if (downloadLink === undefined && appLink === undefined) return null;
  return (
    <small className={styles.links}>
      {downloadLink !== undefined && (
        <a href={downloadLink} target="_blank" rel="noreferrer">
          {t('login.brand.download')}
        </a>
      )}
      {appLink !== undefined && (
        <a href={appLink} target="_blank" rel="noreferrer">
          {t('login.brand.app')}
        </a>
      )}
    </small>
  );
}
