import { useTranslation } from 'react-i18next';
import { ControlKey } from './control-key.tsx';
import styles from './palette.module.css';

/** What the keys do, where there are any. */
export function PaletteKeys() {
  const { t } = useTranslation();
  return (
    <footer className={styles.keys} aria-hidden="true">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        {t('search.key.choose')}
      </span>
      <span>
        <kbd>⏎</kbd>
        {t('search.key.open')}
      </span>
      <span>
        <ControlKey />
        <kbd>⏎</kbd>
        {t('search.key.behind')}
      </span>
      <span>
        <kbd>⇥</kbd>
        {t('search.key.kind')}
      </span>
      <span className={styles.prefixes}>
        <kbd>{'>'}</kbd>
        {t('search.key.action')}
      </span>
      <span>
        <kbd>#</kbd>
        {t('search.key.sn')}
      </span>
      <span>
        <kbd>@</kbd>
        {t('search.key.person')}
      </span>
      <span>
        <kbd>/</kbd>
        {t('search.key.screen')}
      </span>
    </footer>
  );
}
