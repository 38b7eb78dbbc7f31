import { MOST_CURVES } from '@sonnenwarte/contract/analysis/analysis';
import type { CalendarDay } from '../format/dates.ts';
import type { Query } from '../router/query.ts';

/** A variable of a device. */
export interface CurveName {
  readonly deviceID: string;
  readonly variable: string;
}

export const spans = ['day', 'week', 'long'] as const;
export type Span = (typeof spans)[number];
export const daysOf = { day: 1, week: 7, long: 15 } as const satisfies Record<Span, number>;

/** What a time is compared with: the same device so many days before, or another device at the same time. */
export type Compared = { readonly daysBefore: number } | { readonly deviceID: string };

/** What is plotted, as it stands in the address. */
export interface Plotted {
  readonly curves: readonly CurveName[];
  readonly span: Span;
  /** Last day; none where it is the running one, whichever that is. */
  readonly day: CalendarDay | undefined;
  readonly compared: Compared | undefined;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const day = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MOST_DAYS_BEFORE = 3_660;
const LONGEST_NAME = 64;

export const keyOf = ({ deviceID, variable }: CurveName): string => `${deviceID}:${variable}`;

const keys: readonly string[] = Array.from({ length: MOST_CURVES }, (_, place) => `c${place + 1}`);

/** What an address asks for; what cannot be meant is left out. */
export function plottedOf(query: Query): Plotted {
  const curves = new Map<string, CurveName>();
  for (const key of keys) {
    const [deviceID = '', ...rest] = (query[key] ?? '').split(':');
    const variable = rest.join(':');
    if (!uuid.test(deviceID) || variable === '' || variable.length > LONGEST_NAME) continue;
    const curve = { deviceID: deviceID.toLowerCase(), variable };
    curves.set(keyOf(curve), curve);
  }
  const { span, date, vs = '' } = query;
  return {
    curves: [...curves.values()],
    span: spans.find((each) => each === span) ?? 'day',
    day: date !== undefined && day.test(date) ? date : undefined,
    compared: comparedOf(vs),
  };
}

function comparedOf(text: string): Compared | undefined {
  if (uuid.test(text)) return { deviceID: text.toLowerCase() };
  const daysBefore = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  return daysBefore > 0 && daysBefore <= MOST_DAYS_BEFORE ? { daysBefore } : undefined;
}

/** The address of what is plotted. */
export function queryOfPlotted({ curves, span, day: last, compared }: Plotted): Query {
  return {
    ...Object.fromEntries(curves.slice(0, keys.length).map((curve, place) => [keys[place] ?? '', keyOf(curve)])),
    ...(span !== 'day' && { span }),
    ...(last !== undefined && { date: last }),
    ...(compared !== undefined && { vs: 'deviceID' in compared ? compared.deviceID : String(compared.daysBefore) }),
  };
}

/** The same as a view that is kept: its days are as many, and end with the running one. */
export const viewOfPlotted = (plotted: Plotted): Query => queryOfPlotted({ ...plotted, day: undefined });
