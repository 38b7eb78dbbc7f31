import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json } from './schema-columns.ts';

export type SettingKind = AttachedKind | 'logger';
export type GroupState = 'running' | 'paused' | 'stopped' | 'done' | 'cancelled';
/** `waiting`: not given to the device yet; `open`: its command is. */
export type GroupDeviceState =
  | 'waiting'
  | 'open'
  | 'confirmed'
  | 'refused'
  | 'differs'
  | 'timedOut'
  | 'expired'
  | 'cancelled';

type Values = Record<string, SettingValue>;

/** Values of settings under a name, and writes of settings to many devices. */
export interface SettingGroupTables {
  setting_presets: {
    id: Generated<string>;
    organisation_id: string;
    kind: SettingKind;
    name: string;
    content: Json<Values>;
    made_by: string | null;
    made_at: CreatedAt;
  };
  setting_groups: {
    id: Generated<string>;
    organisation_id: string;
    kind: AttachedKind;
    name: string;
    content: Json<Values>;
    reverts: string | null;
    stop_after: number | null;
    forgiven: Generated<number>;
    state: Generated<GroupState>;
    ordered_by: string | null;
    created_at: CreatedAt;
    done_at: Date | null;
  };
  setting_group_devices: {
    group_id: string;
    device_id: string;
    place: number;
    content: Json<Values>;
    before: ColumnType<Values, string | undefined, string>;
    command_id: string | null;
    state: Generated<GroupDeviceState>;
    code: number | null;
    message: Generated<string>;
    was_sent: Generated<boolean>;
    started_at: Date | null;
    done_at: Date | null;
  };
}
