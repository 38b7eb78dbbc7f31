import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../client/queries.ts';
import { useDocumentTitle } from '../router/document-title.ts';
import styles from './entry-form.module.css';
import { EntryPage } from './entry-page.tsx';
import { noteLanguageChoice } from './sign-in.ts';

interface EntryFormProps {
  title: string;
  intro?: string;
  children: ReactNode;
}

/** A page before the workspace with a form of the workspace's blocks. */
export function EntryForm({ title, intro, children }: EntryFormProps) {
  useDocumentTitle(title);
  return (
    <QueryClientProvider client={queryClient}>
      <EntryPage onLanguage={noteLanguageChoice}>
        <section className={styles.section}>
          <header className={styles.head}>
            <h1>{title}</h1>
            {intro !== undefined && <p className={styles.intro}>{intro}</p>}
          </header>
          {children}
        </section>
      </EntryPage>
    </QueryClientProvider>
  );
}
