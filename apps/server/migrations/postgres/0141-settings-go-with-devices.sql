-- Settings are of devices and of dataloggers, so that no foreign key can stand at them; they go with whom they are of.
CREATE FUNCTION forget_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM device_settings WHERE subject_id IN (SELECT id FROM gone);
  DELETE FROM device_settings_told WHERE subject_id IN (SELECT id FROM gone);
  DELETE FROM setting_changes WHERE subject_id IN (SELECT id FROM gone);
  RETURN NULL;
END $$;

CREATE TRIGGER devices_forget_settings AFTER DELETE ON devices
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_settings();
CREATE TRIGGER loggers_forget_settings AFTER DELETE ON loggers
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_settings();
