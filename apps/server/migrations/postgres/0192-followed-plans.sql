-- Plants whose battery the portal plans day by day, by prices and sun.
CREATE TABLE followed_plans (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  trades_with_grid boolean NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  started_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- The plan from before, which is written again at the end.
  former jsonb NOT NULL,
  -- What was written last, and for which local day.
  written jsonb,
  planned_day date,
  -- When it was looked at last.
  looked_at timestamptz
);
CREATE INDEX followed_plans_of_account ON followed_plans (started_by) WHERE started_by IS NOT NULL;

-- What the portal did with them, and why.
CREATE TABLE followed_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now(),
  day date NOT NULL,
  reason text NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  batch_id uuid
);
CREATE INDEX followed_steps_of_site ON followed_steps (site_id, at DESC, id DESC);
CREATE INDEX followed_steps_of_account ON followed_steps (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX followed_steps_by_time ON followed_steps (at);
