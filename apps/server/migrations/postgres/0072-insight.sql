-- Days of plants that are to be held against what they could have given: those that ended, and past ones whose sums have changed since.
CREATE TABLE insight_due (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  day date NOT NULL,
  -- Of a day that changed: when it did last. It waits until that is over.
  noted_at timestamptz NOT NULL,
  PRIMARY KEY (site_id, day)
);
CREATE INDEX insight_due_newest ON insight_due (day DESC, noted_at);

-- The last day of each zone's clock that was put there for all of its plants, and the first: what lies before is filled in while nothing else is due.
CREATE TABLE insight_turns (
  time_zone text PRIMARY KEY,
  day date NOT NULL,
  filled_to date NOT NULL,
  is_filled boolean NOT NULL DEFAULT false
);
-- Plants within a box, for who looks for neighbours.
CREATE INDEX sites_by_place ON sites (latitude, longitude) WHERE deleted_at IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL;
CREATE INDEX sites_of_zone ON sites (time_zone) WHERE deleted_at IS NULL;

-- What a plant lost in its newest seven whole days, by which lists are ordered; the days themselves are in the telemetry store (site_insight).
CREATE TABLE site_insights (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  -- The last of the seven days.
  through_day date NOT NULL,
  loss_wh float8,
  loss_money numeric(18, 6),
  currency text NOT NULL,
  -- Orders losses of several currencies; no amount is shown of it.
  rank_value float8,
  reason text,
  reason_since date,
  -- Whether the loss is large enough to be looked at.
  needs_attention boolean NOT NULL,
  -- The week as screens show it: days against the band of the neighbours, evidence of the reason.
  week jsonb NOT NULL,
  -- Plants that stand near, the nearest first, by their ids.
  peers uuid[] NOT NULL,
  -- What is learned of the plant from its days; read by nobody but the reckoning.
  profile jsonb,
  reckoned_at timestamptz NOT NULL
);
CREATE INDEX site_insights_attention ON site_insights (rank_value DESC NULLS LAST) WHERE needs_attention;

-- "Not now": a plant is left out of what needs attention until a day of its clock, or until it loses twice as much. What its owner puts off
-- is put off for the owner alone.
CREATE TABLE insight_pauses (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  for_owner boolean NOT NULL,
  reason text NOT NULL CHECK (reason IN ('known', 'waiting', 'notWorth', 'wrongReason')),
  until_day date NOT NULL,
  -- Seven days' loss when it was put off; null = not known.
  loss_wh float8,
  paused_by_name text NOT NULL,
  paused_at timestamptz NOT NULL,
  PRIMARY KEY (site_id, for_owner)
);
