import type { Uses } from '../services.ts';
import type { ForecastParts } from './forecast.service.ts';
import { ClearDays } from './recorded-days.ts';
import { WeatherSource } from './weather-source.ts';

/** What forecasts are made with. */
export function forecastParts({
  config,
  db,
  telemetry,
  nowMs,
  logger,
}: Uses<'config' | 'db' | 'telemetry' | 'nowMs' | 'logger'>): ForecastParts {
  const { forecastUrl: url, forecastPrivate: isPrivate } = config;
  const rules = { privateAddresses: isPrivate, plainLoopback: isPrivate, plainPrivate: isPrivate };
  const weather = url === undefined ? null : new WeatherSource({ url, rules, nowMs, logger });
  return { db, telemetry, nowMs, clearDays: new ClearDays(), weather };
}
