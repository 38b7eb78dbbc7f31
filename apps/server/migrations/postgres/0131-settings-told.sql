-- What births told last of settings, as a hash: ten thousand dataloggers that come back say what they said before, and nothing is written then.
CREATE TABLE device_settings_told (
  subject_id uuid PRIMARY KEY,
  hash text NOT NULL,
  told_at timestamptz NOT NULL
);
-- How commands ended that nobody answered in time may still be told.
CREATE INDEX commands_sent ON commands (coalesce(device_id, logger_id), sent_at DESC) WHERE kind = 'write' AND sent_at IS NOT NULL;
