-- What a deletion or a transfer changed, row by row: undoing one of many plants reads and writes it where it lies.
CREATE TABLE row_images (
  -- The deletion or transfer.
  change_id uuid NOT NULL,
  table_name text NOT NULL,
  row_id uuid NOT NULL,
  before jsonb NOT NULL,
  -- null only while the change is being made.
  after jsonb,
  PRIMARY KEY (change_id, table_name, row_id)
);
INSERT INTO row_images (change_id, table_name, row_id, before, after)
  SELECT change.id, image ->> 'table', (image ->> 'id')::uuid, image -> 'before', image -> 'after'
  FROM (SELECT id, rows FROM deletions UNION ALL SELECT id, rows FROM account_migrations) change,
    jsonb_array_elements(change.rows) image;
ALTER TABLE deletions DROP COLUMN rows;
ALTER TABLE account_migrations DROP COLUMN rows;

-- Since when a deletion is being made final, part by part; from then on it cannot be undone.
ALTER TABLE deletions ADD COLUMN cutting_at timestamptz;

-- Plants and devices whose telemetry is still to be removed for good.
CREATE TABLE telemetry_to_clear (
  kind text NOT NULL CHECK (kind IN ('site', 'device')),
  key integer NOT NULL,
  PRIMARY KEY (kind, key)
);

-- PostgreSQL looks for what refers to a row that is deleted: without an index it reads the whole other table for each of them.
DROP INDEX devices_site;
CREATE INDEX devices_site ON devices (site_id);
DROP INDEX sites_organisation;
CREATE INDEX sites_organisation ON sites (organisation_id);
DROP INDEX sites_owner;
CREATE INDEX sites_owner ON sites (owner_account_id) WHERE owner_account_id IS NOT NULL;
CREATE INDEX site_shares_account ON site_shares (account_id);
CREATE INDEX loggers_organisation ON loggers (organisation_id);
CREATE INDEX provisioning_keys_organisation ON provisioning_keys (organisation_id);
CREATE INDEX alarms_device ON alarms (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX alarms_logger ON alarms (logger_id) WHERE logger_id IS NOT NULL;
CREATE INDEX departments_parent ON departments (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_view_account ON sessions (view_account_id) WHERE view_account_id IS NOT NULL;
CREATE INDEX sessions_view_organisation ON sessions (view_organisation_id) WHERE view_organisation_id IS NOT NULL;
CREATE INDEX sessions_view_group ON sessions (view_group_id) WHERE view_group_id IS NOT NULL;
CREATE INDEX deletions_deleted_by ON deletions (deleted_by) WHERE deleted_by IS NOT NULL;
CREATE INDEX account_migrations_source ON account_migrations (source_account_id);
CREATE INDEX account_migrations_target ON account_migrations (target_account_id);
CREATE INDEX account_migrations_operator ON account_migrations (operated_by);
CREATE INDEX migration_codes_account ON migration_codes (account_id);
CREATE INDEX migration_codes_source ON migration_codes (source_account_id);
CREATE INDEX migration_codes_target ON migration_codes (target_account_id);
CREATE INDEX device_claims_decided_by ON device_claims (decided_by) WHERE decided_by IS NOT NULL;
