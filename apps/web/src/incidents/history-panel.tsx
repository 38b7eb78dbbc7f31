import { type IncidentDetail, type IncidentEntry, note } from '@sonnenwarte/contract/incidents/incidents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { CommentBox } from './comment-box.tsx';
import styles from './incident.module.css';
import { isStanding } from './incident-actions.tsx';
import { shapeOf } from './levels.ts';
import { toldHistory } from './told-history.ts';

const MOST_SPELLS = 50;

/** What happened to an incident, newest first, and what people wrote of it. */
export function HistoryPanel({ data }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { incident, entries, spells, moreEntries } = data;
  const told = toldHistory(entries, spells, isStanding(incident));
  return (
    <Panel title={t('incidents.history.title')}>
      <ul className={styles.history} data-shape={shapeOf(incident.code, incident.level)}>
        {told.map((each) =>
          each.kind === 'spells' ? (
            <Spells key="spells" spells={each.spells} times={incident.times} timeZone={incident.ianaTimezone} />
          ) : (
            <Step key={each.entry.id} entry={each.entry} timeZone={incident.ianaTimezone} />
          ),
        )}
      </ul>
      {moreEntries > 0 && (
        <p className={styles.quiet}>{t('incidents.history.more', { number: format.number(moreEntries) })}</p>
      )}
      {incident.can.work && <Can of={note}>{(of) => <CommentBox of={of} incident={incident} />}</Can>}
    </Panel>
  );
}

function Step({ entry, timeZone }: { entry: IncidentEntry; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const { moment } = useMoments();
  const { kind, atMs, by, text, untilMs, cause } = entry;
  const isGiven = kind === 'assigned';
  return (
    <li data-kind={kind}>
      <strong>
        {t(`incidents.entry.${kind}`, {
          name: by || t('incidents.portal'),
          to: isGiven ? text : '',
          time: untilMs === null ? '' : moment(untilMs, localZone()),
        })}
      </strong>
      <small>{moment(atMs, timeZone)}</small>
      {cause !== null && <span>{t(`alarm-facts.cause.${cause}`)}</span>}
      {text !== '' && !isGiven && <span className={styles.said}>{text}</span>}
    </li>
  );
}

interface SpellsProps {
  spells: readonly IncidentDetail['spells'][number][];
  times: number;
  timeZone: string;
}

/** All the times that it came, as one: when it was last, and each of them where somebody asks. */
function Spells({ spells, times, timeZone }: SpellsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { moment, duration } = useMoments();
  const last = spells[0];
  return (
    <li data-kind="returned">
      <strong>{t('incidents.history.came', { count: times })}</strong>
      {last && <small>{t('incidents.figure.last', { time: moment(last.sinceMs, timeZone) })}</small>}
      <details className={styles.spells}>
        <summary>{t('incidents.history.each')}</summary>
        <ul>
          {spells.slice(0, MOST_SPELLS).map(({ sinceMs, untilMs }) => (
            <li key={sinceMs}>
              {moment(sinceMs, timeZone)}
              {' – '}
              {untilMs === null
                ? t('incidents.figure.goesOn')
                : `${format.time(untilMs, timeZone)} (${duration(untilMs - sinceMs)})`}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
