import type { IncidentRow } from '@sonnenwarte/contract/incidents/incidents';
import { IconBellOff, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import styles from './incidents.module.css';

const tones = {
  open: 'bad',
  acknowledged: 'neutral',
  cleared: 'good',
  closed: 'neutral',
} as const satisfies Record<IncidentRow['state'], Tone>;

type Told = Pick<IncidentRow, 'state' | 'acknowledgedBy' | 'mutedUntilMs' | 'assignee'>;

interface StateTagProps {
  row: Told;
  /** The time until which it is muted is left to the pointer. */
  brief?: boolean;
}

/** Where an incident stands, who has taken notice of it, and until when it is muted. */
export function StateTag({ row, brief = false }: StateTagProps): ReactNode {
  const { state, acknowledgedBy, mutedUntilMs, assignee } = row;
  const { t } = useTranslation();
  const { moment } = useMoments();
  const muted = mutedUntilMs === null ? '' : t('incidents.mutedUntil', { time: moment(mutedUntilMs, localZone()) });
  return (
    <span className={styles.state}>
      <Badge tone={tones[state]}>
        {state !== 'open' && <IconCheck size={12} stroke={2} aria-hidden="true" />}
        {t(`incidents.state.${state}`)}
      </Badge>
      {muted !== '' && (
        <Badge>
          <IconBellOff size={12} stroke={2} aria-hidden="true" />
          {brief ? <span title={muted}>{t('incidents.view.muted')}</span> : muted}
        </Badge>
      )}
      {state === 'acknowledged' && acknowledgedBy !== '' && acknowledgedBy !== assignee && (
        <small>{acknowledgedBy}</small>
      )}
    </span>
  );
}
