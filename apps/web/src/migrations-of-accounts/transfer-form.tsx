import { type MigrationParty, preview } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { readLoginInfo } from '../state/session.ts';
import { AccountPicker } from './account-picker.tsx';
import { transferActions } from './migration-actions.tsx';
import styles from './migrations.module.css';
import { type MovingPlant, PlantMoves } from './plant-moves.tsx';

/** Source, target, what moves between them, and the way on to the code. */
export function TransferForm(): ReactNode {
  const { t } = useTranslation();
  const [source, setSource] = useState<MigrationParty>();
  const [target, setTarget] = useState<MigrationParty>();
  const chooseSource = (party: MigrationParty | undefined) => {
    setSource(party);
    setTarget(undefined);
  };
  const done = () => {
    setSource(undefined);
    setTarget(undefined);
  };
  return (
    <Panel title={t('migrations-of-accounts.form.title')}>
      <p className={styles.intro}>{t('migrations-of-accounts.form.intro')}</p>
      <div className={styles.parties}>
        <AccountPicker label={t('migrations-of-accounts.field.source')} value={source} onChange={chooseSource} />
        {source && (
          <>
            <IconArrowRight className={styles.arrow} aria-hidden="true" />
            <AccountPicker
              label={t('migrations-of-accounts.field.target')}
              value={target}
              onChange={setTarget}
              source={source}
            />
          </>
        )}
      </div>
      {source && target && (
        <Preview key={`${source.accountID} ${target.accountID}`} source={source} target={target} onDone={done} />
      )}
    </Panel>
  );
}

interface PreviewProps {
  source: MigrationParty;
  target: MigrationParty;
  onDone: () => void;
}

const sum = (sites: readonly MovingPlant[], field: 'devices' | 'dataloggers'): number =>
  sites.reduce((total, site) => total + (site[field] ?? 0), 0);

function Preview({ source, target, onDone }: PreviewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const operator = readLoginInfo()?.username ?? '';
  const shown = useQuery(read(preview, { sourceID: source.accountID, targetID: target.accountID }));
  if (shown.error || shown.data === undefined)
    return (
      <ReadState query={shown}>
        <Skeleton height="12rem" />
      </ReadState>
    );
  const { sites, transferCount } = shown.data;
  return (
    <div className={styles.preview}>
      <h3 className={styles.partyTitle}>{t('migrations-of-accounts.field.plants')}</h3>
      <p className={styles.note}>
        {t('migrations-of-accounts.preview.totals', {
          sites: format.number(sites.length),
          devices: format.number(sum(sites, 'devices')),
          dataloggers: format.number(sum(sites, 'dataloggers')),
        })}
      </p>
      <PlantMoves plants={sites} />
      <dl className={styles.facts}>
        <div>
          <dt>{t('migrations-of-accounts.field.parentAgents')}</dt>
          <dd>{source.parentAgents.join(' › ') || '–'}</dd>
        </div>
        <div>
          <dt>{t('migrations-of-accounts.field.transferCount')}</dt>
          <dd>{format.number(transferCount)}</dd>
        </div>
        <div>
          <dt>{t('migrations-of-accounts.field.operatedBy')}</dt>
          <dd>{operator}</dd>
        </div>
      </dl>
      <p className={styles.warning}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        {t('migrations-of-accounts.warning')}
      </p>
      <div>
        <ActionButtons
          table={transferActions}
          row={{ plan: shown.data, onChanged: () => void shown.refetch(), onMoved: onDone }}
          look="filled"
        />
      </div>
    </div>
  );
}
