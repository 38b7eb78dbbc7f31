-- Burn-in runs of new inverters at the factory: plans, runs with what they began with, and each unit with its verdict.
CREATE TABLE burn_in_plans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  duration_minutes integer NOT NULL CHECK (duration_minutes > 0),
  -- `[{minutes, percent}]`, repeated until the end.
  steps jsonb NOT NULL,
  limits jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX burn_in_plans_by_name ON burn_in_plans (lower(name));

CREATE TABLE burn_in_runs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
  rack text NOT NULL,
  plan_id uuid REFERENCES burn_in_plans (id) ON DELETE SET NULL,
  -- As the plan is until the run begins, then as it was.
  plan_name text NOT NULL,
  duration_minutes integer NOT NULL,
  steps jsonb NOT NULL,
  limits jsonb NOT NULL,
  batch_id uuid REFERENCES device_batches (id) ON DELETE SET NULL,
  -- As they were when the run was planned: batches go, results stay.
  batch text NOT NULL DEFAULT '',
  manufacturer text NOT NULL DEFAULT '',
  model text NOT NULL DEFAULT '',
  sets_load boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'running', 'finished', 'aborted')),
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  ends_at timestamptz,
  ended_at timestamptz,
  abort_reason text NOT NULL DEFAULT '',
  CHECK ((state = 'planned') = (started_at IS NULL AND ended_at IS NULL)),
  CHECK ((state IN ('finished', 'aborted')) = (ended_at IS NOT NULL))
);
CREATE INDEX burn_in_runs_open ON burn_in_runs (id) WHERE state = 'running';
CREATE INDEX burn_in_runs_by_age ON burn_in_runs (created_at, id);
CREATE INDEX burn_in_runs_of_batch ON burn_in_runs (batch_id);
CREATE INDEX burn_in_runs_of_plan ON burn_in_runs (plan_id);

CREATE TABLE burn_in_units (
  run_id uuid NOT NULL REFERENCES burn_in_runs (id) ON DELETE CASCADE,
  position integer NOT NULL,
  sn text NOT NULL,
  -- Known once it has been seen; a device that is deleted leaves its results.
  device_id uuid REFERENCES devices (id) ON DELETE SET NULL,
  model text NOT NULL DEFAULT '',
  rated_power_w double precision,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'running', 'passed', 'failed', 'aborted', 'removed')),
  -- Which run of its serial number this is.
  attempt integer,
  started_at timestamptz,
  ended_at timestamptz,
  reason text,
  reason_value double precision,
  remove_reason text NOT NULL DEFAULT '',
  -- What has been read of it so far.
  progress jsonb NOT NULL DEFAULT '{}',
  -- The worst of each limit once it is over.
  measured jsonb NOT NULL DEFAULT '{}',
  -- What the portal told it to give last, percent; null where nothing stands that would have to be taken back.
  told_percent integer,
  PRIMARY KEY (run_id, position),
  CHECK ((state IN ('waiting', 'running')) = (ended_at IS NULL)),
  CHECK ((state = 'failed') = (reason IS NOT NULL))
);
-- A unit is on one rack at a time.
CREATE UNIQUE INDEX burn_in_units_open ON burn_in_units (sn) WHERE state IN ('waiting', 'running');
CREATE INDEX burn_in_units_by_sn ON burn_in_units (sn, run_id);
CREATE INDEX burn_in_units_of_device ON burn_in_units (device_id);
CREATE INDEX burn_in_units_told ON burn_in_units (run_id) WHERE told_percent IS NOT NULL;
