import { IconEye } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { useGlobalState } from '../state/global-state.ts';
import styles from './view-as.module.css';
import { endView } from './view-session.ts';

const HiddenList = lazy(async () => ({ default: (await import('./hidden-list.tsx')).HiddenList }));

/** Says, above every screen, through whose eyes the portal is seen, and leads back. */
export function ViewAsBanner(): ReactNode {
  const { t } = useTranslation();
  const viewAs = useGlobalState((state) => state.viewAs);
  const [opened, setOpened] = useState(false);
  const [ending, setEnding] = useState(false);
  if (!viewAs) return null;
  const { accountName, groupName, organisationName, level } = viewAs;
  const levelName = t(`levels.${level}`);
  const who = [accountName ?? groupName ?? levelName, accountName === null ? organisationName : levelName];
  return (
    <section className={styles.banner} aria-label={t('view-as.start')}>
      <p className={styles.who}>
        <IconEye size={18} aria-hidden="true" />
        {t('view-as.banner', { who: who.filter((each) => each !== '').join(' · ') })}
      </p>
      <div className={styles.buttons}>
        <Button small onClick={() => setOpened(true)}>
          {t('view-as.whatHidden')}
        </Button>
        <Button
          small
          look="filled"
          aria-disabled={ending}
          onClick={() => {
            if (ending) return;
            setEnding(true);
            void endView();
          }}
        >
          {t('view-as.end')}
        </Button>
      </div>
      <Suspense>{opened && <HiddenList viewAs={viewAs} onClose={() => setOpened(false)} />}</Suspense>
    </section>
  );
}
