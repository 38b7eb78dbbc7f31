import type { DeliveryState, TellingState } from '@sonnenwarte/contract/alarm-rules/delivery-moves';
import type { Generated, GeneratedAlways } from 'kysely';

export interface MessageTables {
  messages: {
    id: Generated<string>;
    account_id: string;
    kind: 'alarm' | 'workOrder' | 'report';
    event: string;
    at: Date;
    read_at: Generated<Date | null>;
    code: Generated<number | null>;
    level: Generated<number | null>;
    count: Generated<number>;
    subject: Generated<string>;
    text: Generated<string>;
    record_id: Generated<string | null>;
  };
  announcements: {
    id: Generated<string>;
    from: Date;
    until: Date;
    levels: number[];
    organisation_ids: Generated<string[]>;
    /** JSON by language: {title, text}. */
    words: Record<string, { title: string; text: string }>;
    created_by: string | null;
    created_at: Generated<Date>;
  };
  announcement_reads: {
    announcement_id: string;
    account_id: string;
    read_at: Date | null;
    hidden: Generated<boolean>;
  };
  alarm_rules: {
    id: Generated<string>;
    account_id: string;
    /** Empty of the first rule, which has no name of its own. */
    name: string;
    enabled: Generated<boolean>;
    levels: number[];
    codes: Generated<number[]>;
    organisation_id: string | null;
    site_id: string | null;
    delay_minutes: number;
    channels: string[];
    mode: Generated<'atOnce' | 'daily'>;
    digest_at: Generated<string>;
    quiet_from: Generated<string>;
    quiet_to: Generated<string>;
    critical_always: Generated<boolean>;
    tells_end: Generated<boolean>;
    escalate_minutes: number | null;
    created_at: Generated<Date>;
  };
  alarm_rule_receivers: {
    rule_id: string;
    account_id: string;
    escalates: Generated<boolean>;
  };
  alarm_deliveries: {
    id: Generated<string>;
    batch_id: string;
    account_id: string;
    rule_id: string | null;
    rule_name: string;
    channel: string;
    channel_id: string | null;
    target: string;
    event: string;
    incidents: number;
    incident_id: string | null;
    code: number | null;
    plant: Generated<string>;
    at: Date;
    state: Generated<DeliveryState>;
    attempts: Generated<number>;
    sent_at: Generated<Date | null>;
    failure: Generated<string>;
    mail_id: Generated<string | null>;
  };
  alarm_tellings: {
    id: GeneratedAlways<string>;
    rule_id: string;
    incident_id: string;
    account_id: string;
    channel: string;
    event: 'began' | 'escalated' | 'ended';
    state: Generated<TellingState>;
    due_at: Date;
    reason: Generated<string>;
    batch_id: Generated<string | null>;
    told_at: Generated<Date | null>;
  };
  incidents_to_tell: {
    incident_id: string;
    at: Generated<Date>;
  };
}
