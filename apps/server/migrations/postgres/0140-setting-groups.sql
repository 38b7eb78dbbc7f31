-- Values of settings that an organisation keeps under a name; those below it see them.
CREATE TABLE setting_presets (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  -- {"Setting/ExportLimit": 5000, ...}
  content jsonb NOT NULL,
  made_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX setting_presets_name ON setting_presets (organisation_id, kind, lower(name));
CREATE INDEX setting_presets_of_account ON setting_presets (made_by) WHERE made_by IS NOT NULL;

-- Writes of settings to many devices, sent in waves.
CREATE TABLE setting_groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL DEFAULT '',
  -- The same for every device; empty where it takes another one back.
  content jsonb NOT NULL DEFAULT '{}',
  reverts uuid REFERENCES setting_groups (id) ON DELETE SET NULL,
  -- Refusals after which nothing more is sent; null: none stop it.
  stop_after int,
  -- Refusals that do not count any more since it was resumed.
  forgiven int NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'stopped', 'done', 'cancelled')),
  ordered_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Since when no device is waiting or under way.
  done_at timestamptz
);
CREATE INDEX setting_groups_unfinished ON setting_groups (id) WHERE done_at IS NULL;
CREATE INDEX setting_groups_of_organisation ON setting_groups (organisation_id, created_at DESC, id);
CREATE INDEX setting_groups_of_account ON setting_groups (ordered_by) WHERE ordered_by IS NOT NULL;
CREATE INDEX setting_groups_reverting ON setting_groups (reverts) WHERE reverts IS NOT NULL;

CREATE TABLE setting_group_devices (
  group_id uuid NOT NULL REFERENCES setting_groups (id) ON DELETE CASCADE,
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  place int NOT NULL,
  -- What is written to it, and what it had when that was given to it.
  content jsonb NOT NULL,
  before jsonb NOT NULL DEFAULT '{}',
  command_id text REFERENCES commands (id) ON DELETE SET NULL,
  -- `waiting`, `open` while its command is, then as that ended.
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'open', 'confirmed', 'refused', 'differs', 'timedOut', 'expired', 'cancelled')),
  code smallint,
  message text NOT NULL DEFAULT '',
  -- The device itself has refused it, which counts for the rule to stop; what was not sent at all does not.
  was_sent boolean NOT NULL DEFAULT false,
  started_at timestamptz,
  done_at timestamptz,
  PRIMARY KEY (group_id, device_id)
);
CREATE INDEX setting_group_devices_waiting ON setting_group_devices (group_id, place) WHERE state = 'waiting';
CREATE INDEX setting_group_devices_of_device ON setting_group_devices (device_id);
CREATE INDEX setting_group_devices_of_command ON setting_group_devices (command_id) WHERE command_id IS NOT NULL;
