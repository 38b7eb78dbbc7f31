-- What a plant lost in its newest seven whole days, in the row by which lists and the map order, filter and count: `site_insights` has the
-- whole week in each row, which is read for the plants that are shown.
ALTER TABLE site_latest ADD COLUMN week_loss_wh double precision, ADD COLUMN needs_attention boolean NOT NULL DEFAULT false;
UPDATE site_latest SET week_loss_wh = loss_wh, needs_attention = i.needs_attention FROM site_insights i WHERE i.site_id = site_latest.site_id;

-- In the order of ids, as everybody writes these rows: two that write the same ones wait for each other and never in a circle.
CREATE FUNCTION list_losses(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO site_latest AS l (site_id, week_loss_wh, needs_attention)
  SELECT site_id, loss_wh, needs_attention FROM site_insights WHERE site_id = ANY (ids) ORDER BY site_id
  ON CONFLICT (site_id) DO UPDATE SET week_loss_wh = excluded.week_loss_wh, needs_attention = excluded.needs_attention
$$;

CREATE FUNCTION list_made_losses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_losses(ids) FROM (SELECT array_agg(site_id) AS ids FROM made) AS listed WHERE ids IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER site_insights_made_listed AFTER INSERT ON site_insights REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION list_made_losses();

CREATE FUNCTION list_changed_losses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_losses(ids) FROM (SELECT array_agg(n.site_id) AS ids FROM changed n JOIN former o ON o.site_id = n.site_id
    WHERE (n.loss_wh, n.needs_attention) IS DISTINCT FROM (o.loss_wh, o.needs_attention)) AS listed
  WHERE ids IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER site_insights_changed_listed AFTER UPDATE ON site_insights REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION list_changed_losses();

-- A part of the map. Ingestion changes neither of them, so that it writes no index here either.
CREATE INDEX site_latest_place ON site_latest (site_latitude, site_longitude) WHERE NOT site_deleted;
ANALYZE site_latest;
