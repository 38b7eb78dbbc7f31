-- What people have said that a channel of a device did in a span of whole buckets, in place of what was accounted of it. What devices told
-- stays as it is, so that undoing gives it back. parts_wh: energy of each bucket, Wh; null = nothing is known of the span.
CREATE TABLE device_corrections (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  channel text NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  way text NOT NULL CHECK (way IN ('bridge', 'neighbours', 'gap', 'own')),
  parts_wh float8[],
  -- What was accounted of the channel in the span, and of the plant on each of its days, when the correction was made.
  former_wh float8,
  days jsonb NOT NULL,
  reason text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  made_by_name text NOT NULL,
  made_by_company text NOT NULL,
  undone_at timestamptz,
  CHECK (to_at > from_at)
);
CREATE INDEX device_corrections_standing ON device_corrections (device_id, from_at) WHERE undone_at IS NULL;

-- corrected = from the buckets of devices on, also where they have none.
ALTER TABLE recalculations DROP CONSTRAINT recalculations_depth_check;
ALTER TABLE recalculations ADD CONSTRAINT recalculations_depth_check
  CHECK (depth IN ('samples', 'devices', 'calendar', 'corrected'));

CREATE FUNCTION recalculate_corrected() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  correction device_corrections := coalesce(NEW, OLD);
BEGIN
  INSERT INTO changes (kind, row_id) VALUES ('devices', correction.device_id);
  INSERT INTO recalculations (site_id, device_id, depth, from_at, to_at)
    SELECT site_id, id, 'corrected', correction.from_at, correction.to_at FROM devices
    WHERE id = correction.device_id AND site_id IS NOT NULL AND deleted_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER device_corrections_recalculate AFTER INSERT OR UPDATE ON device_corrections
  FOR EACH ROW EXECUTE FUNCTION recalculate_corrected();
