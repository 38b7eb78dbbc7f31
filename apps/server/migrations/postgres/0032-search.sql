-- What the search over everything looks in: beginnings in the order of their bytes, whatever the database's own order is, and
-- fragments of three signs and more.
CREATE INDEX sites_name_beginning ON sites (lower(name) COLLATE "C") WHERE deleted_at IS NULL;
CREATE INDEX devices_sn_beginning ON devices (upper(sn) COLLATE "C") WHERE deleted_at IS NULL;
CREATE INDEX devices_odm_sn_search ON devices USING gin (odm_sn gin_trgm_ops) WHERE deleted_at IS NULL AND odm_sn <> '';
CREATE INDEX loggers_sn_beginning ON loggers (sn COLLATE "C") WHERE revoked_at IS NULL;
CREATE INDEX loggers_search ON loggers USING gin (sn gin_trgm_ops) WHERE revoked_at IS NULL;
CREATE INDEX accounts_username_beginning ON accounts (lower(username) COLLATE "C") WHERE deleted_at IS NULL;
CREATE INDEX accounts_name_beginning ON accounts (lower(name) COLLATE "C") WHERE deleted_at IS NULL;
-- Dataloggers are seen by the platform unless their plant was deleted, of which there are few.
CREATE INDEX sites_deleted ON sites (id) WHERE deleted_at IS NOT NULL;
