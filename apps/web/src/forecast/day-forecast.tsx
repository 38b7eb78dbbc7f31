import type { SiteForecast } from '@sonnenwarte/contract/forecast/forecast';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../blocks/overlay/hint.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './forecast.module.css';
import { useForecastWords } from './use-forecast.ts';
import { YieldBar } from './yield-bar.tsx';

/** The bar ends a little after the range. */
const ROOM = 1.05;

/** The longer of the two days fills the bars of both. */
export const fullOf = ({ today, tomorrow }: SiteForecast, of: readonly ('today' | 'tomorrow')[]): number =>
  ROOM * Math.max(...of.map((name) => (name === 'today' ? today : tomorrow).range?.p90Wh ?? 0));

interface DayProps {
  forecast: SiteForecast;
  fullWh: number;
}

/** Today: what came so far and where it will likely end. */
export function TodayForecast({ forecast: { today }, fullWh }: DayProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { rangeOf } = useForecastWords();
  if (today.range === null) return null;
  const { from, to, text } = rangeOf(today.range.p10Wh, today.range.p90Wh);
  const soFarWh = today.soFarWh ?? 0;
  const soFar = format.energy(soFarWh);
  return (
    <div>
      <YieldBar
        soFarWh={soFarWh}
        fromWh={today.range.p10Wh}
        toWh={today.range.p90Wh}
        fullWh={fullWh}
        spoken={t('forecast.spoken', { soFar, from, to })}
      />
      <div className={styles.ends} data-ages>
        <span>{t('forecast.now', { energy: soFar })}</span>
        <b>
          <Hint text={t('forecast.hint')}>{t('forecast.evening', { range: text })}</Hint>
        </b>
      </div>
    </div>
  );
}

/** Tomorrow: where it will likely end. */
export function TomorrowForecast({ forecast: { tomorrow }, fullWh }: DayProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { rangeOf } = useForecastWords();
  if (tomorrow.range === null) return null;
  const { from, to, text } = rangeOf(tomorrow.range.p10Wh, tomorrow.range.p90Wh);
  return (
    <div>
      <YieldBar
        soFarWh={0}
        fromWh={tomorrow.range.p10Wh}
        toWh={tomorrow.range.p90Wh}
        fullWh={fullWh}
        spoken={t('forecast.spokenNext', { from, to })}
      />
      <div className={styles.ends} data-ages>
        <span>{format.dayLong(tomorrow.day)}</span>
        <b>
          <Hint text={t('forecast.hint')}>{text}</Hint>
        </b>
      </div>
    </div>
  );
}
