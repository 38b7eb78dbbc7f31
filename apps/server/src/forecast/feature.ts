import { forecastEndpoints } from '@sonnenwarte/contract/forecast/forecast';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { forgetForecasts, keepForecasts } from './forecast.job.ts';
import { siteForecastOf } from './forecast.service.ts';
import { ClearDays } from './recorded-days.ts';
import { WeatherSource } from './weather-source.ts';

/** What plants will likely yield, and what came of what was told. */
export const feature = featureOf(forecastEndpoints, { forecast: siteForecastOf }, start);

function start({ config, db, telemetry, nowMs, jobs, logger }: Services) {
  const { forecastUrl: url, forecastPrivate: isPrivate } = config;
  const rules = { privateAddresses: isPrivate, plainLoopback: isPrivate, plainPrivate: isPrivate };
  const weather = url === undefined ? null : new WeatherSource({ url, rules, nowMs, logger });
  const parts = { db, telemetry, nowMs, clearDays: new ClearDays(), weather };
  jobs.every('forecast.keep', '37 * * * *', (ending) => keepForecasts(parts, ending));
  jobs.every('forecast.forget', '47 2 * * *', () => forgetForecasts(parts));
  return parts;
}
