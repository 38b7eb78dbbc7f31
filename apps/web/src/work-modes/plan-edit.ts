import {
  DAY_MINUTES,
  EVERY_DAY,
  isLongEnough,
  LEAST_PERIOD_MIN,
  LEAST_SOC,
  MOST_PERIODS,
  MOST_POWER_W,
  MOST_SOC,
  overlaps,
  type Plan,
  type PlanAction,
  type PlanPeriod,
  type ToldPlan,
} from '@sonnenwarte/contract/work-modes/plan';

export const STEP_MIN = 15;
export const STEP_W = 100;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const whole = (value: number, least: number, most: number): number => within(Math.round(value), least, most);

/** A plan to be edited, made of what a device has, within the bounds of those that are written. */
export const editable = (told: ToldPlan): Plan => {
  const minSoc = whole(told.minSoc, LEAST_SOC, MOST_SOC);
  return {
    mode: told.mode,
    minSoc,
    backupSoc: told.backupSoc === null ? null : whole(told.backupSoc, LEAST_SOC, MOST_SOC),
    gridCharge: told.gridCharge,
    peakLimitW: told.peakLimitW === null ? null : Math.round(told.peakLimitW),
    periods: told.periods.map((period) => ({
      startMin: whole(period.startMin, 0, DAY_MINUTES - 1),
      endMin: whole(period.endMin, 1, DAY_MINUTES),
      days: whole(period.days, 1, EVERY_DAY),
      action: period.action,
      powerW: whole(period.powerW, 0, MOST_POWER_W),
      minSoc: whole(period.minSoc, LEAST_SOC, MOST_SOC),
      fdSoc: whole(period.fdSoc, LEAST_SOC, MOST_SOC),
    })),
    pricePeriods: told.pricePeriods,
  };
};

const ordered = (periods: readonly PlanPeriod[]): PlanPeriod[] =>
  [...periods].sort((one, other) => one.startMin - other.startMin || one.endMin - other.endMin);

/** Whether two plans ask for the same. */
export const isSamePlan = (one: Plan, other: Plan): boolean =>
  JSON.stringify({ ...one, periods: ordered(one.periods) }) ===
  JSON.stringify({ ...other, periods: ordered(other.periods) });

/** Between what a period may lie: the ends of its neighbours on its weekdays. */
export function roomOf(periods: readonly PlanPeriod[], place: number): { fromMin: number; toMin: number } {
  const own = periods[place];
  if (own === undefined) return { fromMin: 0, toMin: DAY_MINUTES };
  let [fromMin, toMin] = [0, DAY_MINUTES];
  periods.forEach((other, at) => {
    if (at === place || (other.days & own.days) === 0) return;
    if (other.endMin <= own.startMin) fromMin = Math.max(fromMin, other.endMin);
    else if (other.startMin >= own.endMin) toMin = Math.min(toMin, other.startMin);
  });
  return { fromMin, toMin };
}

const changed = (periods: readonly PlanPeriod[], place: number, change: Partial<PlanPeriod>): PlanPeriod[] =>
  periods.map((period, at) => (at === place ? { ...period, ...change } : period));

const stepped = (minute: number): number => Math.round(minute / STEP_MIN) * STEP_MIN;

/** Moves a period to another beginning, as far as its neighbours let it. */
export function movedTo(periods: readonly PlanPeriod[], place: number, startMin: number): PlanPeriod[] {
  const own = periods[place];
  if (own === undefined) return [...periods];
  const { fromMin, toMin } = roomOf(periods, place);
  const length = own.endMin - own.startMin;
  const start = within(stepped(startMin), fromMin, toMin - length);
  return changed(periods, place, { startMin: start, endMin: start + length });
}

/** Gives a period another beginning or end: not beyond its neighbours, and not shorter than half an hour. */
export function edgeTo(
  periods: readonly PlanPeriod[],
  place: number,
  edge: 'startMin' | 'endMin',
  minute: number,
): PlanPeriod[] {
  const own = periods[place];
  if (own === undefined) return [...periods];
  const { fromMin, toMin } = roomOf(periods, place);
  const at =
    edge === 'startMin'
      ? within(stepped(minute), fromMin, Math.max(fromMin, own.endMin - LEAST_PERIOD_MIN))
      : within(stepped(minute), Math.min(toMin, own.startMin + LEAST_PERIOD_MIN), toMin);
  return changed(periods, place, { [edge]: at });
}

export const withPower = (periods: readonly PlanPeriod[], place: number, byW: number): PlanPeriod[] => {
  const own = periods[place];
  if (own === undefined || own.action === 'hold') return [...periods];
  return changed(periods, place, { powerW: within(own.powerW + byW, 0, MOST_POWER_W) });
};

/** A period that does something else: its target follows from that. */
export const withAction = (period: PlanPeriod, action: PlanAction, plan: Pick<Plan, 'minSoc'>): PlanPeriod => ({
  ...period,
  action,
  powerW: action === 'hold' ? 0 : period.powerW || 2_000,
  minSoc: plan.minSoc,
  fdSoc: action === 'discharge' || period.action === 'discharge' ? MOST_SOC : Math.max(plan.minSoc, period.fdSoc),
});

/** The first free time of a weekday that takes a new period, at best an hour or more; none where the day is full. */
export function freeTime(periods: readonly PlanPeriod[], day: number): { startMin: number; endMin: number } | null {
  if (periods.length >= MOST_PERIODS) return null;
  const held = ordered(periods.filter(({ days }) => (days & (1 << day)) !== 0));
  const gaps: { startMin: number; endMin: number }[] = [];
  let fromMin = 0;
  for (const { startMin, endMin } of [...held, { startMin: DAY_MINUTES, endMin: DAY_MINUTES }]) {
    if (startMin - fromMin >= LEAST_PERIOD_MIN) gaps.push({ startMin: fromMin, endMin: startMin });
    fromMin = Math.max(fromMin, endMin);
  }
  const widest = gaps.sort((one, other) => other.endMin - other.startMin - (one.endMin - one.startMin))[0];
  if (widest === undefined) return null;
  const length = Math.min(120, widest.endMin - widest.startMin);
  const middle = stepped((widest.startMin + widest.endMin - length) / 2);
  const startMin = within(middle, widest.startMin, widest.endMin - length);
  return { startMin, endMin: startMin + length };
}

/** Weekdays on which a new period of these times is free, as bits; always with the one that is shown. */
export function freeDays(
  periods: readonly PlanPeriod[],
  times: { startMin: number; endMin: number },
  day: number,
): number {
  let days = 1 << day;
  for (let each = 0; each < 7; each += 1) {
    const own = { ...times, days: 1 << each };
    if (!periods.some((period) => overlaps(period, own))) days |= 1 << each;
  }
  return days;
}

/** What keeps a period from being written, of what its own times and its neighbours say. */
export function periodProblem(
  periods: readonly PlanPeriod[],
  place: number,
  plan: Pick<Plan, 'minSoc'>,
): 'tooShort' | 'overlaps' | 'fdSoc' | 'belowMin' | null {
  const own = periods[place];
  if (own === undefined) return null;
  if (!isLongEnough(own)) return 'tooShort';
  if (periods.some((other, at) => at !== place && overlaps(other, own))) return 'overlaps';
  if (own.minSoc > own.fdSoc) return 'fdSoc';
  const target = own.action === 'discharge' ? own.minSoc : own.fdSoc;
  return own.action !== 'hold' && target < plan.minSoc ? 'belowMin' : null;
}

export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Minutes of a time that was typed, `7:30` or `24:00`; none where it is no time. */
export function minuteOf(text: string): number | undefined {
  const match = /^\s*(\d{1,2})[:.]?(\d{2})\s*$/.exec(text);
  if (match === null) return undefined;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minute <= DAY_MINUTES ? minute : undefined;
}

/** What belongs together by its place in a day. */
export const dayShare = (minute: number): number => (100 * minute) / DAY_MINUTES;
