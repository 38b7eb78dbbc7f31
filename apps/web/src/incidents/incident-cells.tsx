import type { IncidentRow } from '@sonnenwarte/contract/incidents/incidents';
import { IconRepeat } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { formatAmount } from '../format/amount.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { IncidentMark } from './incident-mark.tsx';
import styles from './incidents.module.css';

const MINUTE_MS = 60_000;

/** What it is: its level, its name, its code, and how often it came. */
export function Name({ row: { code, level, times } }: { row: IncidentRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { name } = useAlarmText()(code);
  return (
    <span className={styles.name}>
      <IncidentMark code={code} level={level} />
      <span>{name}</span> <small translate="no">{code}</small>
      {times > 1 && (
        <Badge tone="warn">
          <IconRepeat size={12} stroke={2} aria-hidden="true" />
          {t('incidents.flutters', { times: format.number(times) })}
        </Badge>
      )}
    </span>
  );
}

/** Where it is: the plant with its device, or how many plants of which region, and what it explains. */
export function Where({ row: { plantName, deviceSN, region, plants, children } }: { row: IncidentRow }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles.where}>
      <span>{region === '' ? plantName : t('incidents.region', { count: plants, region })}</span>
      {region === '' && deviceSN !== '' && <small translate="no">{deviceSN}</small>}
      {region === '' && children > 0 && <small>{t('incidents.explains', { count: children })}</small>}
    </span>
  );
}

/** Since when it goes on, on the clock of its plant. */
export function Since({ row: { sinceMs, ianaTimezone } }: { row: IncidentRow }): ReactNode {
  const { moment } = useMoments();
  return <span className={styles.quiet}>{moment(sinceMs, ianaTimezone)}</span>;
}

/** When it ended, and how long it went on until then or until now. */
export function Until({ row: { sinceMs, untilMs, ianaTimezone } }: { row: IncidentRow }): ReactNode {
  const { moment, duration } = useMoments();
  const nowMs = useNow(MINUTE_MS);
  return (
    <span className={styles.where}>
      {untilMs !== null && <span>{moment(untilMs, ianaTimezone)}</span>}
      <small>{duration((untilMs ?? nowMs) - sinceMs)}</small>
    </span>
  );
}

/** An energy that is not known is no energy of zero. */
export function LostEnergy({ lostWh, children }: { lostWh: number | null; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return lostWh === null ? <span className={styles.unknown}>{t('incidents.unknown')}</span> : children;
}

interface LostMoneyProps {
  row: IncidentRow;
  /** Of what costs most on the page, 0 to 1. */
  share: number;
  /** A header says the currency. */
  bare?: boolean;
}

/** What it has cost, with a bar against what costs most. */
export function LostMoney({ row: { lostMoney, currency }, share, bare = false }: LostMoneyProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (lostMoney === null) return <span className={styles.unknown}>{t('incidents.unknown')}</span>;
  return (
    <span className={styles.money}>
      <span className={styles.bar} aria-hidden="true">
        <i style={{ '--share': share } as CSSProperties} />
      </span>
      <strong>{bare ? formatAmount(lostMoney, currency, format.locale) : format.money(lostMoney, currency)}</strong>
    </span>
  );
}
