import type { ReportedThings, ReportRequest, ScheduleRhythm } from '@sonnenwarte/contract/reports/report';
import type { ReportState } from '@sonnenwarte/contract/reports/report-moves';
import type { Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Json } from './schema-columns.ts';

export interface ReportTables {
  reports: {
    id: Generated<string>;
    number: GeneratedAlways<string>;
    account_id: string;
    schedule_id: Generated<string | null>;
    due_at: Generated<Date | null>;
    name: string;
    language: string;
    request: Json<ReportRequest>;
    state: Generated<ReportState>;
    asked_at: Date;
    run: Generated<number>;
    tries: Generated<number>;
    held_until: Generated<Date | null>;
    progress: Generated<number>;
    rows: Generated<number | null>;
    bytes: Generated<number | null>;
    missing: Generated<number>;
    failure: Generated<string>;
    finished_at: Generated<Date | null>;
    kept_until: Generated<Date | null>;
  };
  report_schedules: {
    id: Generated<string>;
    account_id: string;
    name: string;
    language: string;
    request: Json<ReportedThings>;
    every: ScheduleRhythm;
    weekday: number;
    at: string;
    time_zone: string;
    next_at: Date | null;
    last_at: Generated<Date | null>;
    stopped: Generated<string>;
    created_at: CreatedAt;
  };
  monthly_report_receivers: { site_id: string; account_id: string; since: Date };
  monthly_report_mails: {
    site_id: string;
    account_id: string;
    month: string;
    tries: Generated<number>;
    tried_at: Date;
    mailed_at: Date | null;
  };
}
