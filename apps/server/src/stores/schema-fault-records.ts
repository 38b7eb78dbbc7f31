import type { RecordFailure } from '@sonnenwarte/contract/fault-records/fault-record';
import type { RecordState } from '@sonnenwarte/contract/fault-records/record-moves';
import type { Generated } from 'kysely';

export interface FaultRecordTables {
  fault_records: {
    id: Generated<string>;
    device_id: string;
    record_index: number;
    occurred_at: Date;
    code: number;
    size: number;
    on_device: Generated<boolean>;
    listed_at: Date;
    state: Generated<RecordState>;
    failure: Generated<RecordFailure | ''>;
    device_code: Generated<number | null>;
    rounds: Generated<number>;
    batch_id: Generated<string | null>;
    asked_by: Generated<string | null>;
    due_at: Generated<Date | null>;
    sha256: Generated<string>;
    part_count: Generated<number | null>;
    parts: Generated<number>;
    trigger_name: Generated<string>;
    trigger_value: Generated<number | null>;
    trigger_limit: Generated<number | null>;
    stored_at: Generated<Date | null>;
    content: Generated<Buffer | null>;
  };
  fault_record_parts: { record_id: string; number: number; data: Buffer };
  fault_record_lists: {
    device_id: string;
    newest: Generated<number>;
    listed: Generated<number>;
    listed_at: Generated<Date | null>;
    batch_id: Generated<string | null>;
    asked_until: Generated<Date | null>;
    failure: Generated<RecordFailure | ''>;
    device_code: Generated<number | null>;
  };
}
