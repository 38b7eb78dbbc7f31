-- What is known of a unit since it left the factory: when it was first heard, as which device or datalogger, and its warranty.
ALTER TABLE delivered_units
  ADD COLUMN seen_at timestamptz,
  ADD COLUMN thing_id uuid,
  ADD COLUMN warranty_from date,
  ADD COLUMN warranty_until date;

CREATE INDEX delivered_units_by_delivery ON delivered_units (coalesce(delivered_on, '-infinity'), sn);
CREATE INDEX delivered_units_by_sight ON delivered_units (coalesce(seen_at, '-infinity'), sn);
CREATE INDEX delivered_units_by_warranty ON delivered_units (coalesce(warranty_until, '-infinity'), sn);
CREATE INDEX delivered_units_never_seen ON delivered_units (coalesce(delivered_on, '-infinity'), sn) WHERE seen_at IS NULL;
CREATE INDEX delivered_units_seen_of_batch ON delivered_units (batch_id, seen_at, delivered_on);
CREATE INDEX delivered_units_by_model ON delivered_units (lower(model), sn);
CREATE INDEX delivered_units_thing ON delivered_units (thing_id) WHERE thing_id IS NOT NULL;
CREATE INDEX delivered_units_search ON delivered_units USING gin (sn gin_trgm_ops, odm_sn gin_trgm_ops);

-- How long what leaves the factory as a model is warranted: of a kind and a manufacturer, or of all.
CREATE TABLE model_warranties (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  model text NOT NULL,
  kind text CHECK (kind IN ('logger', 'inverter', 'battery', 'meter', 'ems', 'gateway', 'pile', 'station')),
  manufacturer_id uuid REFERENCES manufacturers (id) ON DELETE CASCADE,
  months integer NOT NULL CHECK (months BETWEEN 1 AND 600),
  begins text NOT NULL CHECK (begins IN ('delivery', 'firstSeen', 'commissioning')),
  -- It begins so many months after delivery at the latest.
  latest_months integer CHECK (latest_months BETWEEN 0 AND 120),
  note text NOT NULL DEFAULT '',
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX model_warranties_of_model
  ON model_warranties (lower(model), kind, manufacturer_id) NULLS NOT DISTINCT;

-- Files that were read and wait to be imported.
CREATE TABLE unit_imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  batch_id uuid NOT NULL REFERENCES device_batches (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  rows integer NOT NULL DEFAULT 0,
  read_at timestamptz NOT NULL
);
CREATE INDEX unit_imports_of_account ON unit_imports (account_id);
-- What a crash may take away: the file is chosen again.
CREATE UNLOGGED TABLE unit_import_rows (
  import_id uuid NOT NULL REFERENCES unit_imports (id) ON DELETE CASCADE,
  line integer NOT NULL,
  sn text NOT NULL,
  odm_sn text NOT NULL,
  model text NOT NULL,
  firmware text NOT NULL,
  delivered_on date,
  -- What is wrong with the row itself, and after all rows were compared with what is there.
  wrong text NOT NULL DEFAULT '',
  verdict text NOT NULL DEFAULT '',
  detail text NOT NULL DEFAULT '',
  PRIMARY KEY (import_id, line)
);
CREATE INDEX unit_import_rows_by_sn ON unit_import_rows (import_id, sn, line);

-- Devices that were taken back are no longer looked for by those who look for devices, but were seen all the same.
CREATE INDEX devices_sn_deleted ON devices (upper(sn) COLLATE "C") WHERE deleted_at IS NOT NULL;

-- The first day of a warranty; null where what it begins with is not known. `packages/contract/src/factory/warranty.ts` says the same.
CREATE FUNCTION warranty_begin(begins text, delivered date, seen date, commissioned date, latest_months integer)
RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT least(
    CASE
      WHEN begins = 'delivery' THEN delivered
      WHEN begins = 'commissioning' AND commissioned >= coalesce(delivered, commissioned) THEN commissioned
      WHEN begins = 'commissioning' AND commissioned IS NULL THEN NULL
      WHEN seen IS NOT NULL THEN greatest(seen, delivered)
    END,
    (delivered + make_interval(months => latest_months))::date)
$$;

CREATE FUNCTION reckon_delivered_unit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch record;
  thing record;
  term record;
  commissioned date;
BEGIN
  SELECT kind, manufacturer_id INTO batch FROM device_batches WHERE id = NEW.batch_id;
  IF batch.kind = 'logger' THEN
    SELECT l.id, l.site_id, CASE WHEN l.last_seen_at IS NOT NULL THEN greatest(l.created_at, coalesce(
        (SELECT min(d.first_seen_at) FROM devices d WHERE d.logger_id = l.id), l.born_at, l.last_seen_at)) END AS seen_at
      INTO thing FROM loggers l WHERE l.sn = NEW.sn;
  ELSE
    SELECT d.id, d.site_id, CASE WHEN d.last_seen_at IS NULL THEN NULL
        -- A charging pile is made before it connects.
        WHEN d.kind = 'pile' THEN d.last_seen_at ELSE d.first_seen_at END AS seen_at
      INTO thing FROM devices d WHERE upper(d.sn) COLLATE "C" = NEW.sn AND d.deleted_at IS NULL
      ORDER BY d.first_seen_at LIMIT 1;
    IF NOT FOUND THEN
      SELECT d.id, NULL::uuid AS site_id, CASE WHEN d.last_seen_at IS NOT NULL THEN d.first_seen_at END AS seen_at
        INTO thing FROM devices d WHERE upper(d.sn) COLLATE "C" = NEW.sn AND d.deleted_at IS NOT NULL
        ORDER BY d.first_seen_at LIMIT 1;
    END IF;
  END IF;
  -- What was seen once was seen, whatever becomes of the device.
  NEW.seen_at := least(NEW.seen_at, thing.seen_at);
  NEW.thing_id := coalesce(thing.id, NEW.thing_id);
  SELECT months, begins, latest_months INTO term FROM model_warranties w
    WHERE lower(w.model) = lower(NEW.model) AND (w.kind IS NULL OR w.kind = batch.kind)
      AND (w.manufacturer_id IS NULL OR w.manufacturer_id = batch.manufacturer_id)
    ORDER BY w.manufacturer_id IS NULL, w.kind IS NULL LIMIT 1;
  IF term.begins = 'commissioning' AND thing.site_id IS NOT NULL THEN
    SELECT commissioned_on INTO commissioned FROM sites WHERE id = thing.site_id;
  END IF;
  NEW.warranty_from := warranty_begin(term.begins, NEW.delivered_on, (NEW.seen_at AT TIME ZONE 'UTC')::date, commissioned, term.latest_months);
  NEW.warranty_until := (NEW.warranty_from + make_interval(months => term.months))::date;
  RETURN NEW;
END $$;
CREATE TRIGGER delivered_units_reckoned BEFORE INSERT OR UPDATE ON delivered_units FOR EACH ROW EXECUTE FUNCTION reckon_delivered_unit();

CREATE FUNCTION touch_delivered_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivered_units SET sn = sn WHERE sn = upper(NEW.sn);
  RETURN NULL;
END $$;
CREATE TRIGGER devices_delivered AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION touch_delivered_unit();
CREATE TRIGGER devices_seen_delivered AFTER UPDATE OF last_seen_at, site_id, sn ON devices FOR EACH ROW
  WHEN ((OLD.last_seen_at IS NULL AND NEW.last_seen_at IS NOT NULL) OR OLD.site_id IS DISTINCT FROM NEW.site_id OR OLD.sn <> NEW.sn)
  EXECUTE FUNCTION touch_delivered_unit();
CREATE TRIGGER loggers_delivered AFTER INSERT ON loggers FOR EACH ROW EXECUTE FUNCTION touch_delivered_unit();
CREATE TRIGGER loggers_seen_delivered AFTER UPDATE OF last_seen_at, site_id ON loggers FOR EACH ROW
  WHEN ((OLD.last_seen_at IS NULL AND NEW.last_seen_at IS NOT NULL) OR OLD.site_id IS DISTINCT FROM NEW.site_id)
  EXECUTE FUNCTION touch_delivered_unit();

CREATE FUNCTION touch_delivered_units_of_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivered_units SET sn = sn WHERE thing_id IN (
    SELECT id FROM devices WHERE site_id = NEW.id UNION ALL SELECT id FROM loggers WHERE site_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER sites_commissioned_delivered AFTER UPDATE OF commissioned_on ON sites FOR EACH ROW
  WHEN (OLD.commissioned_on IS DISTINCT FROM NEW.commissioned_on) EXECUTE FUNCTION touch_delivered_units_of_site();
