import { operator } from '@sonnenwarte/contract/legal/legal';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { call } from '../client/call.ts';
import { queryClient } from '../client/queries.ts';
import { type LegalTexts, legalTexts } from '../language/texts.ts';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { EntryPage } from '../login/entry-page.tsx';
import { noteLanguageChoice } from '../login/sign-in.ts';
import { useDocumentTitle } from '../router/document-title.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './legal-screen.module.css';

type Page = 'terms' | 'privacy';

export const TermsScreen = () => <LegalScreen page="terms" />;
export const PrivacyScreen = () => <LegalScreen page="privacy" />;

function LegalScreen({ page }: { page: Page }) {
  return (
    <QueryClientProvider client={queryClient}>
      <EntryPage onLanguage={noteLanguageChoice}>
        <LegalPage page={page} />
      </EntryPage>
    </QueryClientProvider>
  );
}

function LegalPage({ page }: { page: Page }) {
  const { t } = useTranslation();
  const language = useGlobalState((state) => state.language);
  const texts = useQuery({
    queryKey: ['legal', 'texts', language],
    queryFn: () => legalTexts(language),
    placeholderData: (shown) => shown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useDocumentTitle(texts.data?.[page].title ?? t('sign-up.title'));
  if (texts.error) return <ErrorNotice error={texts.error} retry={() => void texts.refetch()} />;
  if (!texts.data) return null;
  const { title, intro, sections } = texts.data[page];
  return (
    <article className={styles.article}>
      <h1>{title}</h1>
      <p>{intro}</p>
      {Object.entries(sections).map(([name, section]) => (
        <section key={name}>
          <h2 className={styles.heading}>{section.title}</h2>
          <p className={styles.text}>{section.text}</p>
        </section>
      ))}
      <Operator texts={texts.data} />
      <EntryLinks>
        <EntryLink to={page === 'terms' ? '/privacy' : '/terms'}>
          {texts.data[page === 'terms' ? 'privacy' : 'terms'].title}
        </EntryLink>
        <EntryLink to="/login">{t('password.toLogin')}</EntryLink>
      </EntryLinks>
    </article>
  );
}

function Operator({ texts }: { texts: LegalTexts }) {
  const known = useQuery({ queryKey: ['legal', 'operator'], queryFn: () => call(operator, {}, { inPlace: true }) });
  return (
    <section>
      <h2 className={styles.heading}>{texts.operator.title}</h2>
      {known.error && <ErrorNotice error={known.error} retry={() => void known.refetch()} />}
      {known.data && (
        <p className={styles.text}>
          {[known.data.name, known.data.contact].filter((line) => line !== '').join('\n') || texts.operator.unnamed}
        </p>
      )}
    </section>
  );
}
