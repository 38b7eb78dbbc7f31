-- The text search of the list of plants looks into names and places by fragments, and into plants of whoever is called so.
CREATE INDEX sites_city_search ON sites USING gin (city gin_trgm_ops) WHERE deleted_at IS NULL;
