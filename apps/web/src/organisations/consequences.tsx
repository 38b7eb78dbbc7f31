import type { Consequences as Counts } from '@sonnenwarte/contract/organisations/organisations';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './organisations.module.css';

interface ConsequencesProps {
  counts: Counts;
  /** The account leads an organisation, which goes with it. */
  leads?: boolean;
}

/** What a deletion takes with it and where the rest goes. */
export function Consequences({ counts, leads = false }: ConsequencesProps): ReactNode {
  const { t } = useTranslation();
  const { sites, devices, accounts, endUsers, movedSites, undoDays } = counts;
  const place = counts.goesTo ?? t('organisations.delete.above');
  return (
    <>
      <ul className={styles.consequences}>
        {sites > 0 && <li>{t('organisations.delete.sites', { count: sites, devices })}</li>}
        {accounts > 0 && <li>{t('organisations.delete.accounts', { count: accounts })}</li>}
        {leads && <li>{t('organisations.delete.organisation')}</li>}
        {endUsers > 0 && <li>{t('organisations.delete.endUsers', { count: endUsers, place })}</li>}
        {movedSites > 0 && (
          <li>
            {t(leads ? 'organisations.delete.leaderSites' : 'organisations.delete.movedSites', {
              count: movedSites,
              place,
            })}
          </li>
        )}
      </ul>
      <p>{t('organisations.delete.undo', { count: undoDays })}</p>
    </>
  );
}

/** What stands against a deletion. */
export function Hindrances({ counts }: { counts: Counts }): ReactNode {
  const { t } = useTranslation();
  const { organisationsBelow, sites, endUsers, membersBesides } = counts;
  return (
    <>
      <p className={styles.text}>{t('organisations.delete.blocked')}</p>
      <ul className={styles.consequences}>
        {organisationsBelow > 0 && (
          <li>{t('organisations.delete.organisationsBelow', { count: organisationsBelow })}</li>
        )}
        {sites > 0 && <li>{t('organisations.delete.sitesBelow', { count: sites })}</li>}
        {endUsers > 0 && <li>{t('organisations.delete.endUsersBelow', { count: endUsers })}</li>}
        {membersBesides > 0 && <li>{t('organisations.delete.members', { count: membersBesides })}</li>}
      </ul>
    </>
  );
}
