-- When a followed plan is looked at next: an hour after it was looked at last at the latest, and when its day is over; so only those are read that are due.
ALTER TABLE followed_plans DROP COLUMN looked_at;
ALTER TABLE followed_plans ADD COLUMN look_at timestamptz NOT NULL DEFAULT now();
-- What the plan went by: prices, charge of the battery and energies by quarters of an hour.
ALTER TABLE followed_plans ADD COLUMN expected jsonb;
CREATE INDEX followed_plans_due ON followed_plans (look_at);
