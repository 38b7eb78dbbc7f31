import type { RunState, UnitState } from '@sonnenwarte/contract/burn-in/moves';
import type { BurnInLimits, FailReason, JudgedLimit, LoadStep } from '@sonnenwarte/contract/burn-in/plan';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Json } from './schema-columns.ts';

/** The worst value of a limit and when it was. */
export type Worst = readonly [value: number, atMs: number];
export type Measured = Partial<Record<JudgedLimit, Worst>>;

/** What has been read of a unit, in the order of time. */
export interface UnitProgress {
  /** Until when its minutes have been read. */
  readMs?: number;
  firstMs?: number;
  /** The newest sample. */
  lastMs?: number;
  /** When the newest sample came. */
  receivedMs?: number;
  firstTemperatureC?: number;
  /** So long in all nothing was recorded. */
  missingMs?: number;
  /** Kept by former versions: the index of the step. */
  step?: number;
  /** When the step under way began, and sums of its settled minutes. */
  stepMs?: number;
  minutes?: number;
  acW?: number;
  /** Minutes in which both sides were measured. */
  bothMinutes?: number;
  bothAcW?: number;
  dcW?: number;
  /** The first step of which too little was measured, by limit. */
  unmeasured?: Partial<Record<'minOutputPercent' | 'minEfficiencyPercent', number>>;
  worst?: Measured;
}

interface PlanColumns {
  duration_minutes: number;
  steps: Json<LoadStep[]>;
  limits: Json<BurnInLimits>;
}

export interface BurnInTables {
  burn_in_plans: PlanColumns & {
    id: Generated<string>;
    name: string;
    changed_at: CreatedAt;
  };
  burn_in_runs: PlanColumns & {
    id: Generated<string>;
    number: GeneratedAlways<number>;
    rack: string;
    plan_id: string | null;
    plan_name: string;
    batch_id: string | null;
    batch: Generated<string>;
    manufacturer: Generated<string>;
    model: Generated<string>;
    sets_load: Generated<boolean>;
    state: Generated<RunState>;
    created_at: Date;
    started_at: Date | null;
    ends_at: Date | null;
    ended_at: Date | null;
    abort_reason: Generated<string>;
  };
  burn_in_units: {
    run_id: string;
    position: number;
    sn: string;
    device_id: string | null;
    model: Generated<string>;
    rated_power_w: number | null;
    state: Generated<UnitState>;
    attempt: number | null;
    started_at: Date | null;
    ended_at: Date | null;
    reason: FailReason | null;
    reason_value: number | null;
    remove_reason: Generated<string>;
    progress: ColumnType<UnitProgress, string | undefined, string>;
    measured: ColumnType<Measured, string | undefined, string>;
    told_percent: number | null;
    load_command: string | null;
    load_at: Date | null;
    load_tries: Generated<number>;
    releasing: Generated<boolean>;
  };
}
