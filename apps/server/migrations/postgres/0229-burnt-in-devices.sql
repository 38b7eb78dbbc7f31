-- Whether a device has been, or stands, on a rack of the factory: `open` while a run that is planned or running names it, then `over`; null
-- where it never was.
ALTER TABLE devices ADD COLUMN burn_in text CHECK (burn_in IN ('open', 'over'));

CREATE FUNCTION mark_burn_in(of_devices uuid[], of_numbers text[]) RETURNS void LANGUAGE sql AS $$
  WITH due AS MATERIALIZED (
    SELECT d.id, CASE
        WHEN EXISTS (SELECT FROM burn_in_units u JOIN burn_in_runs r ON r.id = u.run_id
          WHERE r.state IN ('planned', 'running') AND u.state <> 'removed' AND u.device_id = d.id) THEN 'open'
        -- A run looks for its devices by their numbers once it runs.
        WHEN d.deleted_at IS NULL AND d.site_id IS NULL AND EXISTS (SELECT FROM burn_in_units u JOIN burn_in_runs r ON r.id = u.run_id
          WHERE r.state IN ('planned', 'running') AND u.state <> 'removed' AND u.device_id IS NULL
            AND u.sn IN (d.sn, upper(d.sn))) THEN 'open'
        WHEN d.burn_in = 'over' THEN 'over'
        WHEN EXISTS (SELECT FROM burn_in_units u WHERE u.device_id = d.id) THEN 'over'
      END AS burn_in
    FROM devices d
    WHERE d.id = ANY (of_devices) OR (upper(d.sn) COLLATE "C" = ANY (of_numbers) AND d.deleted_at IS NULL)
    ORDER BY d.sn FOR NO KEY UPDATE OF d)
  UPDATE devices d SET burn_in = due.burn_in FROM due WHERE d.id = due.id AND d.burn_in IS DISTINCT FROM due.burn_in
$$;

CREATE FUNCTION mark_burn_in_of_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_burn_in(array_agg(DISTINCT device_id) FILTER (WHERE device_id IS NOT NULL), array_agg(DISTINCT upper(sn)))
    FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_burn_in_of_changed_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_burn_in(array_agg(DISTINCT c.device_id) || array_agg(DISTINCT f.device_id), array_agg(DISTINCT upper(c.sn)))
    FROM changed c JOIN former f ON f.run_id = c.run_id AND f.position = c.position
    WHERE c.device_id IS DISTINCT FROM f.device_id OR (c.state = 'removed') <> (f.state = 'removed') HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE FUNCTION mark_burn_in_of_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_burn_in(array_agg(DISTINCT u.device_id) FILTER (WHERE u.device_id IS NOT NULL), array_agg(DISTINCT upper(u.sn)))
    FROM changed c JOIN former f ON f.id = c.id JOIN burn_in_units u ON u.run_id = c.id
    WHERE c.state <> f.state HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER burn_in_units_made_marked AFTER INSERT ON burn_in_units REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_burn_in_of_units();
CREATE TRIGGER burn_in_units_gone_marked AFTER DELETE ON burn_in_units REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_burn_in_of_units();
CREATE TRIGGER burn_in_units_changed_marked AFTER UPDATE ON burn_in_units REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_burn_in_of_changed_units();
CREATE TRIGGER burn_in_runs_changed_marked AFTER UPDATE ON burn_in_runs REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_burn_in_of_runs();

-- One that is heard once its run is planned.
CREATE FUNCTION mark_burn_in_of_new_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM burn_in_units WHERE sn IN (NEW.sn, upper(NEW.sn)) AND state IN ('waiting', 'running') AND device_id IS NULL) THEN
    NEW.burn_in := 'open';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER devices_made_burn_in BEFORE INSERT ON devices FOR EACH ROW
  WHEN (NEW.site_id IS NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION mark_burn_in_of_new_device();

SELECT mark_burn_in(array_agg(DISTINCT device_id) FILTER (WHERE device_id IS NOT NULL), array_agg(DISTINCT upper(sn)))
  FROM burn_in_units HAVING count(*) > 0;

-- Who holds devices knows which of them give their number up.
DROP TRIGGER devices_changed ON devices;
CREATE TRIGGER devices_changed
  AFTER UPDATE OF key, sn, told_sn, kind, kind_guessed, role, logger_id, site_id, rated_power_w, capacity_wh, deleted_at, burn_in
  ON devices FOR EACH ROW
  WHEN ((OLD.key, OLD.sn, OLD.told_sn, OLD.kind, OLD.kind_guessed, OLD.role, OLD.logger_id, OLD.site_id, OLD.rated_power_w,
      OLD.capacity_wh, OLD.deleted_at, OLD.burn_in)
    IS DISTINCT FROM (NEW.key, NEW.sn, NEW.told_sn, NEW.kind, NEW.kind_guessed, NEW.role, NEW.logger_id, NEW.site_id, NEW.rated_power_w,
      NEW.capacity_wh, NEW.deleted_at, NEW.burn_in))
  EXECUTE FUNCTION note_change();
