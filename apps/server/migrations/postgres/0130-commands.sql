-- What dataloggers and devices are told to do, each with the way that it went. A command is for a datalogger itself, or for a device behind it.
CREATE TABLE commands (
  -- ULID: the same in every try, so that a device does it once.
  id text PRIMARY KEY CHECK (id ~ '^[0-9A-HJKMNP-TV-Z]{26}$'),
  logger_id uuid NOT NULL REFERENCES loggers (id) ON DELETE CASCADE,
  device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('write', 'read', 'action')),
  -- Of a write: {"Setting/ExportLimit": 5000, ...}; of a read its names; of an action its name and parameters.
  content jsonb NOT NULL,
  -- What the device said of these settings when it was ordered, and what it said afterwards.
  before jsonb NOT NULL DEFAULT '{}',
  read_back jsonb,
  source text NOT NULL CHECK (source IN ('hand', 'group', 'revert', 'preset', 'plan', 'ems', 'portal')),
  ordered_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  batch_id uuid,
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'sent', 'acknowledged', 'confirmed', 'refused', 'differs', 'timedOut', 'expired', 'cancelled')),
  -- `Cmd/Result/Code` and `Cmd/Result/Message` as the device told them.
  code smallint,
  message text NOT NULL DEFAULT '',
  tries smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  done_at timestamptz,
  -- When the next step is due, while it is open.
  due_at timestamptz
);

-- One at a time is under way to whom it is for.
CREATE UNIQUE INDEX commands_under_way ON commands (coalesce(device_id, logger_id)) WHERE state IN ('sent', 'acknowledged');
CREATE INDEX commands_open ON commands (logger_id, created_at, id) WHERE state IN ('queued', 'sent', 'acknowledged');
CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX commands_of_device ON commands (coalesce(device_id, logger_id), created_at DESC, id);
CREATE INDEX commands_of_batch ON commands (batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX commands_of_account ON commands (ordered_by) WHERE ordered_by IS NOT NULL;

-- Settings as their device told them last, and as they are meant to be. `subject_id` is the id of a device, or of a datalogger.
CREATE TABLE device_settings (
  subject_id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) <= 64),
  reported jsonb,
  reported_at timestamptz,
  reported_by text CHECK (reported_by IN ('birth', 'data', 'readBack')),
  desired jsonb,
  desired_since timestamptz,
  desired_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  desired_source text,
  -- Since when it is another than is meant, by itself.
  drifted_since timestamptz,
  PRIMARY KEY (subject_id, name)
);
CREATE INDEX device_settings_drifted ON device_settings (subject_id) WHERE drifted_since IS NOT NULL;

-- Every change of a setting: by a command, or by the device itself.
CREATE TABLE setting_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_id uuid NOT NULL,
  name text NOT NULL,
  from_value jsonb,
  to_value jsonb NOT NULL,
  at timestamptz NOT NULL,
  -- Of one that a command made.
  command_id text REFERENCES commands (id) ON DELETE SET NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- As `commands.source`; `device`: by the device itself.
  source text NOT NULL
);
CREATE INDEX setting_changes_of_subject ON setting_changes (subject_id, at DESC, id);
