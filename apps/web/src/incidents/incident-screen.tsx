import { detail, type IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { ActionsMenu } from '../blocks/actions/actions-menu.tsx';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { DetailSkeleton, LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useWayActions, WayButton, type WayButtonProps } from '../blocks/show/way-button.tsx';
import { read } from '../client/queries.ts';
import { RecordsOf } from '../fault-records/records-of-part.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useRecordID, useTabTitle } from '../tabs/tab-context.ts';
import { OrdersOf } from '../work-orders/orders-of-part.ts';
import { EvidencePart } from './evidence-part.ts';
import { HistoryPanel } from './history-panel.tsx';
import styles from './incident.module.css';
import { incidentActions, isStanding } from './incident-actions.tsx';
import { IncidentMark, LevelWord } from './incident-mark.tsx';
import { LossFigures } from './loss-figures.tsx';
import { MeaningPanel } from './meaning-panel.tsx';
import { RelatedPanel } from './related-panel.tsx';
import { StateTag } from './state-tag.tsx';
import { StepsPanel } from './steps-panel.tsx';
import { useAlarmList } from './use-alarm-list.ts';
import { useIncidentNews } from './use-incident-news.ts';
import { useMayOpen } from './use-may-open.ts';

const REFRESH_MS = 30_000;
const MINUTE_MS = 60_000;
const EVIDENCE_PX = 300;
/** What stands beside what comes next. */
const others = ['mute', 'unmute', 'assign', 'close'];

/** Somebody takes notice, has somebody see to it, and closes it. */
const nextOf = ({ state, assignee }: IncidentDetail['incident']): string =>
  state === 'open' ? 'acknowledge' : state === 'cleared' ? 'close' : assignee === '' ? 'assign' : '';

/** One incident, named by the address. */
export function IncidentScreen(): ReactNode {
  const { t } = useTranslation();
  const incidentID = useRecordID('incidentID');
  if (incidentID === undefined) {
    return (
      <TitledScreen>
        <EmptyState text={t('incidents.list.empty')} />
      </TitledScreen>
    );
  }
  return <Incident key={incidentID} incidentID={incidentID} />;
}

function Incident({ incidentID }: { incidentID: string }): ReactNode {
  const alarmText = useAlarmText();
  const list = useAlarmList();
  useIncidentNews();
  const { data, error, refetch } = useQuery({ ...read(detail, { id: incidentID }), refetchInterval: REFRESH_MS });
  const name = data && alarmText(data.incident.code).name;
  const of = data && (data.incident.plantName || data.incident.region);
  useTabTitle(name && (of ? `${name} · ${of}` : name));
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list={list} />;
    return <DetailSkeleton />;
  }
  const { incident, evidence, spells } = data;
  return (
    <DetailScreen
      title={
        <span className={styles.title}>
          <IncidentMark code={incident.code} level={incident.level} />
          <span>{name}</span>
          <small translate="no">{incident.code}</small>
        </span>
      }
      subtitle={<Subtitle data={data} />}
      mark={<StateTag row={incident} />}
      aside={<WhatToDo incident={incident} />}
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown />}
      <Muted data={data} />
      <LossFigures data={data} />
      <div className={styles.body}>
        <div className={styles.main}>
          {evidence && (
            <Suspense
              fallback={
                <LoadingSkeleton>
                  <Skeleton height={`${EVIDENCE_PX}px`} />
                </LoadingSkeleton>
              }
            >
              <EvidencePart evidence={evidence} incident={incident} spells={spells} />
            </Suspense>
          )}
          <div className={styles.pair}>
            <MeaningPanel data={data} />
            <StepsPanel data={data} />
          </div>
        </div>
        <div className={styles.side}>
          <Suspense fallback={null}>
            <OrdersOf incidentID={incidentID} />
            {incident.kind === 'inverter' && <RecordsOf {...incident} />}
          </Suspense>
          <HistoryPanel data={data} />
          <RelatedPanel data={data} />
        </div>
      </div>
    </DetailScreen>
  );
}

/** What can be done with it, the one that comes next filled; on a phone that alone, the rest in a menu. */
function WhatToDo({ incident }: { incident: IncidentDetail['incident'] }): ReactNode {
  const phone = useIsPhone();
  const order: WayButtonProps = { to: 'work-order-add', query: { alarm: incident.incidentID } };
  const inMenu = useWayActions(phone ? [order] : []);
  const next = nextOf(incident);
  const beside = phone ? [] : others.filter((name) => name !== next);
  return (
    <>
      <ActionButtons table={incidentActions} row={incident} only={beside} />
      {!phone && <WayButton {...order} />}
      <ActionButtons table={incidentActions} row={incident} look="filled" only={[next]} />
      <ActionsMenu table={incidentActions} row={incident} but={[next, ...beside]} first={inMenu} />
    </>
  );
}

/** Where it is, since when and how long, and how bad it is. */
function Subtitle({ data: { incident } }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const { moment, duration } = useMoments();
  const nowMs = useNow(MINUTE_MS);
  const { stationID, plantName, region, plants, deviceID, deviceSN, kind, ianaTimezone } = incident;
  const device = kind && deviceTarget({ kind, deviceID }, !mayOpen('plant-detail'));
  const since = t('incidents.since', {
    time: moment(incident.sinceMs, ianaTimezone),
    duration: duration((incident.untilMs ?? nowMs) - incident.sinceMs),
  });
  return (
    <>
      {region !== '' && t('incidents.region', { count: plants, region })}
      {region === '' &&
        (mayOpen('plant-detail') ? (
          <ScreenLink to="plant-detail" query={{ id: stationID }}>
            {plantName}
          </ScreenLink>
        ) : (
          plantName
        ))}
      {deviceSN !== '' && ' · '}
      {device && mayOpen(device.to) ? <ScreenLink {...device}>{deviceSN}</ScreenLink> : deviceSN} · {since}
      {incident.untilMs !== null && ` · ${t('incidents.overAt', { time: moment(incident.untilMs, ianaTimezone) })}`}
      {' · '}
      <LevelWord level={incident.level} />
      {incident.assignee !== '' && ` · ${t('incidents.assignedTo', { name: incident.assignee })}`}
    </>
  );
}

/** Why it is muted, by whom and until when. */
function Muted({ data: { incident, mutedBy, muteReason } }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (incident.mutedUntilMs === null || !isStanding(incident)) return null;
  return (
    <p className={styles.note}>
      {t('incidents.mutedBy', {
        name: mutedBy || t('incidents.portal'),
        time: format.dateTime(incident.mutedUntilMs, localZone()),
        reason: muteReason,
      })}
    </p>
  );
}
