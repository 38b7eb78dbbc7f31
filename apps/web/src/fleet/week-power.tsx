import { type FleetWeek, week } from '@sonnenwarte/contract/fleet/fleet';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { addDays, localDay, startOfLocalDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { shortWeekday } from '../format/short-weekday.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './week-power.module.css';
import { axisTop, dayParts, weekPaths } from './week-shape.ts';

const REFRESH_MS = 300_000;
const WIDTH = 700;
const HEIGHT = 150;
/** Of the week; a day that has only begun has no room for its name before. */
const LEAST_NAMED_SHARE = { desktop: 0.04, phone: 0.11 };

interface WeekPowerProps {
  /** Values of the past are still being loaded. */
  isComing: boolean;
}

/** Power of all plants over seven days; where nothing was measured, nothing is drawn. */
export function WeekPower({ isComing }: WeekPowerProps): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({ ...read(week, {}), refetchInterval: REFRESH_MS });
  return (
    <Panel title={t('fleet.week.title')}>
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {query.data && <WeekChart answer={query.data} isComing={isComing} />}
    </Panel>
  );
}

function WeekChart({ answer, isComing }: WeekPowerProps & { answer: FleetWeek }): ReactNode {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const zone = localZone();
  const leastNamed = LEAST_NAMED_SHARE[useIsPhone() ? 'phone' : 'desktop'];
  const { powerW, startMs } = answer;
  const peakW = Math.max(0, ...powerW.map((value) => value ?? 0));
  const topW = axisTop(peakW);
  const paths = useMemo(() => weekPaths(powerW, { width: WIDTH, height: HEIGHT, top: topW }), [powerW, topW]);
  const days = useMemo(
    () =>
      dayParts(answer, {
        dayOf: (ms) => localDay(ms, zone),
        startOf: (day) => startOfLocalDay(day, zone),
        next: (day) => addDays(day, 1),
      }),
    [answer, zone],
  );
  if (peakW === 0) return <p>{t(isComing ? 'fleet.week.coming' : 'fleet.week.none')}</p>;
  const summary = days
    .map(({ day, wh }) => `${format.dayLong(day)}: ${wh === null ? t('fleet.week.noValues') : format.energy(wh)}`)
    .join('; ');
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.peak}>{t('fleet.week.peak', { power: format.power(peakW) })}</figcaption>
      <div className={styles.axis} aria-hidden="true">
        {[topW, topW / 2, 0].map((value) => (
          <span key={value}>{format.power(value)}</span>
        ))}
      </div>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {[0, HEIGHT / 2].map((y) => (
          <line key={y} className={styles.grid} x1={0} x2={WIDTH} y1={y} y2={y} />
        ))}
        {days.slice(1).map(({ day, from }) => (
          <line
            key={day}
            className={styles.midnight}
            x1={((from - startMs) / answer.powerW.length / 3_600_000) * WIDTH}
            x2={((from - startMs) / answer.powerW.length / 3_600_000) * WIDTH}
            y1={0}
            y2={HEIGHT}
          />
        ))}
        {paths.map(({ area, line }) => (
          <g key={area}>
            <path className={styles.area} d={area} />
            <path className={styles.line} d={line} />
          </g>
        ))}
        <line className={styles.base} x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      </svg>
      <ol className={styles.days} aria-hidden="true">
        {days.map(({ day, share, wh, whole }, at) => {
          const isToday = at === days.length - 1;
          return (
            <li key={day} style={{ flexGrow: share }} data-today={isToday || undefined}>
              {(whole || (isToday && share >= leastNamed)) && <span>{shortWeekday(day, format, i18n.language)}</span>}
              {whole && <strong>{wh === null ? '–' : format.energy(wh)}</strong>}
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
