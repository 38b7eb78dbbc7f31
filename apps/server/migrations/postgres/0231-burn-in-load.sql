-- What stands of the load that a unit was told: by which command, when it was ordered, how often in vain, and whether that was to give it back.
ALTER TABLE burn_in_units
  ADD COLUMN load_command text,
  ADD COLUMN load_at timestamptz,
  ADD COLUMN load_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN releasing boolean NOT NULL DEFAULT false;

-- Serial numbers are in capitals; such as devices tell in small letters are found by theirs.
CREATE INDEX devices_by_capital_sn ON devices (upper(sn)) WHERE deleted_at IS NULL;

-- Units that failed for what is judged at the end have run to it.
UPDATE burn_in_units u SET ended_at = r.ends_at
FROM burn_in_runs r
WHERE r.id = u.run_id AND u.state = 'failed' AND r.ends_at IS NOT NULL AND u.ended_at < r.ends_at
  AND u.reason IN ('minOutputPercent', 'minEfficiencyPercent', 'noData', 'notMeasured');
