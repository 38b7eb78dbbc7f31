-- A batch that burn-in runs name stays.
ALTER TABLE burn_in_runs DROP CONSTRAINT burn_in_runs_batch_id_fkey;
ALTER TABLE burn_in_runs ADD CONSTRAINT burn_in_runs_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES device_batches (id) ON DELETE RESTRICT;

ALTER TABLE delivered_units
  -- On which day it came into use, and in which plant: as it was known first, whatever becomes of that plant's day or of where the unit stands.
  ADD COLUMN commissioned_on date,
  ADD COLUMN commissioned_site uuid,
  -- The first day of its warranty where an administrator has said it.
  ADD COLUMN warranty_set_on date,
  -- With what its term begins; null where its model has none.
  ADD COLUMN warranty_begins text;

-- Without a term nothing begins.
CREATE OR REPLACE FUNCTION warranty_begin(begins text, delivered date, seen date, commissioned date, latest_months integer)
RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT least(
    CASE
      WHEN begins = 'delivery' THEN delivered
      WHEN begins = 'commissioning' AND commissioned >= coalesce(delivered, commissioned) THEN commissioned
      WHEN begins = 'commissioning' AND commissioned IS NULL THEN NULL
      WHEN begins IS NOT NULL AND seen IS NOT NULL THEN greatest(seen, delivered)
    END,
    (delivered + make_interval(months => latest_months))::date)
$$;

-- When what was heard from a time on and last at another was heard first since its delivery; a day begins first in the zone that is furthest ahead.
CREATE FUNCTION heard_since_delivery(first timestamptz, last timestamptz, delivered date)
RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN delivered IS NULL OR first >= delivered::timestamp AT TIME ZONE 'UTC' - interval '14 hours' THEN first
    WHEN last >= delivered::timestamp AT TIME ZONE 'UTC' - interval '14 hours' THEN last
  END
$$;

CREATE OR REPLACE FUNCTION reckon_delivered_unit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch record;
  thing record;
  term record;
  plant_day date;
  seen_day date;
BEGIN
  SELECT kind, manufacturer_id INTO batch FROM device_batches WHERE id = NEW.batch_id;
  IF batch.kind = 'logger' THEN
    SELECT l.id, l.site_id, false AS on_rack, l.last_seen_at AS last, CASE WHEN l.last_seen_at IS NOT NULL THEN greatest(l.created_at, coalesce(
        (SELECT min(d.first_seen_at) FROM devices d WHERE d.logger_id = l.id), l.born_at, l.last_seen_at)) END AS first
      INTO thing FROM loggers l WHERE l.sn = NEW.sn;
  ELSE
    -- Devices that were taken back were heard all the same.
    SELECT d.id, CASE WHEN d.deleted_at IS NULL THEN d.site_id END AS site_id, d.burn_in IS NOT NULL AND d.site_id IS NULL AS on_rack,
        d.last_seen_at AS last, CASE WHEN d.last_seen_at IS NULL THEN NULL
        -- A charging pile is made before it connects, and what came with its rack into a plant was heard at the factory before.
        WHEN d.kind = 'pile' OR d.burn_in IS NOT NULL THEN d.last_seen_at ELSE d.first_seen_at END AS first
      INTO thing FROM (
        (SELECT * FROM devices WHERE upper(sn) COLLATE "C" = NEW.sn AND deleted_at IS NULL ORDER BY first_seen_at LIMIT 1)
        UNION ALL
        (SELECT * FROM devices WHERE upper(sn) COLLATE "C" = NEW.sn AND deleted_at IS NOT NULL AND told_sn IS NULL
          ORDER BY first_seen_at LIMIT 1)) d
      ORDER BY d.deleted_at IS NOT NULL LIMIT 1;
  END IF;
  -- What was heard once was heard, whatever becomes of the device; before its delivery, or on a rack of the factory, it was not with anybody.
  IF heard_since_delivery(NEW.seen_at, NEW.seen_at, NEW.delivered_on) IS NULL THEN NEW.seen_at := NULL; END IF;
  IF NOT thing.on_rack THEN
    NEW.seen_at := least(NEW.seen_at, heard_since_delivery(thing.first, thing.last, NEW.delivered_on));
  END IF;
  NEW.thing_id := coalesce(thing.id, NEW.thing_id);
  seen_day := (NEW.seen_at AT TIME ZONE 'UTC')::date;
  IF thing.site_id IS NOT NULL AND thing.site_id = coalesce(NEW.commissioned_site, thing.site_id) THEN
    SELECT commissioned_on INTO plant_day FROM sites WHERE id = thing.site_id;
    -- A unit that came later than its plant, as a replacement, came into use when it was heard.
    IF plant_day < NEW.delivered_on THEN plant_day := greatest(seen_day, CASE WHEN seen_day IS NOT NULL THEN NEW.delivered_on END); END IF;
    IF plant_day IS NOT NULL THEN
      NEW.commissioned_on := least(NEW.commissioned_on, plant_day);
      NEW.commissioned_site := thing.site_id;
    END IF;
  END IF;
  SELECT months, begins, latest_months INTO term FROM model_warranties w
    WHERE lower(w.model) = lower(NEW.model) AND (w.kind IS NULL OR w.kind = batch.kind)
      AND (w.manufacturer_id IS NULL OR w.manufacturer_id = batch.manufacturer_id)
    ORDER BY w.manufacturer_id IS NULL, w.kind IS NULL LIMIT 1;
  NEW.warranty_begins := term.begins;
  NEW.warranty_from := CASE WHEN term.months IS NOT NULL THEN coalesce(NEW.warranty_set_on,
    warranty_begin(term.begins, NEW.delivered_on, seen_day, NEW.commissioned_on, term.latest_months)) END;
  NEW.warranty_until := (NEW.warranty_from + make_interval(months => term.months))::date;
  RETURN NEW;
END $$;

-- What is not known to be with anybody is looked at again with each day on which it is heard.
CREATE FUNCTION touch_unheard_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivered_units SET sn = sn WHERE sn = upper(NEW.sn) AND seen_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER devices_heard_delivered AFTER UPDATE OF last_seen_at ON devices FOR EACH ROW
  WHEN ((OLD.last_seen_at AT TIME ZONE 'UTC')::date < (NEW.last_seen_at AT TIME ZONE 'UTC')::date)
  EXECUTE FUNCTION touch_unheard_unit();
CREATE TRIGGER loggers_heard_delivered AFTER UPDATE OF last_seen_at ON loggers FOR EACH ROW
  WHEN ((OLD.last_seen_at AT TIME ZONE 'UTC')::date < (NEW.last_seen_at AT TIME ZONE 'UTC')::date)
  EXECUTE FUNCTION touch_unheard_unit();

-- A device that comes on a rack was heard there until now, unless its unit had been delivered before.
CREATE FUNCTION touch_unit_on_rack() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivered_units SET seen_at = CASE
      WHEN OLD.burn_in IS NULL AND NEW.site_id IS NULL AND thing_id = NEW.id AND delivered_on IS NULL THEN NULL ELSE seen_at END
    WHERE sn = upper(NEW.sn);
  RETURN NULL;
END $$;
CREATE TRIGGER devices_on_rack_delivered AFTER UPDATE OF burn_in ON devices FOR EACH ROW
  WHEN (OLD.burn_in IS DISTINCT FROM NEW.burn_in) EXECUTE FUNCTION touch_unit_on_rack();

UPDATE delivered_units SET seen_at = CASE
  WHEN EXISTS (SELECT FROM devices d WHERE d.id = thing_id AND d.burn_in IS NOT NULL AND d.site_id IS NULL) THEN NULL ELSE seen_at END;
