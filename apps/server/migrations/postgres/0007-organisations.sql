-- Recently deleted: counts beside the images, so that the list never reads those.
ALTER TABLE deletions
  ADD COLUMN summary jsonb NOT NULL DEFAULT '{}',
  -- Nothing can be undone any more and nobody reaches the records; their rows go with the next purge.
  ADD COLUMN cut_off_at timestamptz;

-- What the text search of user management looks in.
ALTER TABLE accounts ADD COLUMN searched text NOT NULL
  GENERATED ALWAYS AS (lower(username || ' ' || name || ' ' || email || ' ' || phone)) STORED;

-- Orders and filters of user management and of the list of organisations. Each order has the columns of its expression with
-- it, so that far pages and counts are read from the index alone; unknown values come last in both directions.
CREATE INDEX accounts_by_username ON accounts (lower(username), id) INCLUDE (username) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_email ON accounts (lower(email), id) INCLUDE (email) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_name ON accounts (nullif(lower(name), ''), id) INCLUDE (name) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_name_down ON accounts (nullif(lower(name), '') DESC NULLS LAST, id DESC) INCLUDE (name)
  WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_phone ON accounts (nullif(phone, ''), id) INCLUDE (phone) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_phone_down ON accounts (nullif(phone, '') DESC NULLS LAST, id DESC) INCLUDE (phone)
  WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_country ON accounts (nullif(country, ''), id) INCLUDE (country) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_country_down ON accounts (nullif(country, '') DESC NULLS LAST, id DESC) INCLUDE (country)
  WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_level ON accounts (level, id) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_state ON accounts ((disabled_at IS NOT NULL), id) INCLUDE (disabled_at) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_last_sign_in ON accounts (last_sign_in_at, id) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_last_sign_in_down ON accounts (last_sign_in_at DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_created ON accounts (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX accounts_by_organisation ON accounts (organisation_id, id) INCLUDE (level, country, disabled_at)
  WHERE deleted_at IS NULL;
CREATE INDEX organisations_by_name ON organisations (lower(name));
CREATE INDEX accounts_search ON accounts USING gin (searched gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX organisations_search ON organisations USING gin ((lower(name || ' ' || email)) gin_trgm_ops)
  WHERE deleted_at IS NULL;
CREATE INDEX devices_search ON devices USING gin (sn gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX device_grants_device ON device_grants (device_id);
DROP INDEX accounts_created;
