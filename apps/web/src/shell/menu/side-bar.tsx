import { IconSearch } from '@tabler/icons-react';
import { lazy, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../blocks/show/logo.tsx';
import { ScreenLink } from '../../blocks/show/screen-link.tsx';
import { APP_NAME } from '../../router/document-title.ts';
import { ControlKey } from '../../search/control-key.tsx';
import { openPalette } from '../../search/palette-state.ts';
import { LazyPart } from '../screen-boundary.tsx';
import { MenuList } from './menu-list.tsx';
import { useRail } from './rail.ts';
import styles from './side-bar.module.css';

const MenuRail = lazy(async () => ({ default: (await import('./menu-rail.tsx')).MenuRail }));

/** Brand, search and menu; as a rail it leaves only the icons. Rendered anew only for what concerns it, not for each request that begins or ends. */
export const SideBar = memo(function SideBar({ activeName }: { activeName: string | undefined }) {
  const { t } = useTranslation();
  const { rail } = useRail();
  return (
    <nav className={styles.bar} data-rail={rail || undefined} aria-label={t('shell.mainMenu')}>
      <ScreenLink to="bus-index" className={styles.brand ?? ''} aria-label={APP_NAME}>
        <Logo />
        {!rail && <span className={styles.name}>{APP_NAME}</span>}
      </ScreenLink>
      <button
        type="button"
        className={styles.search}
        {...(rail && { title: t('search.title'), 'aria-label': t('search.title') })}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={openPalette}
      >
        <IconSearch size={18} stroke={1.8} aria-hidden="true" />
        {!rail && (
          <>
            <span className={styles.words}>{t('search.open')}</span>
            <span className={styles.keys} aria-hidden="true">
              <ControlKey /> <kbd>K</kbd>
            </span>
          </>
        )}
      </button>
      <div className={styles.nav}>
        {rail ? (
          <LazyPart>
            <MenuRail activeName={activeName} />
          </LazyPart>
        ) : (
          <MenuList activeName={activeName} />
        )}
      </div>
    </nav>
  );
});
