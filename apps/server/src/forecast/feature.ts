import { forecastEndpoints } from '@sonnenwarte/contract/forecast/forecast';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { forgetForecasts, keepForecasts } from './forecast.job.ts';
import { siteForecastOf } from './forecast.service.ts';
import { forecastParts } from './forecast-parts.ts';

/** What plants will likely yield, and what came of what was told. */
export const feature = featureOf(forecastEndpoints, { forecast: siteForecastOf }, start);

function start(services: Services) {
  const { jobs } = services;
  const parts = forecastParts(services);
  jobs.every('forecast.keep', '37 * * * *', (ending) => keepForecasts(parts, ending));
  jobs.every('forecast.forget', '47 2 * * *', () => forgetForecasts(parts));
  return parts;
}
