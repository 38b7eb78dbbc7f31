-- Charging piles that speak OCPP themselves. Each is a device like others behind a datalogger of its own, which is its connection.
CREATE TABLE charge_points (
  device_id uuid PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  -- By which it dials: the last part of its address.
  identity text NOT NULL UNIQUE CHECK (identity ~ '^[A-Za-z0-9_-]{1,32}$'),
  -- SHA-256 of its password.
  secret_hash bytea NOT NULL,
  name text NOT NULL,
  phases text NOT NULL CHECK (phases IN ('one', 'three', 'switching')),
  most_current_a smallint NOT NULL CHECK (most_current_a BETWEEN 6 AND 80),
  mode text NOT NULL DEFAULT 'fast' CHECK (mode IN ('fast', 'solar', 'scheduled')),
  limit_a smallint CHECK (limit_a BETWEEN 6 AND 80),
  -- Times of the plant's day: [{"from": "22:00", "to": "06:00"}, ...].
  times jsonb NOT NULL DEFAULT '[]',
  -- Stopped by hand, until it is started again or the vehicle leaves.
  stopped boolean NOT NULL DEFAULT false,
  -- What it told last of itself.
  protocol text NOT NULL DEFAULT '',
  vendor text NOT NULL DEFAULT '',
  model text NOT NULL DEFAULT '',
  firmware text NOT NULL DEFAULT '',
  firmware_state text,
  connected_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Numbers of transactions are ours in OCPP 1.6, the pile's in 2.0.1.
CREATE SEQUENCE charging_transactions AS integer;

CREATE TABLE charging_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  transaction text NOT NULL,
  connector integer NOT NULL DEFAULT 1,
  began_at timestamptz NOT NULL,
  began_wh double precision,
  -- The lowest and the highest reading of the meter that belong to it, and when the last of them was.
  least_wh double precision,
  most_wh double precision,
  heard_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_wh double precision,
  energy_wh double precision NOT NULL DEFAULT 0,
  reason text NOT NULL DEFAULT '',
  UNIQUE (device_id, transaction)
);
CREATE INDEX charging_sessions_newest ON charging_sessions (began_at DESC);
CREATE INDEX charging_sessions_began ON charging_sessions (device_id, began_at DESC);
