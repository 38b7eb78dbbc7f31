import { logoAddress } from '@sonnenwarte/contract/brands/brands';
import { coloursOf, tokensOf } from '@sonnenwarte/contract/brands/colours';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './brands.module.css';
import { wholeColour } from './colour-field.tsx';

interface PreviewProps {
  name: string;
  logo: string;
  colour: string;
}

/** The sign-in page under the domain of a brand, light and dark. */
export function SignInPreview(props: PreviewProps): ReactNode {
  const { t } = useTranslation();
  return (
    <section className={styles.preview} aria-label={t('brands.preview.title')}>
      <h3>{t('brands.preview.title')}</h3>
      <div className={styles.pages}>
        {(['light', 'dark'] as const).map((scheme) => (
          <figure key={scheme}>
            <Small {...props} scheme={scheme} />
            <figcaption>{t(`brands.preview.${scheme}`)}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

function Small({ name, logo, colour, scheme }: PreviewProps & { scheme: 'light' | 'dark' }): ReactNode {
  const { t } = useTranslation();
  const whole = wholeColour(colour);
  // The policy of the page takes no style from attributes.
  const paint = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return;
      for (const [token, value] of Object.entries(tokensOf(coloursOf(whole ?? '#0b6f73'))))
        if (whole === undefined) element.style.removeProperty(token);
        else element.style.setProperty(token, value);
    },
    [whole],
  );
  const shown = name.trim() === '' ? t('brands.field.name') : name;
  return (
    <div ref={paint} className={styles.page} data-scheme={scheme}>
      <div className={styles.side}>
        <span>{t('login.claim')}</span>
      </div>
      <div className={styles.form}>
        <strong className={styles.name}>
          {logo === '' ? (
            <i className={styles.letter} aria-hidden="true">
              {[...shown][0]?.toUpperCase()}
            </i>
          ) : (
            <img src={logoAddress(logo)} height={20} alt="" />
          )}
          <span translate="no">{shown}</span>
        </strong>
        <span>{t('login.user')}</span>
        <i className={styles.field} aria-hidden="true" />
        <span>{t('login.password')}</span>
        <i className={styles.field} aria-hidden="true" />
        <b className={styles.submit}>{t('login.submit')}</b>
        <u className={styles.link}>{t('login.forgotPassword')}</u>
      </div>
    </div>
  );
}
