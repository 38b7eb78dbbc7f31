-- Reports that are made again and again, of the day, the week or the month before.
CREATE TABLE report_schedules (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  language text NOT NULL,
  -- What they are about, without days.
  request jsonb NOT NULL,
  every text NOT NULL CHECK (every IN ('daily', 'weekly', 'monthly')),
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  at text NOT NULL,
  time_zone text NOT NULL,
  -- Null while it is paused or has stopped.
  next_at timestamptz,
  last_at timestamptz,
  stopped text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX report_schedules_of_account ON report_schedules (account_id);
CREATE INDEX report_schedules_due ON report_schedules (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The order in which they were asked for.
  number bigint NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  schedule_id uuid REFERENCES report_schedules (id) ON DELETE SET NULL,
  -- When the schedule was due: it has one report for each such time.
  due_at timestamptz,
  name text NOT NULL,
  language text NOT NULL,
  request jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'processing', 'completed', 'failed', 'cancelled')),
  asked_at timestamptz NOT NULL,
  -- How often it was begun; only the run that began last may say how it went.
  run integer NOT NULL DEFAULT 0,
  -- How often since it was asked for, or asked for again.
  tries integer NOT NULL DEFAULT 0,
  -- Until when nobody else begins with it.
  held_until timestamptz,
  progress smallint NOT NULL DEFAULT 0,
  rows integer,
  bytes bigint,
  missing integer NOT NULL DEFAULT 0,
  failure text NOT NULL DEFAULT '',
  finished_at timestamptz,
  kept_until timestamptz,
  CHECK ((state IN ('queued', 'processing')) = (finished_at IS NULL)),
  CHECK ((state = 'failed') = (failure <> ''))
);
CREATE INDEX reports_of_account ON reports (account_id, asked_at DESC, id DESC);
CREATE INDEX reports_by_time ON reports (asked_at DESC, id DESC);
CREATE INDEX reports_open ON reports (number) WHERE state IN ('queued', 'processing');
CREATE INDEX reports_forgotten ON reports (kept_until) WHERE kept_until IS NOT NULL;
CREATE UNIQUE INDEX reports_of_schedule ON reports (schedule_id, due_at) WHERE schedule_id IS NOT NULL;
