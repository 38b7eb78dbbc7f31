-- Lists of devices order and filter by one row of each device, as lists of plants do by site_latest: joining five tables of all devices, one of which
-- holds every newest value, cost more than all else that these screens do. Triggers keep the rows within the change, in the order of ids, so that two
-- who write the same ones wait for each other and never in a circle.
CREATE TABLE device_listed (
  device_id uuid PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  site_id uuid,
  organisation_id uuid,
  owner_id uuid,
  logger_id uuid NOT NULL,
  interval_s integer NOT NULL DEFAULT 60,
  -- The device or its plant is.
  deleted boolean NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  last_seen_at timestamptz,
  ts timestamptz,
  power_w double precision,
  soc_percent double precision,
  -- Energy of the local day of `ts`, which ends then.
  today_wh double precision,
  today_ends_at timestamptz,
  total_wh double precision,
  rated_power_w double precision,
  -- Of batteries.
  soh_percent double precision,
  spread_mv double precision,
  cycles double precision,
  battery_state double precision,
  -- Of meters; energies in Wh.
  phases smallint,
  ct_ratio double precision,
  import_today_wh double precision,
  export_today_wh double precision,
  import_wh double precision,
  export_wh double precision,
  -- Of EMS units and smart gateways.
  device_count double precision,
  devices_online double precision,
  export_limit_w double precision,
  peak_limit_w double precision,
  heat_pump_w double precision,
  relay1 boolean,
  relay2 boolean,
  sg_ready double precision,
  -- As they are ordered and searched.
  sn text NOT NULL,
  odm_sn text NOT NULL,
  model text NOT NULL,
  plant text,
  role text NOT NULL,
  firmware text NOT NULL,
  bms_firmware text,
  strategy text
) WITH (fillfactor = 75);

CREATE FUNCTION newest_number(v jsonb, point text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE jsonb_typeof(v -> point -> 0)
    WHEN 'number' THEN (v -> point ->> 0)::double precision
    WHEN 'boolean' THEN (v -> point ->> 0)::boolean::integer::double precision END
$$;

-- What a device is and where it belongs.
CREATE FUNCTION list_devices(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO device_listed AS l (device_id, site_id, organisation_id, owner_id, logger_id, interval_s, deleted, kind, state, last_seen_at,
    rated_power_w, sn, odm_sn, model, plant, role, firmware)
  SELECT d.id, d.site_id, s.organisation_id, s.owner_account_id, d.logger_id, g.report_interval_s,
    d.deleted_at IS NOT NULL OR coalesce(s.deleted_at IS NOT NULL, false), d.kind, d.state, d.last_seen_at,
    d.rated_power_w, d.sn, d.odm_sn, lower(d.model), lower(s.name), d.role, lower(d.version_master)
  FROM devices d JOIN loggers g ON g.id = d.logger_id LEFT JOIN sites s ON s.id = d.site_id
  WHERE d.id = ANY (ids) ORDER BY d.id
  ON CONFLICT (device_id) DO UPDATE SET site_id = excluded.site_id, organisation_id = excluded.organisation_id,
    owner_id = excluded.owner_id, logger_id = excluded.logger_id, interval_s = excluded.interval_s, deleted = excluded.deleted,
    kind = excluded.kind, state = excluded.state, last_seen_at = excluded.last_seen_at, rated_power_w = excluded.rated_power_w,
    sn = excluded.sn, odm_sn = excluded.odm_sn, model = excluded.model, plant = excluded.plant, role = excluded.role,
    firmware = excluded.firmware
$$;

-- What it told last. Whatever writes newest values may come before what a device is has been listed.
CREATE FUNCTION list_device_values(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing uuid[] := ARRAY(SELECT id FROM unnest(ids) AS id WHERE NOT EXISTS (SELECT FROM device_listed k WHERE k.device_id = id));
BEGIN
  IF cardinality(missing) > 0 THEN PERFORM list_devices(missing); END IF;
  UPDATE device_listed l SET ts = n.ts, power_w = n.power_w, soc_percent = n.soc_percent, today_wh = n.today_wh,
    today_ends_at = n.today_ends_at, total_wh = n.total_wh, soh_percent = n.soh_percent, spread_mv = n.spread_mv, cycles = n.cycles,
    battery_state = n.battery_state, bms_firmware = n.bms_firmware, phases = n.phases, ct_ratio = n.ct_ratio, import_today_wh = n.import_today_wh,
    export_today_wh = n.export_today_wh, import_wh = n.import_wh, export_wh = n.export_wh, device_count = n.device_count,
    devices_online = n.devices_online, export_limit_w = n.export_limit_w, peak_limit_w = n.peak_limit_w, heat_pump_w = n.heat_pump_w,
    relay1 = n.relay1, relay2 = n.relay2, sg_ready = n.sg_ready, strategy = n.strategy
  FROM (SELECT k.device_id, v.ts, v.power_w, v.soc_percent, v.today_wh, v.total_wh,
      ((v.ts AT TIME ZONE coalesce(s.time_zone, 'UTC'))::date + 1)::timestamp AT TIME ZONE coalesce(s.time_zone, 'UTC') AS today_ends_at,
      b.*, m.*, c.*
    FROM device_listed k
    LEFT JOIN device_latest v ON v.device_id = k.device_id
    LEFT JOIN sites s ON s.id = k.site_id
    LEFT JOIN LATERAL (SELECT newest_number(v.values, 'Bat/Soh') AS soh_percent,
      1000 * (newest_number(v.values, 'Bat/CellVoltageMax') - newest_number(v.values, 'Bat/CellVoltageMin')) AS spread_mv,
      newest_number(v.values, 'Bat/Cycles') AS cycles,
      newest_number(v.values, 'Bat/State') AS battery_state,
      nullif(lower(left(v.values -> 'Bat/BmsFirmware' ->> 0, 200)), '') AS bms_firmware) AS b ON k.kind = 'battery'
    LEFT JOIN LATERAL (SELECT nullif((SELECT count(*) FROM generate_series(1, 3) AS n WHERE v.values ? format('Meter/L%s/Voltage', n)), 0)::smallint
        AS phases,
      newest_number(v.values, 'Meter/CtRatio') AS ct_ratio,
      1000 * newest_number(v.values, 'Meter/ImportToday') AS import_today_wh,
      1000 * newest_number(v.values, 'Meter/ExportToday') AS export_today_wh,
      1000 * newest_number(v.values, 'Meter/ImportTotal') AS import_wh,
      1000 * newest_number(v.values, 'Meter/ExportTotal') AS export_wh) AS m ON k.kind = 'meter'
    LEFT JOIN LATERAL (SELECT newest_number(v.values, 'Ems/DeviceCount') AS device_count,
      newest_number(v.values, 'Ems/DevicesOnline') AS devices_online,
      newest_number(v.values, 'Ems/ExportLimit') AS export_limit_w,
      newest_number(v.values, 'Ems/PeakLimit') AS peak_limit_w,
      newest_number(v.values, 'Gw/HeatPumpPower') AS heat_pump_w,
      newest_number(v.values, 'Gw/Relay1') <> 0 AS relay1,
      newest_number(v.values, 'Gw/Relay2') <> 0 AS relay2,
      newest_number(v.values, 'Gw/SgReadyState') AS sg_ready,
      left(v.values -> 'Ems/Strategy' ->> 0, 200) AS strategy) AS c ON k.kind IN ('ems', 'gateway')
    WHERE k.device_id = ANY (ids) ORDER BY k.device_id FOR UPDATE OF k) AS n
  WHERE l.device_id = n.device_id;
END $$;

CREATE FUNCTION list_made_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_devices(ARRAY(SELECT id FROM made));
  RETURN NULL;
END $$;
CREATE TRIGGER devices_made_listed AFTER INSERT ON devices REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION list_made_devices();

-- Ingestion writes the state and the time of the last value of many devices at once, others all the rest of few.
CREATE FUNCTION list_changed_devices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other uuid[] := ARRAY(SELECT n.id FROM changed n JOIN former o ON o.id = n.id
    WHERE (n.site_id, n.logger_id, n.deleted_at IS NULL, n.kind, n.rated_power_w, n.sn, n.odm_sn, n.model, n.role, n.version_master)
      IS DISTINCT FROM
      (o.site_id, o.logger_id, o.deleted_at IS NULL, o.kind, o.rated_power_w, o.sn, o.odm_sn, o.model, o.role, o.version_master));
BEGIN
  IF cardinality(other) > 0 THEN
    PERFORM list_devices(other);
    PERFORM list_device_values(other);
  END IF;
  UPDATE device_listed l SET state = n.state, last_seen_at = n.last_seen_at
  FROM (SELECT k.device_id, c.state, c.last_seen_at FROM device_listed k JOIN changed c ON c.id = k.device_id
    WHERE (c.state, c.last_seen_at) IS DISTINCT FROM (k.state, k.last_seen_at) ORDER BY k.device_id FOR UPDATE OF k) AS n
  WHERE l.device_id = n.device_id;
  RETURN NULL;
END $$;
CREATE TRIGGER devices_changed_listed AFTER UPDATE ON devices REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_changed_devices();

CREATE FUNCTION list_told_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_device_values(ids) FROM (SELECT array_agg(device_id) AS ids FROM changed) AS told WHERE ids IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER device_latest_made_listed AFTER INSERT ON device_latest REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_told_devices();
CREATE TRIGGER device_latest_changed_listed AFTER UPDATE ON device_latest REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_told_devices();

-- With a device its listed row is gone already.
CREATE FUNCTION list_forgotten_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_device_values(ids) FROM (SELECT array_agg(device_id) AS ids FROM gone JOIN devices ON id = device_id) AS forgotten
  WHERE ids IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER device_latest_gone_listed AFTER DELETE ON device_latest REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION list_forgotten_devices();

CREATE FUNCTION list_devices_of_changed_sites() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT d.id FROM changed n JOIN former o ON o.id = n.id JOIN devices d ON d.site_id = n.id
    WHERE (n.organisation_id, n.owner_account_id, n.name, n.deleted_at IS NULL, n.time_zone)
      IS DISTINCT FROM (o.organisation_id, o.owner_account_id, o.name, o.deleted_at IS NULL, o.time_zone));
  moved uuid[] := ARRAY(SELECT d.id FROM changed n JOIN former o ON o.id = n.id JOIN devices d ON d.site_id = n.id
    WHERE n.time_zone <> o.time_zone);
BEGIN
  IF cardinality(ids) > 0 THEN PERFORM list_devices(ids); END IF;
  IF cardinality(moved) > 0 THEN PERFORM list_device_values(moved); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sites_changed_list_devices AFTER UPDATE ON sites REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_devices_of_changed_sites();

CREATE FUNCTION list_devices_of_logger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_devices(ARRAY(SELECT id FROM devices WHERE logger_id = NEW.id));
  RETURN NULL;
END $$;
CREATE TRIGGER loggers_interval_listed AFTER UPDATE OF report_interval_s ON loggers FOR EACH ROW
  WHEN (NEW.report_interval_s IS DISTINCT FROM OLD.report_interval_s) EXECUTE FUNCTION list_devices_of_logger();

SELECT list_devices(ARRAY(SELECT id FROM devices)), list_device_values(ARRAY(SELECT device_id FROM device_latest));

-- Ingestion changes no column of an index, so that it writes none.
CREATE INDEX device_listed_sn ON device_listed (kind, sn, device_id) WHERE NOT deleted;
CREATE INDEX device_listed_site ON device_listed (site_id);
CREATE INDEX device_listed_organisation ON device_listed (organisation_id, kind);
CREATE INDEX device_listed_logger ON device_listed (logger_id);
ANALYZE device_listed;
