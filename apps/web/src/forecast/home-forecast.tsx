import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { fullOf, TodayForecast, TomorrowForecast } from './day-forecast.tsx';
import styles from './forecast.module.css';
import { useForecast, useForecastWords } from './use-forecast.ts';

/** What today will likely still give, and after sunset tomorrow; without a range there is no card. */
export function HomeForecast({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const { data } = useForecast(stationID);
  const { rangeOf, sourceOf, yesterdayOf } = useForecastWords();
  const shown = data?.today.range ? 'today' : 'tomorrow';
  const range = data?.[shown].range;
  if (!(data && range)) return null;
  const next = shown === 'today' && data.tomorrow.range;
  const notes = [
    next ? t('forecast.next', { range: rangeOf(next.p10Wh, next.p90Wh).text }) : '',
    sourceOf(range),
    yesterdayOf(data),
  ].filter((note) => note !== '');
  return (
    <Panel title={t(`forecast.${shown}`)} actions={<span className={styles.tag}>{t('forecast.estimate')}</span>}>
      {shown === 'today' ? (
        <TodayForecast forecast={data} fullWh={fullOf(data, [shown])} />
      ) : (
        <TomorrowForecast forecast={data} fullWh={fullOf(data, [shown])} />
      )}
      <div className={styles.notes}>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </Panel>
  );
}
