import type { ChargingMode, PilePhases } from '@sonnenwarte/contract/chargers/chargers';
import type { ChargingTime } from '@sonnenwarte/contract/chargers/charging-times';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import type { EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import type { DayPrices } from '@sonnenwarte/energy/accounting/day-prices';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CreatedAt, Day, Decimal, Json } from './schema-columns.ts';

export type SiteState = 'normal' | 'alarm' | 'fault' | 'offline';
/** Value and its time in epoch milliseconds. */
export type TimedValue = [value: number | string | boolean, tsMs: number];

/** The market that a price of purchase follows, net; decimals. */
export interface KeptMarket {
  zone: string;
  /** Per kWh, beside the market's price. */
  markup: string;
  /** Percent, of both together. */
  vat: string;
}
type Market = ColumnType<KeptMarket | null, string | null | undefined, string | null>;
type Periods = ColumnType<DayPrices | null, string | null | undefined, string | null>;

export interface SiteArray {
  azimuthDeg: number;
  inclinationDeg: number;
  kwp: number;
  name?: string;
  modules?: number | null;
  moduleType?: string;
}

export type CorrectionWay = 'bridge' | 'neighbours' | 'gap' | 'own';

/** What a plant had on a day before a correction was made and after it, Wh; null: not known. */
export interface CorrectedDay {
  day: string;
  beforeWh: number | null;
  afterWh: number | null;
}

export type ForecastSource = 'ownSky' | 'weather';

export interface SiteContact {
  name: string;
  email: string;
  phone: string;
}

/** Plants, their dataloggers and devices, what is known of them now, and what accounting keeps beside the telemetry. */
export interface PlantTables {
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
    /** Prices from the beginning; `site_prices` has those that came later. */
    feed_in_price: Decimal;
    purchase_price: Decimal;
    currency: Generated<string>;
    /** By the time of day, in place of the one price. */
    feed_in_periods: Periods;
    purchase_periods: Periods;
    /** Of a market, in place of the one price. */
    purchase_market: Market;
    price_changes: Generated<number>;
    commissioned_on: Day;
    grid_connected_on: Day;
    arrays: Json<SiteArray[]>;
    /** Of the place, where the clock of `time_zone` leaves out its summer time. */
    place_zone: Generated<string | null>;
    installer_contact: ColumnType<SiteContact, string | undefined, string>;
    user_contact: ColumnType<SiteContact, string | undefined, string>;
    demo: Generated<boolean>;
    created_at: CreatedAt;
    deleted_at: Date | null;
  };
  /** What was told of a day before it came. */
  site_forecasts: {
    site_id: string;
    day: string;
    made_at: CreatedAt;
    source: ForecastSource;
    p10_wh: number;
    p50_wh: number;
    p90_wh: number;
    /** What the weather of the forecast let expect before its own errors were looked at. */
    expected_wh: number | null;
  };
  /** When somebody last looked at the forecast of a plant. */
  site_forecast_looks: { site_id: string; looked_on: string };
  site_shares: {
    id: Generated<string>;
    site_id: string;
    account_id: string;
    sets_work_mode: Generated<boolean>;
    named_as: Generated<string>;
    given_by: string | null;
    given_by_owner: Generated<boolean>;
    given_at: CreatedAt;
    ended_at: Date | null;
    ended_by_change: string | null;
  };
  taken_loggers: { site_id: string; logger_id: string; taken_at: CreatedAt };
  loggers: {
    id: Generated<string>;
    key: GeneratedAlways<number>;
    sn: string;
    site_id: string | null;
    organisation_id: string | null;
    token_hash: Buffer | null;
    former_token_hash: Generated<Buffer | null>;
    former_token_until: Generated<Date | null>;
    next_token_hash: Generated<Buffer | null>;
    next_token_until: Generated<Date | null>;
    next_token_command: Generated<string | null>;
    quarantined: Generated<boolean>;
    model: Generated<string>;
    type: Generated<string>;
    firmware: Generated<string>;
    hardware: Generated<string>;
    profile: Generated<string>;
    time_zone: Generated<string>;
    ip: Generated<string>;
    rssi_dbm: number | null;
    clock_wrong_since: Generated<Date | null>;
    pending: Generated<number | null>;
    uplink: Generated<'' | 'tls' | 'plain'>;
    report_interval_s: Generated<number>;
    online: Generated<boolean>;
    born_at: Date | null;
    last_seen_at: Date | null;
    created_at: CreatedAt;
    revoked_at: Date | null;
    provisioned_by: Generated<Buffer | null>;
  };
  provisioning_keys: { key_hash: Buffer; organisation_id: string; created_at: CreatedAt; revoked_at: Date | null };
  logger_keys: {
    sn: string;
    key_hash: Buffer | null;
    organisation_id: string | null;
    created_at: CreatedAt;
  };
  logger_key_failures: { sn: string; count: Generated<number>; first_at: CreatedAt; locked_until: Date | null };
  devices: {
    id: Generated<string>;
    key: GeneratedAlways<number>;
    sn: string;
    told_sn: Generated<string | null>;
    logger_id: string;
    site_id: string | null;
    kind: AttachedKind;
    kind_guessed: Generated<boolean>;
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
    learned: Generated<Json<Record<string, unknown>>>;
    first_seen_at: CreatedAt;
    last_seen_at: Date | null;
    deleted_at: Date | null;
    /** Whether it has been on a rack of the factory, or stands in a run there that is not over. */
    burn_in: Generated<'open' | 'over' | null>;
  };
  device_claims: {
    id: Generated<string>;
    sn: string;
    holder_id: string;
    claimant_id: string;
    state: Generated<'open' | 'kept' | 'released' | 'separate'>;
    claimed_at: CreatedAt;
    decided_at: Date | null;
    decided_by: string | null;
  };
  device_grants: { account_id: string; device_id: string };
  device_latest: {
    device_id: string;
    ts: Date;
    received_at: Date;
    power_w: number | null;
    soc_percent: number | null;
    today_wh: number | null;
    today_marks: Generated<number>;
    total_wh: number | null;
    values: Json<Record<string, TimedValue>>;
  };
  // What lists order and filter devices by, kept by triggers of devices, their newest values, plants and dataloggers.
  device_listed: {
    device_id: GeneratedAlways<string>;
    site_id: GeneratedAlways<string | null>;
    organisation_id: GeneratedAlways<string | null>;
    owner_id: GeneratedAlways<string | null>;
    logger_id: GeneratedAlways<string>;
    interval_s: GeneratedAlways<number>;
    deleted: GeneratedAlways<boolean>;
    kind: GeneratedAlways<AttachedKind>;
    state: GeneratedAlways<SiteState>;
    last_seen_at: GeneratedAlways<Date | null>;
    ts: GeneratedAlways<Date | null>;
    power_w: GeneratedAlways<number | null>;
    soc_percent: GeneratedAlways<number | null>;
    today_wh: GeneratedAlways<number | null>;
    today_ends_at: GeneratedAlways<Date | null>;
    total_wh: GeneratedAlways<number | null>;
    rated_power_w: GeneratedAlways<number | null>;
    soh_percent: GeneratedAlways<number | null>;
    spread_mv: GeneratedAlways<number | null>;
    cycles: GeneratedAlways<number | null>;
    battery_state: GeneratedAlways<number | null>;
    phases: GeneratedAlways<number | null>;
    ct_ratio: GeneratedAlways<number | null>;
    import_today_wh: GeneratedAlways<number | null>;
    export_today_wh: GeneratedAlways<number | null>;
    import_wh: GeneratedAlways<number | null>;
    export_wh: GeneratedAlways<number | null>;
    device_count: GeneratedAlways<number | null>;
    devices_online: GeneratedAlways<number | null>;
    export_limit_w: GeneratedAlways<number | null>;
    peak_limit_w: GeneratedAlways<number | null>;
    heat_pump_w: GeneratedAlways<number | null>;
    relay1: GeneratedAlways<boolean | null>;
    relay2: GeneratedAlways<boolean | null>;
    sg_ready: GeneratedAlways<number | null>;
    sn: GeneratedAlways<string>;
    odm_sn: GeneratedAlways<string>;
    model: GeneratedAlways<string>;
    plant: GeneratedAlways<string | null>;
    /** Serial numbers, model and plant, a line each, in lower case. */
    searched: GeneratedAlways<string>;
    role: GeneratedAlways<string>;
    firmware: GeneratedAlways<string>;
    bms_firmware: GeneratedAlways<string | null>;
    strategy: GeneratedAlways<string | null>;
    /** Settings that the device has changed by itself. */
    drifts: GeneratedAlways<number>;
    /** End of the local day before which the energies below were generated, and of its month and year. */
    day_ends_at: GeneratedAlways<Date | null>;
    month_ends_at: GeneratedAlways<Date | null>;
    year_ends_at: GeneratedAlways<Date | null>;
    yesterday_wh: GeneratedAlways<number | null>;
    month_wh: GeneratedAlways<number | null>;
    year_wh: GeneratedAlways<number | null>;
    energy_marks: GeneratedAlways<number>;
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
    pv_marks: Generated<number>;
    money_currency: ColumnType<string | null, string | null | undefined, string | null>;
    today_money: ColumnType<string | null, string | null | undefined, string | null>;
    month_money: ColumnType<string | null, string | null | undefined, string | null>;
    history_percent: number | null;
    updated_at: CreatedAt;
    // Of its newest week, kept by triggers of `site_insights`.
    week_loss_wh: GeneratedAlways<number | null>;
    needs_attention: GeneratedAlways<boolean>;
    // Of the plant itself, kept by triggers of `sites`.
    site_key: GeneratedAlways<number>;
    site_organisation_id: GeneratedAlways<string>;
    site_owner_id: GeneratedAlways<string | null>;
    site_name: GeneratedAlways<string>;
    site_city: GeneratedAlways<string | null>;
    site_country: GeneratedAlways<string>;
    site_type: GeneratedAlways<number>;
    site_zone: GeneratedAlways<string>;
    site_kwp: GeneratedAlways<number>;
    site_latitude: GeneratedAlways<number | null>;
    site_longitude: GeneratedAlways<number | null>;
    site_deleted: GeneratedAlways<boolean>;
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
    fuel_wh: number | null;
    marks: Generated<number | null>;
  };
  charge_points: {
    device_id: string;
    identity: string;
    secret_hash: Buffer;
    name: string;
    phases: PilePhases;
    most_current_a: number;
    mode: Generated<ChargingMode>;
    limit_a: Generated<number | null>;
    times: ColumnType<ChargingTime[], string | undefined, string>;
    stopped: Generated<boolean>;
    protocol: Generated<string>;
    vendor: Generated<string>;
    model: Generated<string>;
    firmware: Generated<string>;
    firmware_state: Generated<string | null>;
    connected_at: Generated<Date | null>;
    created_at: CreatedAt;
  };
  charging_sessions: {
    id: Generated<string>;
    device_id: string;
    transaction: string;
    connector: Generated<number>;
    began_at: Date;
    began_wh: number | null;
    course: Generated<number[]>;
    heard_at: Date;
    ended_at: Date | null;
    energy_wh: number | null;
    reason: Generated<string>;
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
    source: Generated<'device' | 'portal'>;
    incident_id: Generated<string | null>;
    folded: Generated<boolean>;
  };
  device_events: {
    id: GeneratedAlways<string>;
    device_id: string;
    ts: Date;
    kind: string;
    detail: Json<Record<string, unknown>>;
  };
  site_prices: {
    site_id: string;
    valid_from: Date;
    feed_in_price: Decimal;
    purchase_price: Decimal;
    feed_in_periods: Periods;
    purchase_periods: Periods;
    /** Of a market, in place of the one price. */
    purchase_market: Market;
    currency: string;
    written_at: CreatedAt;
  };
  market_sources: {
    zone: string;
    is_configured: Generated<boolean>;
    currency: string | null;
    changes: Generated<number>;
    asked_at: Date | null;
    answered_at: Date | null;
  };
  market_prices: { zone: string; start_at: Date; micro: number; written: number };
  device_corrections: {
    id: GeneratedAlways<number>;
    device_id: string;
    channel: EnergyChannel;
    from_at: Date;
    to_at: Date;
    way: CorrectionWay;
    /** Energy of each bucket, Wh; null: nothing is known of the span. */
    parts_wh: number[] | null;
    former_wh: number | null;
    days: Json<CorrectedDay[]>;
    reason: string;
    made_at: CreatedAt;
    made_by_name: string;
    made_by_company: string;
    undone_at: Date | null;
    /** The deletion of a history with which it was taken back. */
    cleared_by: Generated<string | null>;
  };
  cleared_histories: {
    deletion_id: string;
    device_id: string;
    former_key: number;
    key: number;
    opening: Json<unknown>;
    first_read: Json<unknown>;
    recorded_from: Date;
    cleared_at: Date;
    undone_at: Date | null;
    joined: Generated<string>;
    joined_at: Date | null;
  };
  recalculations: {
    id: GeneratedAlways<number>;
    site_id: string | null;
    device_id: string | null;
    depth: 'samples' | 'devices' | 'calendar' | 'corrected';
    from_at: Date | null;
    to_at: Date | null;
    done_key: Generated<number>;
    requested_at: CreatedAt;
  };
  insight_due: { site_id: string; day: string; noted_at: Date };
  insight_turns: { time_zone: string; day: string; filled_to: string; is_filled: Generated<boolean> };
  site_insights: {
    site_id: string;
    through_day: string;
    loss_wh: number | null;
    loss_money: Decimal;
    currency: string;
    rank_value: number | null;
    reason: string | null;
    reason_since: Day;
    needs_attention: boolean;
    week: Json<unknown>;
    peers: string[];
    profile: ColumnType<unknown, string | null, string | null>;
    reckoned_at: Date;
  };
  insight_pauses: {
    site_id: string;
    for_owner: boolean;
    reason: 'known' | 'waiting' | 'notWorth' | 'wrongReason';
    until_day: string;
    loss_wh: number | null;
    paused_by_name: string;
    paused_at: Date;
  };
  damaged_parts: {
    table_name: string;
    part: string;
    partition_id: string;
    reason: string;
    from_at: Date | null;
    to_at: Date | null;
    rows: number | null;
    found_at: CreatedAt;
  };
  changes: {
    id: Generated<string>;
    xid: Generated<string>;
    at: CreatedAt;
    kind: string;
    row_id: string | null;
    sn: string | null;
  };
  row_images: {
    change_id: string;
    table_name: string;
    row_id: string;
    before: Json<Record<string, unknown>>;
    after: Json<Record<string, unknown>> | null;
  };
  telemetry_to_clear: { kind: 'site' | 'device'; key: number };
  process_state: { name: string; value: Json<unknown>; updated_at: CreatedAt };
}
