-- Plants by zone, where a day turns.
CREATE INDEX sites_zone ON sites (time_zone, key) WHERE deleted_at IS NULL;

-- What devices have left in doubt is read when their datalogger connects.
CREATE INDEX device_events_doubts ON device_events (device_id, ts DESC) WHERE detail ? 'neededW';

-- What screens show of a plant beside its values: live streams are told that it is another, those of its devices as well.
CREATE FUNCTION tell_shown_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', 's' || NEW.key);
  PERFORM pg_notify('live', 'd' || key) FROM devices WHERE site_id = NEW.id AND deleted_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sites_shown AFTER UPDATE OF name, country, system_size_kwp ON sites FOR EACH ROW
  WHEN ((OLD.name, OLD.country, OLD.system_size_kwp) IS DISTINCT FROM (NEW.name, NEW.country, NEW.system_size_kwp))
  EXECUTE FUNCTION tell_shown_site();
