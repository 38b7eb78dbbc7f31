import { batteryAging } from '@sonnenwarte/contract/batteries/batteries';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './kind-panels.module.css';

const WIDTH = 600;
const HEIGHT = 100;
const DAY_MS = 86_400_000;

/** State of health and full cycles of a battery, day by day. */
export function AgingPanel({ deviceID }: { deviceID: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(batteryAging, { id: deviceID }));
  const days = query.data?.days ?? [];
  const lane = (key: 'sohPercent' | 'cycles' | 'spreadMv') =>
    days.flatMap((day) => {
      const value = day[key];
      return value === null ? [] : [{ day: day.day as CalendarDay, value }];
    });
  const lanes = [
    { label: t('devices.field.sohPercent'), unit: ' %', points: lane('sohPercent') },
    { label: t('devices.field.cycles'), unit: '', points: lane('cycles') },
    { label: t('devices.field.spreadMv'), unit: ' mV', points: lane('spreadMv') },
  ].filter(({ points }) => points.length > 0);
  return (
    <Panel title={t('devices.panel.aging')}>
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {query.data && lanes.length === 0 && <EmptyState text={t('devices.noValues')} />}
      <div className={styles.chart}>
        {lanes.map((each) => (
          <Lane key={each.label} {...each} />
        ))}
      </div>
    </Panel>
  );
}

interface LaneProps {
  label: string;
  unit: string;
  points: readonly { day: CalendarDay; value: number }[];
}

/** One value over the days; a gap of days is a gap of the line. */
function Lane({ label, unit, points }: LaneProps): ReactNode {
  const format = useFormat();
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const dayOf = (day: string): number => Date.parse(day) / DAY_MS;
  const span = Math.max(1, dayOf(last.day) - dayOf(first.day));
  const room = Math.max(high - low, Math.abs(high) * 0.01, 1);
  const at = ({ day, value }: (typeof points)[number]): string =>
    `${(((dayOf(day) - dayOf(first.day)) / span) * WIDTH).toFixed(1)},${(HEIGHT - ((value - low) / room) * HEIGHT).toFixed(1)}`;
  const runs: string[][] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (!before || dayOf(point.day) - dayOf(before.day) > 1) runs.push([]);
    runs.at(-1)?.push(at(point));
  }
  const text = (value: number): string => `${format.number(value)}${unit}`;
  const said = `${label}: ${text(first.value)} (${format.dayLong(first.day)}), ${text(last.value)} (${format.dayLong(last.day)})`;
  return (
    <figure className={styles.lane}>
      <figcaption>
        <span>{label}</span>
        <b>{text(last.value)}</b>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {runs.map((run) => {
          const [only = '0,0'] = run;
          const [x = '0', y = '0'] = only.split(',');
          return <polyline key={only} points={run.length > 1 ? run.join(' ') : `${x},${y} ${Number(x) + 2},${y}`} />;
        })}
      </svg>
      <figcaption>
        <span>{`${format.dayLong(first.day)}: ${text(first.value)}`}</span>
        <span>{format.dayLong(last.day)}</span>
      </figcaption>
    </figure>
  );
}
