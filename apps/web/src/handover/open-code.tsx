import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { isLanguage, type Language } from '@sonnenwarte/contract/languages';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { languageNames, phraseLanguages } from '@sonnenwarte/phrases/languages';
import { IconCopy, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { Button } from '../blocks/show/button.tsx';
import { QrCode } from '../blocks/show/qr-code.tsx';
import { read } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { languageOfCountry } from './customer-language.ts';
import styles from './handover.module.css';
import { handoverLink } from './handover-link.ts';
import { PrintedSheet, useSheetTexts } from './handover-sheet.tsx';
import { HandoverSteps } from './handover-steps.tsx';
import { isForPaper, PrintButton } from './print-button.tsx';

interface OpenCodeProps {
  row: SiteRow;
  code: string;
  now: HandoverNow;
  withdrawing: ReactNode;
}

const choices = phraseLanguages.map((value) => ({ value, label: languageNames[value] }));

/** The code as the customer takes it: from the screen, from paper, by mail. */
export function OpenCode({ row, code, now, withdrawing }: OpenCodeProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const own = useGlobalState((state) => state.language);
  const [language, setLanguage] = useState<Language>(() => languageOfCountry(row.country) ?? own);
  const plant = useQuery(read(detail, { stationID: row.stationID }));
  const link = handoverLink(code, language);
  const sheet = {
    plant: row.name,
    systemCapacity: row.systemCapacity,
    commissionedOn: plant.data?.commissionedOn ?? null,
    giver: plant.data?.installerContact ?? { name: row.installer, phone: '' },
    code,
    link,
    expiresMs: now.expiresMs,
  };
  const texts = useSheetTexts(sheet, language);
  const copy = (): void =>
    void navigator.clipboard.writeText(link).then(
      () => showMessage({ id: 'handover-link', text: t('handover.copied'), color: 'brand' }),
      // Without https the browser hands out no clipboard.
      () =>
        showMessage({ id: 'handover-link', text: t('handover.notCopied', { link }), color: 'yellow', forMs: 30_000 }),
    );
  const mail = texts && mailTo(plant.data?.user.email ?? '', texts.title, texts.mail(link));
  return (
    <div className={styles.open}>
      <div className={styles.giving}>
        <div className={styles.code}>
          <div className={styles.qr}>
            <QrCode text={link} label={t('handover.qr')} />
          </div>
          <div className={styles.facts}>
            <Select
              label={t('handover.language')}
              value={language}
              options={choices}
              onChange={(chosen) => isLanguage(chosen) && setLanguage(chosen)}
            />
            <p className={styles.small}>{t('handover.right')}</p>
            <p className={styles.signs}>{code}</p>
            <p className={styles.small}>{t('handover.valid', { time: format.localTime(now.expiresMs) })}</p>
            {!isForPaper(now) && <p className={styles.small}>{t('handover.printedDays')}</p>}
          </div>
        </div>
        <div className={styles.buttons}>
          <PrintButton stationID={row.stationID} now={now} isReady={texts !== undefined} />
          {mail !== undefined && (
            <a className={styles.link} href={mail}>
              <IconMail size={18} aria-hidden="true" />
              {t('handover.mail')}
            </a>
          )}
          <Button onClick={copy}>
            <IconCopy size={18} aria-hidden="true" />
            {t('handover.copy')}
          </Button>
          {withdrawing}
        </div>
        <HandoverSteps now={now} />
      </div>
      <figure className={styles.sheet}>
        {texts && <PrintedSheet of={sheet} texts={texts} />}
        <figcaption className={styles.small}>{t('handover.preview')}</figcaption>
      </figure>
    </div>
  );
}

const mailTo = (address: string, subject: string, body: string): string =>
  `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
