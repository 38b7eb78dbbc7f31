import type { CommandContent, CommandKind, CommandSource, CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { DispatchReason, GridController } from '@sonnenwarte/contract/ems/ems';
import type { FollowDetail, FollowReason } from '@sonnenwarte/contract/work-modes/follow';
import type { Plan, ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Day, Json } from './schema-columns.ts';

type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** What a followed plan went by, from a time on, by quarters of an hour. */
export interface Expectation {
  readonly fromMs: number;
  /** Which prices were known: another text, where any of them is another. */
  readonly prices: string;
  /** What the battery holds at the end of each, percent. */
  readonly socPercent: readonly number[];
  readonly generationWh: readonly number[];
  readonly demandWh: readonly number[];
}

/** What dataloggers and devices are told to do, and their settings. */
export interface CommandTables {
  commands: {
    id: string;
    logger_id: string;
    device_id: string | null;
    kind: CommandKind;
    content: Json<CommandContent>;
    before: ColumnType<Record<string, SettingValue>, string | undefined, string>;
    read_back: OptionalJson<Record<string, SettingValue>>;
    source: CommandSource;
    ordered_by: string | null;
    batch_id: string | null;
    state: Generated<CommandState>;
    code: number | null;
    message: Generated<string>;
    tries: Generated<number>;
    created_at: CreatedAt;
    expires_at: Date;
    sent_at: Date | null;
    acknowledged_at: Date | null;
    done_at: Date | null;
    due_at: Date | null;
  };
  device_settings: {
    subject_id: string;
    name: string;
    reported: OptionalJson<SettingValue>;
    reported_at: Date | null;
    reported_by: 'birth' | 'data' | 'readBack' | null;
    desired: OptionalJson<SettingValue>;
    desired_since: Date | null;
    desired_by: string | null;
    /** `told`: nobody wrote it here; it is what the device told before it changed it by itself. */
    desired_source: CommandSource | 'told' | null;
    drifted_since: Date | null;
    /** What somebody meant it to be before the portal began to control it. */
    own_limit: OptionalJson<SettingValue>;
    /** What the birth of a plain Sparkplug device lets be written to it. */
    told_low: Generated<number | null>;
    told_high: Generated<number | null>;
    told_read_only: Generated<boolean>;
  };
  /** What accounts asked for under an id of their own making, so that it is done once. */
  requests_done: {
    account_id: string;
    request_id: string;
    /** Of what was asked for. */
    hash: string;
    /** What was made: a command, a group. Empty only within the transaction that makes it. */
    answer: Generated<string>;
    asked_at: CreatedAt;
  };
  device_settings_told: { subject_id: string; hash: string; told_at: Date };
  setting_changes: {
    id: GeneratedAlways<number>;
    subject_id: string;
    name: string;
    from_value: OptionalJson<SettingValue>;
    to_value: Json<SettingValue>;
    at: Date;
    command_id: string | null;
    account_id: string | null;
    source: CommandSource | 'device';
    /** How many changes of the device itself it stands for. */
    times: Generated<number>;
  };
  grid_controls: {
    site_id: string;
    controller: GridController | null;
    export_limit_w: number | null;
    peak_controller: GridController | null;
    peak_limit_w: number | null;
    /** Since when what may be bought is limited so; what somebody sets at an inverter later takes it out of the control. */
    peak_set_at: Date | null;
    set_by: string | null;
    set_at: CreatedAt;
  };
  followed_plans: {
    site_id: string;
    trades_with_grid: boolean;
    started_at: CreatedAt;
    started_by: string | null;
    former: Json<ToldPlan>;
    written: OptionalJson<Plan>;
    planned_day: Day | null;
    look_at: Generated<Date>;
    expected: OptionalJson<Expectation>;
  };
  followed_steps: {
    id: GeneratedAlways<number>;
    site_id: string;
    at: CreatedAt;
    day: Day;
    reason: FollowReason;
    account_id: string | null;
    detail: Json<FollowDetail>;
    batch_id: string | null;
  };
  dispatches: {
    id: GeneratedAlways<number>;
    site_id: string;
    device_id: string;
    at: CreatedAt;
    reason: DispatchReason;
    grid_w: number | null;
    cap_w: number | null;
    from_percent: number | null;
    to_percent: number | null;
    from_w: number | null;
    to_w: number | null;
    command_id: string | null;
  };
}
