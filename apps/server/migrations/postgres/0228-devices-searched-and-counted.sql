-- What lists of devices are searched by, in one text: four comparisons of each row, two of them without regard to case, took longer than all else
-- that a list of 100,000 does. Nothing that ingestion writes is part of it.
ALTER TABLE device_listed ADD COLUMN searched text GENERATED ALWAYS AS
  (lower(sn || E'\n' || odm_sn || E'\n' || model || E'\n' || coalesce(plant, ''))) STORED;
CREATE INDEX device_listed_searched ON device_listed USING gin (searched gin_trgm_ops) WHERE NOT deleted;
-- How many of a kind there are is counted without a look at their rows.
CREATE INDEX device_listed_kind ON device_listed (kind) WHERE NOT deleted AND site_id IS NOT NULL;
ANALYZE device_listed;
