CREATE TABLE organisations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  parent_id uuid REFERENCES organisations (id),
  kind text NOT NULL CHECK (kind IN ('platform', 'distributor', 'agent', 'installer')),
  name text NOT NULL,
  country text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  -- Ancestors from the root down to the organisation itself.
  path uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX organisations_one_platform ON organisations (kind) WHERE kind = 'platform';
CREATE INDEX organisations_path ON organisations USING gin (path);

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisations (id),
  username text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL DEFAULT '',
  password_hash text NOT NULL,
  level smallint NOT NULL CHECK (level IN (1, 2, 3, 4, 10, 255)),
  name text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  city text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  postcode text NOT NULL DEFAULT '',
  introduction text NOT NULL DEFAULT '',
  note text NOT NULL DEFAULT '',
  client_id text NOT NULL DEFAULT '',
  api_mqtt_enable boolean NOT NULL DEFAULT false,
  language text,
  demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username)) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX accounts_organisation ON accounts (organisation_id);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT ''
);
CREATE INDEX sessions_account ON sessions (account_id);

CREATE TABLE set_up_codes (
  code_hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);

CREATE TABLE sites (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Short key of the telemetry store.
  key integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  organisation_id uuid NOT NULL REFERENCES organisations (id),
  owner_account_id uuid REFERENCES accounts (id),
  name text NOT NULL,
  type smallint NOT NULL DEFAULT 1 CHECK (type IN (1, 2, 3, 4)),
  country text NOT NULL,
  city text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  postcode text NOT NULL DEFAULT '',
  latitude double precision,
  longitude double precision,
  altitude_m double precision,
  time_zone text NOT NULL,
  system_size_kwp double precision NOT NULL DEFAULT 0,
  rated_power_w double precision,
  feed_in_price numeric(12, 6),
  purchase_price numeric(12, 6),
  currency text NOT NULL DEFAULT 'EUR',
  commissioned_on date,
  grid_connected_on date,
  -- PV arrays: [{"azimuthDeg", "inclinationDeg", "kwp"}].
  arrays jsonb NOT NULL DEFAULT '[]',
  demo boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX sites_organisation ON sites (organisation_id) WHERE deleted_at IS NULL;
CREATE INDEX sites_owner ON sites (owner_account_id) WHERE deleted_at IS NULL;

CREATE TABLE site_shares (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (site_id, account_id)
);

CREATE TABLE loggers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  sn text NOT NULL UNIQUE CHECK (sn ~ '^[0-9]{15}$'),
  site_id uuid REFERENCES sites (id),
  organisation_id uuid REFERENCES organisations (id),
  -- SHA-256 of the password; null while only a provisioning key has let it in.
  token_hash bytea,
  quarantined boolean NOT NULL DEFAULT false,
  model text NOT NULL DEFAULT '',
  type text NOT NULL DEFAULT '',
  firmware text NOT NULL DEFAULT '',
  hardware text NOT NULL DEFAULT '',
  profile text NOT NULL DEFAULT '',
  time_zone text NOT NULL DEFAULT '',
  ip text NOT NULL DEFAULT '',
  rssi_dbm double precision,
  report_interval_s integer NOT NULL DEFAULT 60,
  online boolean NOT NULL DEFAULT false,
  born_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX loggers_site ON loggers (site_id);

CREATE TABLE provisioning_keys (
  key_hash bytea PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisations (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

CREATE TABLE devices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  key integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  sn text NOT NULL UNIQUE,
  logger_id uuid NOT NULL REFERENCES loggers (id),
  site_id uuid REFERENCES sites (id),
  kind text NOT NULL CHECK (kind IN ('inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'station')),
  -- What a meter measures: grid, pv, load, generator.
  role text NOT NULL DEFAULT '',
  model text NOT NULL DEFAULT '',
  odm_sn text NOT NULL DEFAULT '',
  rated_power_w double precision,
  capacity_wh double precision,
  version_master text NOT NULL DEFAULT '',
  version_slave text NOT NULL DEFAULT '',
  version_manager text NOT NULL DEFAULT '',
  version_afci text NOT NULL DEFAULT '',
  hardware text NOT NULL DEFAULT '',
  online boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'offline' CHECK (state IN ('normal', 'alarm', 'fault', 'offline')),
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz,
  deleted_at timestamptz
);
CREATE INDEX devices_site ON devices (site_id) WHERE deleted_at IS NULL;
CREATE INDEX devices_logger ON devices (logger_id);

CREATE TABLE device_grants (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, device_id)
);

-- Newest values: {"AC/ActivePower": [1234.5, 1700000000000], ...}, each with its own time.
CREATE TABLE device_latest (
  device_id uuid PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  ts timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  power_w double precision,
  soc_percent double precision,
  today_wh double precision,
  total_wh double precision,
  values jsonb NOT NULL
);

-- Newest powers and running energies of a site, written by ingestion; lists sort and filter on them.
CREATE TABLE site_latest (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'offline' CHECK (state IN ('normal', 'alarm', 'fault', 'offline')),
  ts timestamptz,
  interval_s integer NOT NULL DEFAULT 60,
  pv_w double precision,
  external_w double precision,
  battery_w double precision,
  grid_w double precision,
  load_w double precision,
  charger_w double precision,
  inverter_ac_w double precision,
  soc_percent double precision,
  battery_capacity_wh double precision,
  -- Quantities that were derived from the balance, e.g. {load}.
  derived text[] NOT NULL DEFAULT '{}',
  local_day date,
  -- Generation (pv) of the running local day and month, and since the beginning.
  today_wh double precision,
  month_wh double precision,
  total_wh double precision,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE alarms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
  logger_id uuid REFERENCES loggers (id) ON DELETE CASCADE,
  site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
  code integer NOT NULL,
  level smallint NOT NULL CHECK (level BETWEEN 1 AND 4),
  since timestamptz NOT NULL,
  until timestamptz,
  extra text NOT NULL DEFAULT '',
  CHECK (device_id IS NOT NULL OR logger_id IS NOT NULL)
);
CREATE UNIQUE INDEX alarms_active_device ON alarms (device_id, code) WHERE until IS NULL;
CREATE INDEX alarms_site ON alarms (site_id, since DESC);

-- Joints of counters and other events of a device that figures depend on.
CREATE TABLE device_events (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  ts timestamptz NOT NULL,
  kind text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX device_events_device ON device_events (device_id, ts DESC);

-- What a process must find again after it was killed, e.g. the accounting's high-water mark.
CREATE TABLE process_state (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
