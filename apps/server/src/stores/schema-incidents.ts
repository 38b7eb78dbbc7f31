import type { IncidentState } from '@sonnenwarte/contract/incidents/incident-moves';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Day, Decimal } from './schema-columns.ts';

export interface IncidentTables {
  incidents: {
    id: Generated<string>;
    number: GeneratedAlways<string>;
    code: number;
    level: number;
    subject: string;
    /** null of an incident at several plants. */
    site_id: string | null;
    device_id: string | null;
    logger_id: string | null;
    region: Generated<string>;
    organisation_id: string | null;
    cause_id: string | null;
    cause_organisation_id: string | null;
    state: Generated<IncidentState>;
    since: Date;
    until: Date | null;
    times: Generated<number>;
    last_since: Date;
    extra: Generated<string>;
    acknowledged_at: Date | null;
    acknowledged_by: Generated<string>;
    muted_until: Date | null;
    muted_by: Generated<string>;
    mute_reason: Generated<string>;
    assignee_id: string | null;
    cause: Generated<string>;
    closed_at: Date | null;
    children: Generated<number>;
    child_plants: Generated<number>;
    own_wh: number | null;
    own_money: Decimal;
    lost_wh: number | null;
    lost_money: Decimal;
    currency: Generated<string>;
    reckoned_at: Date | null;
  };
  incident_entries: {
    id: GeneratedAlways<string>;
    incident_id: string;
    at: Date;
    kind: string;
    account_id: string | null;
    actor: Generated<string>;
    text: Generated<string>;
    until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    cause: Generated<string>;
  };
  incident_losses: {
    incident_id: string;
    day: Day;
    wh: number;
    money: Decimal;
    currency: Generated<string>;
  };
  silence_of_loggers: { logger_id: string; judge_at: Date };
  silence_of_devices: { device_id: string; judge_at: Date };
  watched_conditions: { subject: string; code: number; since: Date };
}
