import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantDay } from '../fields.ts';
import { plantLevels } from '../sites/sites.ts';

const wh = z.number();
/** What it is compared with: the span before, that up to the same moment, or the mean of the 30 days before. */
const other = z.enum(['before', 'beforeByNow', 'mean']);
const times = { fromMs: z.int(), toMs: z.int() };

const sun = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('notYet') }),
  z.object({ kind: z.literal('plain'), energyWh: wh }),
  z.object({ kind: z.literal('same'), energyWh: wh, other }),
  z.object({ kind: z.enum(['more', 'less']), energyWh: wh, percent: z.number(), other }),
]);

const use = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('parts'),
    parts: z.array(z.object({ to: z.enum(['house', 'car', 'battery', 'grid', 'loss', 'undivided']), energyWh: wh })),
    selfSufficiencyPercent: z.nullable(z.number()),
  }),
  z.object({ kind: z.literal('bought'), consumptionWh: wh, purchaseWh: wh }),
]);

const unusual = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('alarm'),
    alarm: z.object({ code: z.int(), level: z.int(), sinceMs: z.int(), untilMs: z.nullable(z.int()) }),
    others: z.int(),
  }),
  z.object({ kind: z.literal('gap'), ...times }),
  z.object({ kind: z.literal('missingDays'), days: z.int() }),
  z.object({ kind: z.literal('drop'), ...times, lostWh: wh }),
  z.object({ kind: z.enum(['best', 'worst']) }),
  z.object({ kind: z.literal('independent') }),
  z.object({ kind: z.literal('nothing') }),
]);

export const storySpan = z.enum(['day', 'week', 'month']);
export type StorySpan = z.infer<typeof storySpan>;

/** What three sentences say of a span, from recorded figures only; `null` where nothing is known to say it from. */
export const siteStory = z.object({
  /** Plant-local days, both included. */
  first: z.string(),
  last: z.string(),
  isRunning: z.boolean(),
  sun,
  use: z.nullable(use),
  unusual: z.nullable(unusual),
});
export type SiteStory = z.infer<typeof siteStory>;

export const story = endpoint({
  method: 'GET',
  path: '/c/v0/plant/story',
  feature: 'story',
  summary:
    'The most telling facts of a day, week or month of a plant: what the sun gave, where it went, what was unusual.',
  callers: plantLevels,
  /** `date` is a day within the span. */
  input: z.object({ stationID: z.uuid(), span: storySpan, date: plantDay() }),
  result: siteStory,
  names: { stationID: 'site' },
});

export const storyEndpoints = { story };
