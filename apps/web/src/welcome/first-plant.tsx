import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { siteAdding } from '../sites/site-actions.tsx';
import { useGlobalState } from '../state/global-state.ts';
import styles from './welcome.module.css';

/** Home of who looks after plants, before there is one: what to do next. */
export function FirstPlant(): ReactNode {
  const { t } = useTranslation();
  const access = useGlobalState((state) => state.access);
  return (
    <Panel title={t('welcome.first.title')}>
      <div className={styles.first}>
        <p>{t('welcome.first.text')}</p>
        <div className={styles.buttons}>
          <ActionButtons table={siteAdding} row={{}} look="filled" />
          {(access === LEVEL.installer || access === LEVEL.agent) && (
            <ScreenLink to="user-center">{t('welcome.first.signUpCode')}</ScreenLink>
          )}
        </div>
      </div>
    </Panel>
  );
}
