import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { useFormat } from '../format/use-format.ts';
import { fullOf, TodayForecast, TomorrowForecast } from './day-forecast.tsx';
import styles from './forecast.module.css';
import { PastForecasts } from './past-forecasts.tsx';
import { useForecast, useForecastWords } from './use-forecast.ts';

/** Today and tomorrow of a plant as ranges, and what came of the ranges of the last days. */
export function ForecastPanel({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useForecast(stationID);
  const { sourceOf } = useForecastWords();
  const { data } = query;
  const range = data?.today.range ?? data?.tomorrow.range;
  const fullWh = data ? fullOf(data, ['today', 'tomorrow']) : 0;
  return (
    <Panel title={t('forecast.both')} actions={range && <span className={styles.tag}>{t('forecast.estimate')}</span>}>
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {data && (
        <>
          {range && (
            <div className={styles.days}>
              <section>
                <h3>{t('forecast.today')}</h3>
                {data.today.range === null ? (
                  <p className={styles.notes}>{data.today.isOver ? t('forecast.over') : t('forecast.gap.silent')}</p>
                ) : (
                  <TodayForecast forecast={data} fullWh={fullWh} />
                )}
              </section>
              <section>
                <h3>{t('forecast.tomorrow')}</h3>
                <TomorrowForecast forecast={data} fullWh={fullWh} />
              </section>
            </div>
          )}
          <div className={styles.notes}>
            {range && <p>{sourceOf(range)}</p>}
            {data.gap === 'noPlace' && <p>{t('forecast.gap.noPlace')}</p>}
            {data.gap === 'fewDays' && (
              <p>{t('forecast.gap.fewDays', { number: format.number(data.daysMissing, 0) })}</p>
            )}
          </div>
          {data.gap !== 'noPlace' && <PastForecasts hits={data.hits} held={data.held} />}
        </>
      )}
    </Panel>
  );
}
