ALTER TABLE sites
  -- Whose clock leaves out the summer time of its place has the place's zone here, and in time_zone one of the same offset without summer time.
  ADD COLUMN place_zone text,
  -- Whom to ask: {"name", "email", "phone"}, as entered.
  ADD COLUMN installer_contact jsonb NOT NULL DEFAULT '{"name": "", "email": "", "phone": ""}',
  ADD COLUMN user_contact jsonb NOT NULL DEFAULT '{"name": "", "email": "", "phone": ""}';

-- What is known of dataloggers before they are linked to a plant.
CREATE TABLE logger_keys (
  sn text PRIMARY KEY CHECK (sn ~ '^[0-9]{15}$'),
  -- SHA-256 of the serial number and the key printed on it; null: it has none.
  key_hash bytea,
  -- Who imported it, and links it without the key.
  organisation_id uuid REFERENCES organisations (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX logger_keys_organisation ON logger_keys (organisation_id) WHERE organisation_id IS NOT NULL;

-- Wrong keys by serial number, of those that do not exist too.
CREATE TABLE logger_key_failures (
  sn text PRIMARY KEY,
  count integer NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT now(),
  locked_until timestamptz
);

-- Images of plants that were made before hold the new columns as they are, so that they can still be undone.
UPDATE row_images SET
  before = before || '{"place_zone": null, "installer_contact": {"name": "", "email": "", "phone": ""}, "user_contact": {"name": "", "email": "", "phone": ""}}',
  after = after || '{"place_zone": null, "installer_contact": {"name": "", "email": "", "phone": ""}, "user_contact": {"name": "", "email": "", "phone": ""}}'
WHERE table_name = 'sites';
