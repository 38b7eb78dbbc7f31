-- Who makes devices, in which batches, and each unit as it left the factory.
CREATE TABLE manufacturers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  country text NOT NULL DEFAULT '',
  contact text NOT NULL DEFAULT '',
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX manufacturers_by_name ON manufacturers (lower(name));

CREATE TABLE device_batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  manufacturer_id uuid NOT NULL REFERENCES manufacturers (id),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('logger', 'inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'station')),
  model text NOT NULL,
  firmware text NOT NULL DEFAULT '',
  made_on date,
  delivered_on date,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX device_batches_by_number ON device_batches (manufacturer_id, lower(number));

CREATE TABLE delivered_units (
  -- As devices tell it, in capitals.
  sn text PRIMARY KEY,
  odm_sn text NOT NULL DEFAULT '',
  batch_id uuid NOT NULL REFERENCES device_batches (id),
  model text NOT NULL,
  firmware text NOT NULL DEFAULT '',
  delivered_on date
);
CREATE INDEX delivered_units_of_batch ON delivered_units (batch_id, sn);
