import type { SiteForecast, YieldRange } from '@sonnenwarte/contract/forecast/forecast';
import { forecast } from '@sonnenwarte/contract/forecast/forecast';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { energyRange } from '../format/energy-range.ts';
import { useFormat } from '../format/use-format.ts';

const REFRESH_MS = 300_000;

export const useForecast = (stationID: string) =>
  useQuery({ ...read(forecast, { stationID }), refetchInterval: REFRESH_MS });

/** How ranges and what they are held against are said; both ends in one unit. */
export function useForecastWords() {
  const { t } = useTranslation();
  const format = useFormat();
  const rangeOf = (fromWh: number, toWh: number): { from: string; to: string; text: string } => {
    const { first, from, to } = energyRange(fromWh, toWh, format.locale);
    return { from, to, text: t('forecast.range', { from: first, to }) };
  };
  return {
    rangeOf,
    /** What the range is made of. */
    sourceOf: ({ source, isLearned }: YieldRange): string =>
      t(source === 'weather' && !isLearned ? 'forecast.by.wide' : `forecast.by.${source}`),
    yesterdayOf: ({ hits, today }: SiteForecast): string => {
      const [last] = hits;
      const dayBefore = new Date(Date.parse(`${today.day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
      if (last === undefined || last.day !== dayBefore) return '';
      return t(last.isKept ? 'forecast.yesterday.kept' : 'forecast.yesterday.afterwards', {
        range: rangeOf(last.p10Wh, last.p90Wh).text,
        came: format.energy(last.cameWh),
      });
    },
  };
}
