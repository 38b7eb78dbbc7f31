-- Dataloggers whose messages are recorded for some hours, and what was recorded of them.
CREATE TABLE message_recordings (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sn text NOT NULL,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  until timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text CHECK (end_reason IN ('time', 'stopped', 'full')),
  messages integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX message_recordings_running ON message_recordings (sn) WHERE ended_at IS NULL;

CREATE TABLE recorded_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: refused, of a datalogger that was not recorded.
  recording_id uuid REFERENCES message_recordings (id) ON DELETE CASCADE,
  sn text NOT NULL,
  device_sn text NOT NULL DEFAULT '',
  at timestamptz NOT NULL,
  direction text NOT NULL CHECK (direction IN ('up', 'down')),
  kind text NOT NULL,
  size integer NOT NULL,
  payload bytea NOT NULL,
  -- {"values": [[name, value], ...]} or {"text": "..."}.
  readable jsonb NOT NULL,
  refused_for text NOT NULL DEFAULT '',
  withheld boolean NOT NULL DEFAULT false
);
CREATE INDEX recorded_messages_at ON recorded_messages (at DESC, id DESC);
CREATE INDEX recorded_messages_of ON recorded_messages (recording_id);
CREATE INDEX recorded_messages_refused ON recorded_messages (sn, id DESC) WHERE recording_id IS NULL;
