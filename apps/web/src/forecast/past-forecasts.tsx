import type { ForecastHit, SiteForecast } from '@sonnenwarte/contract/forecast/forecast';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './forecast.module.css';
import { useForecastWords } from './use-forecast.ts';

const WIDTH = 300;
const HEIGHT = 100;
const DOT = 2.6;

const isWithin = ({ p10Wh, cameWh, p90Wh }: ForecastHit): boolean => p10Wh <= cameWh && cameWh <= p90Wh;

/** The ranges of the last days and what came, the newest at the end; beside it the same as a table. */
export function PastForecasts({ hits, held }: Pick<SiteForecast, 'hits' | 'held'>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { rangeOf } = useForecastWords();
  if (hits.length === 0) {
    return (
      <div className={styles.past}>
        <h3>{t('forecast.hits.title')}</h3>
        <p>{t('forecast.hits.none')}</p>
      </div>
    );
  }
  return (
    <div className={styles.past}>
      <h3>{t('forecast.hits.title')}</h3>
      <p>{t('forecast.hits.held', { held: format.number(held, 0), days: format.number(hits.length, 0) })}</p>
      <HitPicture hits={hits} />
      <details>
        <summary>{t('forecast.hits.table')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('common.span.day')}</th>
              <th scope="col">{t('forecast.hits.told')}</th>
              <th scope="col">{t('forecast.hits.came')}</th>
            </tr>
          </thead>
          <tbody>
            {hits.map((hit) => (
              <tr key={hit.day}>
                <th scope="row">
                  {format.day(hit.day)} {!hit.isKept && <small>{t('forecast.hits.afterwards')}</small>}
                </th>
                <td>{rangeOf(hit.p10Wh, hit.p90Wh).text}</td>
                <td>
                  {!isWithin(hit) && (
                    <small>{t(hit.cameWh < hit.p10Wh ? 'forecast.hits.below' : 'forecast.hits.above')} </small>
                  )}
                  {format.energy(hit.cameWh)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

function HitPicture({ hits }: { hits: readonly ForecastHit[] }): ReactNode {
  const { t } = useTranslation();
  const fullWh = Math.max(...hits.flatMap(({ p90Wh, cameWh }) => [p90Wh, cameWh]));
  const step = WIDTH / hits.length;
  const y = (wh: number): number => DOT + (HEIGHT - 2 * DOT) * (1 - wh / (fullWh || 1));
  return (
    <svg
      className={styles.hits}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('forecast.hits.pictured')}
    >
      {hits.toReversed().map((hit, place) => {
        const middle = (place + 0.5) * step;
        return (
          <g key={hit.day}>
            <rect
              data-part="told"
              x={middle - step * 0.35}
              width={step * 0.7}
              y={y(hit.p90Wh)}
              height={Math.max(1, y(hit.p10Wh) - y(hit.p90Wh))}
            />
            <rect
              data-part="came"
              data-out={isWithin(hit) ? undefined : true}
              x={middle - step * 0.4}
              width={step * 0.8}
              y={y(hit.cameWh) - 1}
              height={2}
            />
          </g>
        );
      })}
    </svg>
  );
}
