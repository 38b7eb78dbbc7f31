import { LEVEL } from '@sonnenwarte/contract/levels';
import type { Site } from '@sonnenwarte/contract/sites/site';
import type { SiteSilence } from '@sonnenwarte/contract/sites/site-alarms';
import { alarms } from '@sonnenwarte/contract/sites/site-endpoints';
import type { State } from '@sonnenwarte/contract/status';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActiveAlarms } from '../blocks/show/active-alarms.tsx';
import { ContactActions } from '../blocks/show/contact-actions.tsx';
import { ContactLinks } from '../blocks/show/contact-links.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { AlarmDevice } from './alarm-device.tsx';
import styles from './site-trouble-panel.module.css';
import { useTroubleText } from './trouble-text.ts';

const REFRESH_MS = 30_000;

/** Why a plant is not normal, since when, and what to do; nothing while it is. */
export function SiteTroublePanel({ site, state }: { site: Site; state: State }): ReactNode {
  const { t } = useTranslation();
  const { stationID, ianaTimezone: timeZone } = site;
  const query = useQuery({
    ...read(alarms, { stationID }),
    enabled: state !== 'normal',
    refetchInterval: REFRESH_MS,
  });
  if (state === 'normal') return null;
  const answer = query.data;
  if (answer && answer.alarms.length === 0 && answer.silence === null) return null;
  return (
    <Panel title={t('sites.section.trouble')} actions={<WhomToAsk contact={site.installerContact} />}>
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      <div className={styles.trouble}>
        {answer?.silence && <Silence silence={answer.silence} timeZone={timeZone} />}
        {answer && answer.alarms.length > 0 && (
          <ActiveAlarms
            alarms={answer.alarms}
            timeZone={timeZone}
            deviceOf={(alarm) => ({ key: alarm.deviceID, shown: <AlarmDevice alarm={alarm} /> })}
          />
        )}
        {answer && answer.total > answer.alarms.length && (
          <p className={styles.heard}>{t('sites.trouble.more', { number: answer.total - answer.alarms.length })}</p>
        )}
      </div>
    </Panel>
  );
}

/** An owner's next step is to call; whoever installs plants is the one that would be called. */
function WhomToAsk({ contact }: { contact: Site['installerContact'] }): ReactNode {
  const { t } = useTranslation();
  const access = useGlobalState((state) => state.access);
  if (access === LEVEL.installer) return null;
  if (access !== LEVEL.endUser) return <ContactLinks {...contact} />;
  return <ContactActions contact={contact} callLabel={t('sites.ask.call')} mailLabel={t('sites.ask.mail')} />;
}

function Silence({ silence, timeZone }: { silence: SiteSilence; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { fault, sinceMs, of, advice } = useTroubleText()({ state: 'offline', alarm: null, silence });
  const facts = [
    of === '' ? '' : `${t('sites.kind.datalogger')} ${of}`,
    sinceMs === null ? '' : t('sites.trouble.lastValues', { time: format.dateTime(sinceMs, timeZone) }),
    silence.lastSeenMs === null
      ? ''
      : t('sites.trouble.lastSeen', { time: format.dateTime(silence.lastSeenMs, timeZone) }),
  ].filter((fact) => fact !== '');
  return (
    <div className={styles.silence}>
      <StatusMark state="offline" />
      <div>
        <strong>{fault}</strong>
        {facts.length > 0 && <p className={styles.heard}>{facts.join(' · ')}</p>}
        <p>{advice}</p>
      </div>
    </div>
  );
}
