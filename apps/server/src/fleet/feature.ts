import { type FleetWeek, fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { fleetAttention } from './attention.service.ts';
import { fleetSummary } from './fleet.service.ts';
import { fleetWeek, scopeName } from './fleet-week.ts';
import { keptAnswers } from './kept-answers.ts';

/** The overview of all plants in scope. */
export const feature = featureOf(
  fleetEndpoints,
  {
    summary: fleetSummary,
    attention: fleetAttention,
    week: ({ weeks, ...stores }, _, { scope }) => weeks(scopeName(scope), () => fleetWeek(stores, scope)),
  },
  start,
);

/** Sums that take no longer are made anew when plants come, go or change hands. */
const CHEAP_MS = 250;

function start({ nowMs, bus }: Services) {
  const weeks = keptAnswers<FleetWeek>({ nowMs, leastMs: 60_000 });
  bus.subscribe(({ tenancy }) => {
    if (tenancy) weeks.forgetCheap(CHEAP_MS);
  });
  return { weeks };
}
