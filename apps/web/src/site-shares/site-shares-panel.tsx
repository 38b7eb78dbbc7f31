import { list, type SiteShare } from '@sonnenwarte/contract/site-shares/site-shares';
import type { Site } from '@sonnenwarte/contract/sites/site';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { shareActions } from './share-actions.tsx';
import styles from './site-shares.module.css';

interface SiteSharesPanelProps {
  site: Pick<Site, 'stationID' | 'sharedBy'>;
  /** Shares it with somebody else. */
  actions: ReactNode;
}

/** With whom a plant is shared; nothing where it is with nobody, and for who may not share it. */
export function SiteSharesPanel({ site: { stationID, sharedBy }, actions }: SiteSharesPanelProps): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(list, { stationID }));
  const table = useActions(shareActions);
  const shares = query.data?.shares ?? [];
  if (shares.length === 0 && !query.error) return null;
  return (
    <Panel title={t('site-shares.title')} actions={query.data?.can.share ? actions : undefined}>
      <ReadState query={query}>{null}</ReadState>
      {sharedBy !== '' && <p className={styles.note}>{t('site-shares.withYou', { name: sharedBy })}</p>}
      <ul className={styles.shares}>
        {shares.map((share) => (
          <li key={share.shareID} className={styles.share}>
            <ShareText share={share} />
            <RowActions name={share.account} actions={table.of(share)} />
          </li>
        ))}
      </ul>
      {table.dialogs}
    </Panel>
  );
}

function ShareText({ share: { account, right, sharedBy, sharedAtMs } }: { share: SiteShare }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const since = format.localTime(sharedAtMs);
  return (
    <span className={styles.text}>
      <strong translate="no">{account}</strong> <Badge>{t(`site-shares.right.${right}`)}</Badge>
      <span className={styles.since}>
        {sharedBy === '' ? since : t('site-shares.since', { name: sharedBy, time: since })}
      </span>
    </span>
  );
}
