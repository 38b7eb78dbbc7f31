-- Whoever looks at the settings of a device or datalogger is told of what happens to them (t and its id), and of what happens to a group write (g and its id).
CREATE FUNCTION tell_settings(ids uuid[], letter text) RETURNS void LANGUAGE sql AS $$
  -- As many as fit into one notification.
  SELECT pg_notify('live', letter || string_agg(id::text, ','))
  FROM (SELECT id, (row_number() OVER () - 1) / 200 AS part FROM (SELECT DISTINCT unnest(ids) AS id) AS named WHERE id IS NOT NULL) AS parts
  GROUP BY part;
$$;

CREATE FUNCTION commands_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_settings((SELECT array_agg(coalesce(device_id, logger_id)) FROM told), 't');
  RETURN NULL;
END $$;
CREATE TRIGGER commands_made_told AFTER INSERT ON commands REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION commands_told();
CREATE TRIGGER commands_changed_told AFTER UPDATE ON commands REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION commands_told();

-- Of values only those that are others: a birth tells all of them again.
CREATE FUNCTION device_settings_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_settings((
    SELECT array_agg(told.subject_id) FROM told LEFT JOIN former USING (subject_id, name)
    WHERE (told.reported, told.desired, told.drifted_since) IS DISTINCT FROM (former.reported, former.desired, former.drifted_since)
  ), 't');
  RETURN NULL;
END $$;
CREATE TRIGGER device_settings_changed_told AFTER UPDATE ON device_settings REFERENCING OLD TABLE AS former NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION device_settings_told();
CREATE FUNCTION device_settings_made_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_settings((SELECT array_agg(subject_id) FROM told), 't');
  RETURN NULL;
END $$;
CREATE TRIGGER device_settings_made_told AFTER INSERT ON device_settings REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION device_settings_made_told();

CREATE FUNCTION setting_group_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_settings((SELECT array_agg(id) FROM told), 'g');
  RETURN NULL;
END $$;
CREATE TRIGGER setting_groups_changed_told AFTER UPDATE ON setting_groups REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION setting_group_told();
CREATE FUNCTION setting_group_devices_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_settings((SELECT array_agg(group_id) FROM told), 'g');
  RETURN NULL;
END $$;
CREATE TRIGGER setting_group_devices_changed_told AFTER UPDATE ON setting_group_devices REFERENCING NEW TABLE AS told
  FOR EACH STATEMENT EXECUTE FUNCTION setting_group_devices_told();
