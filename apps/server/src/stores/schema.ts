import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string, string>;
/** numeric and date columns arrive as strings: no rounding, no time zone. */
type Decimal = ColumnType<string | null, string | number | null | undefined, string | number | null>;
type Day = ColumnType<string | null, string | null | undefined, string | null>;

export type SiteState = 'normal' | 'alarm' | 'fault' | 'offline';
export type DeviceKindColumn = 'inverter' | 'battery' | 'meter' | 'ems' | 'gateway' | 'pile' | 'station';
/** Value and its time in epoch milliseconds. */
export type TimedValue = [value: number | string | boolean, tsMs: number];

export interface SiteArray {
  azimuthDeg: number;
  inclinationDeg: number;
  kwp: number;
}

export interface Database {
  organisations: {
    id: Generated<string>;
    parent_id: string | null;
    kind: 'platform' | 'distributor' | 'agent' | 'installer';
    name: string;
    country: Generated<string>;
    email: Generated<string>;
    path: string[];
    created_at: CreatedAt;
    disabled_at: Date | null;
    deleted_at: Date | null;
  };
  accounts: {
    id: Generated<string>;
    organisation_id: string;
    username: string;
    email: string;
    phone: Generated<string>;
    password_hash: string;
    level: number;
    name: Generated<string>;
    country: Generated<string>;
    city: Generated<string>;
    address: Generated<string>;
    postcode: Generated<string>;
    introduction: Generated<string>;
    note: Generated<string>;
    client_id: Generated<string>;
    api_mqtt_enable: Generated<boolean>;
    language: string | null;
    demo: Generated<boolean>;
    created_at: CreatedAt;
    disabled_at: Date | null;
    deleted_at: Date | null;
  };
  sessions: {
    token_hash: Buffer;
    account_id: string;
    created_at: CreatedAt;
    last_seen_at: CreatedAt;
    expires_at: Date;
    ended_at: Date | null;
    address: Generated<string>;
    user_agent: Generated<string>;
  };
  set_up_codes: { code_hash: Buffer; created_at: CreatedAt; used_at: Date | null };
  sites: {
    id: Generated<string>;
    key: GeneratedAlways<number>;
    organisation_id: string;
    owner_account_id: string | null;
    name: string;
    type: Generated<number>;
    country: string;
    city: Generated<string>;
    address: Generated<string>;
    postcode: Generated<string>;
    latitude: number | null;
    longitude: number | null;
    altitude_m: number | null;
    time_zone: string;
    system_size_kwp: Generated<number>;
    rated_power_w: number | null;
    feed_in_price: Decimal;
    purchase_price: Decimal;
    currency: Generated<string>;
    commissioned_on: Day;
    grid_connected_on: Day;
    arrays: Json<SiteArray[]>;
    demo: Generated<boolean>;
    created_at: CreatedAt;
    deleted_at: Date | null;
  };
  site_shares: { site_id: string; account_id: string };
  loggers: {
    id: Generated<string>;
    key: GeneratedAlways<number>;
    sn: string;
    site_id: string | null;
    organisation_id: string | null;
    token_hash: Buffer | null;
    quarantined: Generated<boolean>;
    model: Generated<string>;
    type: Generated<string>;
    firmware: Generated<string>;
    hardware: Generated<string>;
    profile: Generated<string>;
    time_zone: Generated<string>;
    ip: Generated<string>;
    rssi_dbm: number | null;
    report_interval_s: Generated<number>;
    online: Generated<boolean>;
    born_at: Date | null;
    last_seen_at: Date | null;
    created_at: CreatedAt;
    revoked_at: Date | null;
  };
  provisioning_keys: { key_hash: Buffer; organisation_id: string; created_at: CreatedAt; revoked_at: Date | null };
  devices: {
    id: Generated<string>;
    key: GeneratedAlways<number>;
    sn: string;
    logger_id: string;
    site_id: string | null;
    kind: DeviceKindColumn;
    role: Generated<string>;
    model: Generated<string>;
    odm_sn: Generated<string>;
    rated_power_w: number | null;
    capacity_wh: number | null;
    version_master: Generated<string>;
    version_slave: Generated<string>;
    version_manager: Generated<string>;
    version_afci: Generated<string>;
    hardware: Generated<string>;
    online: Generated<boolean>;
    state: Generated<SiteState>;
    opening: Generated<Json<Record<string, [tsMs: number, wh: number]>>>;
    first_seen_at: CreatedAt;
    last_seen_at: Date | null;
    deleted_at: Date | null;
  };
  device_grants: { account_id: string; device_id: string };
  device_latest: {
    device_id: string;
    ts: Date;
    received_at: Date;
    power_w: number | null;
    soc_percent: number | null;
    today_wh: number | null;
    total_wh: number | null;
    values: Json<Record<string, TimedValue>>;
  };
  site_latest: {
    site_id: string;
    state: Generated<SiteState>;
    ts: Date | null;
    interval_s: Generated<number>;
    pv_w: number | null;
    external_w: number | null;
    battery_w: number | null;
    grid_w: number | null;
    load_w: number | null;
    charger_w: number | null;
    inverter_ac_w: number | null;
    soc_percent: number | null;
    battery_capacity_wh: number | null;
    derived: Generated<string[]>;
    local_day: Day;
    today_wh: number | null;
    month_wh: number | null;
    total_wh: number | null;
    updated_at: CreatedAt;
  };
  site_openings: {
    site_id: string;
    pv_wh: number | null;
    external_wh: number | null;
    load_wh: number | null;
    charger_wh: number | null;
    charge_wh: number | null;
    discharge_wh: number | null;
    import_wh: number | null;
    export_wh: number | null;
    ac_out_wh: number | null;
  };
  alarms: {
    id: Generated<string>;
    device_id: string | null;
    logger_id: string | null;
    site_id: string | null;
    code: number;
    level: number;
    since: Date;
    until: Date | null;
    extra: Generated<string>;
  };
  device_events: {
    id: GeneratedAlways<string>;
    device_id: string;
    ts: Date;
    kind: string;
    detail: Json<Record<string, unknown>>;
  };
  process_state: { name: string; value: Json<unknown>; updated_at: CreatedAt };
}
