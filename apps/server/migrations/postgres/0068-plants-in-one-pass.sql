-- What lists, sums and the map order and filter by stands in one row: joining two tables of all plants cost more than all else that these
-- screens do. `site_…` is of the plant itself, as `sites` has it, kept by triggers within the change. Every plant has its row from the beginning.
-- Columns of these screens come first, those of a fixed width before all: a row is read up to the last one that is asked of it.
ALTER TABLE site_latest RENAME TO site_latest_before;
ALTER INDEX site_latest_pkey RENAME TO site_latest_before_pkey;
CREATE TABLE site_latest (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  site_organisation_id uuid,
  site_key integer,
  interval_s integer NOT NULL DEFAULT 60,
  site_kwp double precision,
  site_type smallint,
  -- Two bits each for the sums of generation of the running day and month and since the beginning (packages/energy/src/accounting/quality.ts).
  pv_marks smallint NOT NULL DEFAULT 0,
  site_deleted boolean,
  state text NOT NULL DEFAULT 'offline' CHECK (state IN ('normal', 'alarm', 'fault', 'offline')),
  ts timestamptz,
  pv_w double precision,
  soc_percent double precision,
  -- Generation (pv) of the running local day and month, and since the beginning.
  local_day date,
  today_wh double precision,
  month_wh double precision,
  total_wh double precision,
  -- Feed-in payment and savings together of the running local day and month, for sums over many plants. Null where no price was valid,
  -- or where the currency changed within that time.
  money_currency text,
  today_money numeric(20, 6),
  month_money numeric(20, 6),
  -- How much of a backlog that still comes has been accounted; null = none comes.
  history_percent smallint,
  site_latitude double precision,
  site_longitude double precision,
  site_country text,
  site_zone text,
  -- Name and place as they are ordered and searched.
  site_name text,
  site_city text,
  site_owner_id uuid,
  external_w double precision,
  battery_w double precision,
  grid_w double precision,
  load_w double precision,
  charger_w double precision,
  inverter_ac_w double precision,
  battery_capacity_wh double precision,
  -- Quantities that were derived from the balance, e.g. {load}.
  derived text[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO site_latest (site_id, site_organisation_id, site_key, site_kwp, site_type, site_deleted, site_latitude, site_longitude,
  site_country, site_zone, site_name, site_city, site_owner_id, interval_s, pv_marks, state, ts, pv_w, soc_percent, local_day, today_wh,
  month_wh, total_wh, money_currency, today_money, month_money, history_percent, external_w, battery_w, grid_w, load_w, charger_w, inverter_ac_w, battery_capacity_wh, derived,
  updated_at)
SELECT id, organisation_id, key, system_size_kwp, type, deleted_at IS NOT NULL, latitude, longitude,
  country, time_zone, lower(name), lower(nullif(city, '')), owner_account_id, coalesce(interval_s, 60), coalesce(pv_marks, 0),
  coalesce(state, 'offline'), ts, pv_w, soc_percent, local_day, today_wh,
  month_wh, total_wh, money_currency, today_money, month_money, history_percent, external_w, battery_w, grid_w, load_w, charger_w, inverter_ac_w, battery_capacity_wh,
  coalesce(derived, '{}'), coalesce(updated_at, now())
FROM sites LEFT JOIN site_latest_before ON site_id = id;
DROP TABLE site_latest_before;

-- In the order of ids, as ingestion writes these rows: two that write the same ones wait for each other and never in a circle.
CREATE FUNCTION list_sites(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO site_latest AS l (site_id, site_key, site_organisation_id, site_owner_id, site_name, site_city, site_country, site_type,
    site_zone, site_kwp, site_latitude, site_longitude, site_deleted)
  SELECT id, key, organisation_id, owner_account_id, lower(name), lower(nullif(city, '')), country, type,
    time_zone, system_size_kwp, latitude, longitude, deleted_at IS NOT NULL
  FROM sites WHERE id = ANY (ids) ORDER BY id
  ON CONFLICT (site_id) DO UPDATE SET site_key = excluded.site_key, site_organisation_id = excluded.site_organisation_id,
    site_owner_id = excluded.site_owner_id, site_name = excluded.site_name, site_city = excluded.site_city,
    site_country = excluded.site_country, site_type = excluded.site_type, site_zone = excluded.site_zone, site_kwp = excluded.site_kwp,
    site_latitude = excluded.site_latitude, site_longitude = excluded.site_longitude, site_deleted = excluded.site_deleted
$$;

CREATE FUNCTION list_made_sites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_sites(ARRAY(SELECT id FROM made));
  RETURN NULL;
END $$;
CREATE TRIGGER sites_made_listed AFTER INSERT ON sites REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION list_made_sites();

CREATE FUNCTION list_changed_sites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_sites(ids) FROM (SELECT array_agg(n.id) AS ids FROM changed n JOIN former o ON o.id = n.id
    WHERE (n.key, n.organisation_id, n.owner_account_id, n.name, n.city, n.country, n.type, n.time_zone, n.system_size_kwp, n.latitude,
        n.longitude, n.deleted_at IS NULL)
      IS DISTINCT FROM
      (o.key, o.organisation_id, o.owner_account_id, o.name, o.city, o.country, o.type, o.time_zone, o.system_size_kwp, o.latitude,
        o.longitude, o.deleted_at IS NULL)) AS listed
  WHERE ids IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sites_changed_listed AFTER UPDATE ON sites REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_changed_sites();

-- Ingestion changes no column of an index, so that it writes none.
CREATE INDEX site_latest_name ON site_latest (site_name, site_id) WHERE NOT site_deleted;
CREATE INDEX site_latest_organisation ON site_latest (site_organisation_id);
CREATE INDEX site_latest_owner ON site_latest (site_owner_id) WHERE site_owner_id IS NOT NULL;
CREATE INDEX site_latest_name_search ON site_latest USING gin (site_name gin_trgm_ops) WHERE NOT site_deleted;
CREATE INDEX site_latest_city_search ON site_latest USING gin (site_city gin_trgm_ops) WHERE NOT site_deleted;
-- The list searched by it.
DROP INDEX sites_city_search;
ANALYZE site_latest;
