-- Orders and filters of the lists of plants and devices.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX sites_name ON sites (lower(name), id) WHERE deleted_at IS NULL;
CREATE INDEX sites_name_search ON sites USING gin (name gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX devices_kind ON devices (kind, sn) WHERE deleted_at IS NULL;
