import type { Language } from '@sonnenwarte/contract/languages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../blocks/form/language-select.tsx';
import { Copyright } from '../blocks/show/copyright.tsx';
import { Logo } from '../blocks/show/logo.tsx';
import { BrandLinks } from '../brand/brand-links.tsx';
import { APP_NAME } from '../router/document-title.ts';
import styles from './entry-page.module.css';
import { LanguageOffer } from './language-offer.tsx';
import { SunPath } from './sun-path.tsx';

interface EntryPageProps {
  children: ReactNode;
  onLanguage?: (language: Language) => void;
}

/** What stands around the form of the pages before the workspace: brand, language, copyright. */
export function EntryPage({ children, onLanguage }: EntryPageProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <aside className={styles.picture}>
        <SunPath />
        <p className={styles.claim}>{t('login.claim')}</p>
      </aside>
      <div className={styles.side}>
        <header className={styles.head}>
          <span className={styles.brand}>
            <Logo size={32} />
            {APP_NAME}
          </span>
          <LanguageSelect {...(onLanguage ? { onChosen: onLanguage } : {})} />
        </header>
        <div className={styles.offer}>
          <LanguageOffer onChosen={onLanguage} />
        </div>
        <main className={styles.main}>{children}</main>
        <footer className={styles.foot}>
          <BrandLinks />
          <Copyright />
        </footer>
      </div>
    </div>
  );
}
