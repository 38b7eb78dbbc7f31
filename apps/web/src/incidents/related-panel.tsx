import type { IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { EnergyBars } from '../charts/energy-bars.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './incident.module.css';
import { useAlarmList } from './use-alarm-list.ts';
import { childrenOf } from './use-children.ts';

const BARS_PX = 150;

/** What belongs to an incident: what explains it, what it explains, the same before, and what it cost day by day. */
export function RelatedPanel({ data }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const { moment, duration } = useMoments();
  const list = useAlarmList();
  const { incident, explainedBy, before, losses } = data;
  const { ianaTimezone, stationID, code } = incident;
  const isByDay = losses.length > 1;
  const hasMore = stationID !== '';
  if (explainedBy === null && incident.children === 0 && before.length === 0 && !isByDay && !hasMore) return null;
  return (
    <Panel title={t('incidents.related.title')}>
      <div className={styles.related}>
        {explainedBy !== null && (
          <section>
            <h3 className={styles.subhead}>{t('incidents.related.explainedBy')}</h3>
            <ScreenLink to="alarm-detail" query={{ id: explainedBy.incidentID }}>
              {alarmText(explainedBy.code).name}
            </ScreenLink>
            <small>{moment(explainedBy.sinceMs, ianaTimezone)}</small>
          </section>
        )}
        {incident.children > 0 && <Explained incidentID={incident.incidentID} />}
        {before.length > 0 && (
          <section>
            <h3 className={styles.subhead}>{t('incidents.related.before')}</h3>
            <ul>
              {before.map(({ incidentID, sinceMs, untilMs }) => (
                <li key={incidentID}>
                  <ScreenLink to="alarm-detail" query={{ id: incidentID }}>
                    {moment(sinceMs, ianaTimezone)}
                  </ScreenLink>
                  {untilMs !== null && <small>{duration(untilMs - sinceMs)}</small>}
                </li>
              ))}
            </ul>
          </section>
        )}
        {isByDay && (
          <section>
            <h3 className={styles.subhead}>{t('incidents.related.losses')}</h3>
            <EnergyBars
              title={t('incidents.related.losses')}
              heightPx={BARS_PX}
              parts={[{ key: 'lost', label: t('incidents.field.lostWh'), colour: 'var(--bad)' }]}
              slots={losses.map(({ day, wh, money }) => ({
                key: day,
                label: format.number(Number(day.slice(-2))),
                longLabel:
                  money === null ? format.day(day) : `${format.day(day)}, ${format.money(money, incident.currency)}`,
                valuesWh: [wh],
                estimated: false,
              }))}
            />
          </section>
        )}
        {hasMore && (
          <ul>
            <li>
              <ScreenLink to={list} query={{ 'condition.stationID': stationID, 'condition.view': 'all' }}>
                {t('incidents.related.ofPlant')}
              </ScreenLink>
            </li>
            <li>
              <ScreenLink to={list} query={{ 'condition.code': String(code) }}>
                {t('incidents.related.ofCode')}
              </ScreenLink>
            </li>
          </ul>
        )}
      </div>
    </Panel>
  );
}

/** What it explains, the costliest first. */
function Explained({ incidentID }: { incidentID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const list = useAlarmList();
  const { data } = useQuery(childrenOf(incidentID));
  if (!data || data.incidents.length === 0) return null;
  const more = data.total - data.incidents.length;
  return (
    <section>
      <h3 className={styles.subhead}>{t('incidents.explains', { count: data.total })}</h3>
      <ul>
        {data.incidents.map(({ incidentID: id, code, plantName, deviceSN, lostWh }) => (
          <li key={id}>
            <ScreenLink to="alarm-detail" query={{ id }}>
              {[plantName, deviceSN].filter((each) => each !== '').join(' · ') || alarmText(code).name}
            </ScreenLink>
            <small>
              {[alarmText(code).name, lostWh === null ? '' : format.energy(lostWh)]
                .filter((each) => each !== '')
                .join(' · ')}
            </small>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <ScreenLink to={list} query={{ 'condition.causeID': incidentID, 'condition.view': 'all' }}>
          {t('incidents.moreExplained', { number: format.number(more) })}
        </ScreenLink>
      )}
    </section>
  );
}
