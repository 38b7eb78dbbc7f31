import { IconKeyboardOff, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { savePreferences } from '../account/preferences.ts';
import { Button, IconButton } from '../blocks/show/button.tsx';
import styles from './keys-offer.module.css';

/** Offers once to leave function keys and context menu as the browser has them; closing it leaves them as they are. */
export function KeysOffer() {
  const { t } = useTranslation();
  const id = useId();
  return (
    <aside className={styles.offer} aria-labelledby={id}>
      <IconKeyboardOff size={22} stroke={1.7} className={styles.icon} aria-hidden="true" />
      <div className={styles.body}>
        <h2 id={id} className={styles.title}>
          {t('shell.keys.title')}
        </h2>
        <p className={styles.text}>{t('shell.keys.text')}</p>
        <div className={styles.choice}>
          <Button look="filled" small onClick={() => void savePreferences({ keysGuarded: true })}>
            {t('shell.keys.keep')}
          </Button>
          <Button small onClick={() => void savePreferences({ keysGuarded: false })}>
            {t('shell.keys.off')}
          </Button>
        </div>
      </div>
      <IconButton aria-label={t('common.close')} onClick={() => void savePreferences({ keysGuarded: true })}>
        <IconX size={18} aria-hidden="true" />
      </IconButton>
    </aside>
  );
}
