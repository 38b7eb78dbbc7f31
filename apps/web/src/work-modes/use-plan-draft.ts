import type { Plan, PlanPeriod, ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { useState } from 'react';
import { edgeTo, editable, freeDays, freeTime, isSamePlan, movedTo, withAction, withPower } from './plan-edit.ts';

export interface PlanDraft {
  readonly plan: Plan;
  /** As the device has it. */
  readonly told: Plan;
  readonly isChanged: boolean;
  /** How many things differ between band and device. */
  readonly changes: number;
  readonly chosen: number | null;
  /** Place of a period that has just come: it wants the focus, and has had it once it is chosen. */
  readonly fresh: number | null;
  readonly removed: { readonly place: number; readonly period: PlanPeriod } | null;
  choose(place: number | null): void;
  set(change: Partial<Plan>): void;
  setPeriod(place: number, change: Partial<PlanPeriod>): void;
  move(place: number, startMin: number): void;
  edge(place: number, edge: 'startMin' | 'endMin', minute: number): void;
  power(place: number, byW: number): void;
  act(place: number, action: PlanPeriod['action']): void;
  add(day: number): void;
  remove(place: number): void;
  undo(): void;
  reset(): void;
}

const NOTHING: Plan = {
  mode: 'selfUse',
  minSoc: 10,
  backupSoc: null,
  gridCharge: null,
  peakLimitW: null,
  periods: [],
  pricePeriods: null,
};

const text = (value: unknown): string => JSON.stringify(value);

/** What a plan says beside its periods. */
export type PlanValue = Exclude<keyof Plan, 'periods'>;
const planValues = Object.keys(NOTHING).filter((name): name is PlanValue => name !== 'periods');

/** Values in which two plans differ. */
export const changedValues = (plan: Plan, told: Plan): PlanValue[] =>
  planValues.filter((name) => text(plan[name]) !== text(told[name]));

/** Differences between two plans: each of their values, and each period that only one of them has. */
export function countChanges(plan: Plan, told: Plan): number {
  const { periods } = plan;
  const own = new Set(told.periods.map(text));
  const fresh = periods.filter((period) => !own.has(text(period))).length;
  return changedValues(plan, told).length + Math.max(fresh, Math.abs(periods.length - told.periods.length));
}

/** A plan while it is edited: nothing of it is written. As long as nobody has changed it, it is as the device has it. */
export function usePlanDraft(reported: ToldPlan | null): PlanDraft {
  const told = reported === null ? NOTHING : editable(reported);
  const [edited, setEdited] = useState<Plan | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [fresh, setFresh] = useState<number | null>(null);
  const [removed, setRemoved] = useState<PlanDraft['removed']>(null);
  const plan = edited ?? told;
  const isChanged = !isSamePlan(plan, told);
  const set = (change: Partial<Plan>) => setEdited({ ...plan, ...change });
  const choose = (place: number | null) => {
    setChosen(place);
    setFresh(null);
  };
  const come = (place: number) => {
    setChosen(place);
    setFresh(place);
  };
  const setPeriods = (periods: PlanPeriod[]) => set({ periods });
  return {
    plan,
    told,
    isChanged,
    changes: isChanged ? countChanges(plan, told) : 0,
    chosen: chosen !== null && chosen < plan.periods.length ? chosen : null,
    fresh,
    removed,
    choose,
    set: (change) => {
      setRemoved(null);
      set(change);
    },
    setPeriod: (place, change) =>
      setPeriods(plan.periods.map((period, at) => (at === place ? { ...period, ...change } : period))),
    move: (place, startMin) => setPeriods(movedTo(plan.periods, place, startMin)),
    edge: (place, edge, minute) => setPeriods(edgeTo(plan.periods, place, edge, minute)),
    power: (place, byW) => setPeriods(withPower(plan.periods, place, byW)),
    act: (place, action) =>
      setPeriods(plan.periods.map((period, at) => (at === place ? withAction(period, action, plan) : period))),
    add: (day) => {
      const times = freeTime(plan.periods, day);
      if (times === null) return;
      const days = freeDays(plan.periods, times, day);
      const fresh = { ...times, days, action: 'gridCharge', powerW: 2_000, minSoc: plan.minSoc, fdSoc: 100 } as const;
      setPeriods([...plan.periods, fresh]);
      setRemoved(null);
      come(plan.periods.length);
    },
    remove: (place) => {
      const period = plan.periods[place];
      if (period === undefined) return;
      setRemoved({ place, period });
      setPeriods(plan.periods.filter((_, at) => at !== place));
      choose(null);
    },
    undo: () => {
      if (removed === null) return;
      setPeriods(plan.periods.toSpliced(removed.place, 0, removed.period));
      come(removed.place);
      setRemoved(null);
    },
    reset: () => {
      setEdited(null);
      setRemoved(null);
      choose(null);
    },
  };
}
