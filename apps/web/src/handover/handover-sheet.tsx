import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import { tagOf } from '@sonnenwarte/phrases/languages';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Logo } from '../blocks/show/logo.tsx';
import { QrCode } from '../blocks/show/qr-code.tsx';
import { i18n } from '../language/i18n.ts';
import { fetchTextsIn } from '../language/text-sets.ts';
import { APP_NAME } from '../router/document-title.ts';
import { HANDOVER_TEXTS } from './handover-part.ts';
import styles from './handover-sheet.module.css';

export interface SheetOf {
  readonly plant: string;
  readonly systemCapacity: number;
  readonly commissionedOn: string | null;
  readonly giver: { readonly name: string; readonly phone: string };
  readonly code: string;
  readonly link: string;
  readonly expiresMs: number;
}

/** What the sheet says, in the customer's language. */
export function useSheetTexts({ plant, systemCapacity, commissionedOn, expiresMs }: SheetOf, language: Language) {
  const [ready, setReady] = useState<Language>();
  useEffect(() => {
    fetchTextsIn(HANDOVER_TEXTS, language).then(
      () => setReady(language),
      // The page says that texts did not come.
      () => undefined,
    );
  }, [language]);
  if (ready !== language) return undefined;
  const t = i18n.getFixedT(tagOf(language));
  const locale = localeOf(language);
  const day = (at: Date, timeZone?: string) => at.toLocaleDateString(locale, { dateStyle: 'long', timeZone });
  const time = new Date(expiresMs).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const size = systemCapacity.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  return {
    locale,
    title: t('handover.sheet.title', { plant }),
    facts: [
      systemCapacity > 0 ? `${size} ${language === 'fr' ? 'kWc' : 'kWp'}` : '',
      commissionedOn === null ? '' : t('handover.sheet.since', { day: day(new Date(commissionedOn), 'UTC') }),
    ].filter((fact) => fact !== ''),
    steps: [t('handover.sheet.scan'), t('handover.sheet.account'), t('handover.sheet.live')],
    qr: t('handover.qr'),
    valid: t('handover.valid', { time }),
    without: t('handover.sheet.without', { address: `${location.host}/signUp`, time }),
    mail: (link: string) => t('handover.sheet.mail', { link }),
  };
}

export type SheetTexts = NonNullable<ReturnType<typeof useSheetTexts>>;

/** A4, black on white: whatever it is as wide as, its letters grow along. */
function Sheet({ of, texts }: { of: SheetOf; texts: SheetTexts }): ReactNode {
  const giver = [of.giver.name, of.giver.phone.replaceAll(' ', '\u00a0')].filter((each) => each !== '').join(' · ');
  return (
    <div className={styles.page} lang={texts.locale}>
      <div className={styles.content}>
        <header>
          <Logo size={0} />
          <strong>{APP_NAME}</strong>
          <span>{giver}</span>
        </header>
        <h2>{texts.title}</h2>
        <p className={styles.facts}>{texts.facts.join(' · ')}</p>
        <div className={styles.qr}>
          <QrCode text={of.link} label={texts.qr} />
        </div>
        <p className={styles.code}>{of.code}</p>
        <p className={styles.valid}>{texts.valid}</p>
        <ol>
          {texts.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p className={styles.without}>{texts.without}</p>
      </div>
    </div>
  );
}

/** The sheet as it will come out of the printer, and what the printer gets: nothing else of the page. */
export function PrintedSheet({ of, texts }: { of: SheetOf; texts: SheetTexts }): ReactNode {
  return (
    <>
      <div className={styles.preview} aria-hidden="true">
        <Sheet of={of} texts={texts} />
      </div>
      {createPortal(
        <div className={styles.printed} data-printed>
          <Sheet of={of} texts={texts} />
        </div>,
        document.body,
      )}
    </>
  );
}
