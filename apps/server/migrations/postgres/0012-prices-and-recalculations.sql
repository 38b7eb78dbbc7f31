-- Prices of a plant from a time on; a bucket is worth what was valid at its start. Until the first of them those of `sites` are
-- valid: they are the prices from the beginning.
CREATE TABLE site_prices (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  valid_from timestamptz NOT NULL,
  feed_in_price numeric(12, 6),
  purchase_price numeric(12, 6),
  currency text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, valid_from)
);

-- Grows with every change of a plant's prices, by which ingestion sees that it must read them again.
ALTER TABLE sites ADD COLUMN price_changes integer NOT NULL DEFAULT 0;

-- Figures that are to be made anew, kept until that is done. site_id: null = all plants. device_id: only where it has recorded.
-- depth: samples = from the raw samples on; devices = from the buckets of devices on; calendar = hours, days and money.
CREATE TABLE recalculations (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
  device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
  depth text NOT NULL CHECK (depth IN ('samples', 'devices', 'calendar')),
  from_at timestamptz,
  to_at timestamptz,
  -- Of all plants, those up to this key are done.
  done_key integer NOT NULL DEFAULT 0,
  requested_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX recalculations_site ON recalculations (site_id);
CREATE INDEX recalculations_device ON recalculations (device_id);

-- By triggers, so that no way to change what figures depend on can forget it.
CREATE FUNCTION recalculate_changed_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.time_zone, NEW.feed_in_price, NEW.purchase_price, NEW.currency)
    IS DISTINCT FROM (OLD.time_zone, OLD.feed_in_price, OLD.purchase_price, OLD.currency) THEN
    INSERT INTO recalculations (site_id, depth) VALUES (NEW.id, 'calendar');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER sites_recalculate AFTER UPDATE OF time_zone, feed_in_price, purchase_price, currency ON sites
  FOR EACH ROW EXECUTE FUNCTION recalculate_changed_site();

CREATE FUNCTION recalculate_prices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  site uuid := coalesce(NEW.site_id, OLD.site_id);
BEGIN
  UPDATE sites SET price_changes = price_changes + 1 WHERE id = site;
  INSERT INTO recalculations (site_id, depth, from_at)
    SELECT id, 'calendar', least(NEW.valid_from, OLD.valid_from) FROM sites WHERE id = site;
  RETURN NULL;
END
$$;
CREATE TRIGGER site_prices_recalculate AFTER INSERT OR UPDATE OR DELETE ON site_prices
  FOR EACH ROW EXECUTE FUNCTION recalculate_prices();

CREATE FUNCTION recalculate_moved_device() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place uuid := CASE WHEN NEW.deleted_at IS NULL THEN NEW.site_id END;
  place_before uuid := CASE WHEN OLD.deleted_at IS NULL THEN OLD.site_id END;
BEGIN
  IF NEW.site_id IS NOT NULL AND NEW.site_id IS DISTINCT FROM OLD.site_id THEN
    UPDATE alarms SET site_id = NEW.site_id WHERE device_id = NEW.id;
  END IF;
  IF place IS DISTINCT FROM place_before THEN
    INSERT INTO recalculations (site_id, device_id, depth)
      SELECT changed, NEW.id, 'devices' FROM unnest(ARRAY[place_before, place]) changed WHERE changed IS NOT NULL;
  ELSIF NEW.role <> OLD.role AND place IS NOT NULL THEN
    INSERT INTO recalculations (site_id, device_id, depth) VALUES (place, NEW.id, 'samples');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER devices_recalculate AFTER UPDATE OF site_id, deleted_at, role ON devices
  FOR EACH ROW WHEN ((NEW.site_id, NEW.deleted_at, NEW.role) IS DISTINCT FROM (OLD.site_id, OLD.deleted_at, OLD.role))
  EXECUTE FUNCTION recalculate_moved_device();

-- Devices stand where their logger stands. One that is taken off its plant leaves them there, with what they recorded.
CREATE FUNCTION move_devices_of_logger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE devices SET site_id = NEW.site_id WHERE logger_id = NEW.id AND site_id IS DISTINCT FROM NEW.site_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER loggers_move_devices AFTER UPDATE OF site_id ON loggers
  FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.site_id IS DISTINCT FROM OLD.site_id)
  EXECUTE FUNCTION move_devices_of_logger();

-- Loggers that were moved before left theirs behind.
UPDATE devices SET site_id = loggers.site_id FROM loggers
WHERE loggers.id = devices.logger_id AND loggers.site_id <> devices.site_id;

-- Parts of the telemetry store's tables that could not be read and were set aside.
CREATE TABLE damaged_parts (
  table_name text NOT NULL,
  part text NOT NULL,
  partition_id text NOT NULL,
  reason text NOT NULL,
  -- What it spans, as far as is known. null = not known.
  from_at timestamptz,
  to_at timestamptz,
  rows bigint,
  found_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (table_name, part)
);
