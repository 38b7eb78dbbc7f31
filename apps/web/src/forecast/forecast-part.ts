import { lazyPart } from '../with-texts.ts';

/** Forecasts come with texts of their own, once what a page begins with is there. */
export const HomeForecast = lazyPart('forecast', async () => (await import('./home-forecast.tsx')).HomeForecast);
export const ForecastPanel = lazyPart('forecast', async () => (await import('./forecast-panel.tsx')).ForecastPanel);
