import { attention, type TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../blocks/overlay/hint.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useBrokenSince } from '../live/line-state.ts';
import { useTroubleText } from '../sites/trouble-text.ts';
import { useChangeSinceYesterday } from '../sites/use-change.ts';
import type { SiteNow } from '../sites/use-site-now.ts';
import styles from './fleet.module.css';
import { troubledNow } from './troubled-now.ts';

const ContactActions = lazy(async () => ({
  default: (await import('../blocks/show/contact-actions.tsx')).ContactActions,
}));

const REFRESH_MS = 30_000;

interface OwnerSentenceProps {
  rows: readonly SiteRow[];
  current: SiteRow;
  now: SiteNow;
}

/** Is all well? If not, which plant, what, since when, and the next step. With the line down it says of when it is. */
export function OwnerSentence({ rows, current, now }: OwnerSentenceProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const brokenSinceMs = useBrokenSince();
  const answer = useQuery({ ...read(attention, {}), refetchInterval: REFRESH_MS });
  const troubled = troubledNow(rows, answer.data?.plants, current.stationID, now.live?.state);
  const worst = troubled[0];
  if (worst === undefined) {
    return (
      <div className={styles.sentence} data-ages role="status">
        <StatusMark state="normal" />
        <span>
          {brokenSinceMs === null
            ? t('fleet.allWell')
            : t('fleet.then.allWell', { time: format.localTime(brokenSinceMs) })}{' '}
          {brokenSinceMs === null && <SoFar current={current} now={now} />}
        </span>
      </div>
    );
  }
  return <TroubleSentence worst={worst} others={troubled.length - 1} />;
}

/** What is wrong with the plant that is worst off, and whom to call about it. */
function TroubleSentence({ worst, others }: { worst: TroubledSite; others: number }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const brokenSinceMs = useBrokenSince();
  const installer = useQuery(read(detail, { stationID: worst.stationID })).data?.installerContact;
  const { fault, sinceMs, advice } = useTroubleText()(worst);
  const named = t('fleet.own.trouble', { name: worst.name, fault });
  return (
    <div className={styles.sentence} data-ages data-card role="status">
      <StatusMark state={worst.state} />
      <span>
        {brokenSinceMs === null ? named : t('fleet.own.then', { time: format.localTime(brokenSinceMs), text: named })}
      </span>
      <p>
        {[
          sinceMs === null ? '' : t('devices.since', { time: format.plantTime(sinceMs, worst.ianaTimezone) }),
          others > 0 ? t('fleet.own.others', { number: format.number(others) }) : '',
        ]
          .filter((fact) => fact !== '')
          .join(' · ')}
      </p>
      {advice !== '' && <p>{advice}</p>}
      <div className={styles.next}>
        <Suspense>
          {installer && (
            <ContactActions contact={installer} callLabel={t('sites.ask.call')} mailLabel={t('sites.ask.mail')} />
          )}
        </Suspense>
        <ScreenLink to="plant-detail" query={{ id: worst.stationID }}>
          {t('fleet.own.look')}
        </ScreenLink>
      </div>
    </div>
  );
}

/** Today's yield, and against yesterday at this time. */
function SoFar({ current, now }: { current: SiteRow; now: SiteNow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const change = useChangeSinceYesterday(current);
  const todayWh = now.today?.generationWh ?? now.live?.todayWh ?? null;
  if (todayWh === null || now.stale) return null;
  const energy = format.energy(todayWh);
  const text =
    change === null || Math.abs(change) < 0.5
      ? t('fleet.own.soFar', { energy })
      : t(change > 0 ? 'fleet.own.more' : 'fleet.own.less', { energy, percent: format.percent(Math.abs(change)) });
  return <Hint text={t('sites.hint.generationWh')}>{text}</Hint>;
}
