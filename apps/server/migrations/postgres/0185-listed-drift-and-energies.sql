-- Lists of devices tell which have changed settings by themselves, and what inverters generated before the running day. The energies are written a few
-- times a day, not with each value; together with `today_wh` they are those of the running month and year.
ALTER TABLE device_listed
  ADD COLUMN drifts smallint NOT NULL DEFAULT 0,
  -- End of the local day before which the energies below were generated, and of its month and year.
  ADD COLUMN day_ends_at timestamptz,
  ADD COLUMN month_ends_at timestamptz,
  ADD COLUMN year_ends_at timestamptz,
  ADD COLUMN yesterday_wh double precision,
  ADD COLUMN month_wh double precision,
  ADD COLUMN year_wh double precision,
  -- How the three came about, two bits each in this order.
  ADD COLUMN energy_marks smallint NOT NULL DEFAULT 0;

-- Counted with the rows locked, so that of two who change settings of one device the second counts both.
CREATE FUNCTION list_drifts(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM device_listed WHERE device_id = ANY (ids) ORDER BY device_id FOR UPDATE;
  UPDATE device_listed l SET drifts = n.drifts
  FROM (SELECT k.device_id, (SELECT count(*) FROM device_settings s WHERE s.subject_id = k.device_id AND s.drifted_since IS NOT NULL)::smallint AS drifts
    FROM device_listed k WHERE k.device_id = ANY (ids)) AS n
  WHERE l.device_id = n.device_id AND l.drifts <> n.drifts;
END $$;

CREATE FUNCTION list_settings_made() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT subject_id FROM made WHERE drifted_since IS NOT NULL);
BEGIN
  IF cardinality(ids) > 0 THEN PERFORM list_drifts(ids); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER device_settings_made_listed AFTER INSERT ON device_settings REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION list_settings_made();

CREATE FUNCTION list_settings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT n.subject_id FROM changed n JOIN former o USING (subject_id, name)
    WHERE (n.drifted_since IS NULL) <> (o.drifted_since IS NULL));
BEGIN
  IF cardinality(ids) > 0 THEN PERFORM list_drifts(ids); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER device_settings_changed_listed AFTER UPDATE ON device_settings REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_settings_changed();

CREATE FUNCTION list_settings_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT DISTINCT subject_id FROM gone WHERE drifted_since IS NOT NULL);
BEGIN
  IF cardinality(ids) > 0 THEN PERFORM list_drifts(ids); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER device_settings_gone_listed AFTER DELETE ON device_settings REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION list_settings_gone();

SELECT list_drifts(ARRAY(SELECT DISTINCT subject_id FROM device_settings WHERE drifted_since IS NOT NULL));
