-- A device that gave its number to another is named by it all the same, on the rack to which a unit returns.
CREATE INDEX devices_by_told_sn ON devices (upper(told_sn)) WHERE told_sn IS NOT NULL AND deleted_at IS NULL;

-- Claims that nobody has decided are few beside those that were.
CREATE INDEX device_claims_open ON device_claims (holder_id) WHERE state = 'open';

-- A number that an open run names goes nowhere, whichever device the unit is.
CREATE OR REPLACE FUNCTION mark_burn_in(of_devices uuid[], of_numbers text[]) RETURNS void LANGUAGE sql AS $$
  WITH due AS MATERIALIZED (
    SELECT d.id, CASE
        WHEN EXISTS (SELECT FROM burn_in_units u JOIN burn_in_runs r ON r.id = u.run_id
          WHERE r.state IN ('planned', 'running') AND u.state <> 'removed' AND u.device_id = d.id) THEN 'open'
        WHEN d.deleted_at IS NULL AND d.site_id IS NULL AND EXISTS (SELECT FROM burn_in_units u JOIN burn_in_runs r ON r.id = u.run_id
          WHERE r.state IN ('planned', 'running') AND u.state <> 'removed' AND u.sn IN (d.sn, upper(d.sn))) THEN 'open'
        WHEN d.burn_in = 'over' THEN 'over'
        WHEN EXISTS (SELECT FROM burn_in_units u WHERE u.device_id = d.id) THEN 'over'
      END AS burn_in
    FROM devices d
    WHERE d.id = ANY (of_devices) OR (upper(d.sn) COLLATE "C" = ANY (of_numbers) AND d.deleted_at IS NULL)
    ORDER BY d.sn FOR NO KEY UPDATE OF d)
  UPDATE devices d SET burn_in = due.burn_in FROM due WHERE d.id = due.id AND d.burn_in IS DISTINCT FROM due.burn_in
$$;
