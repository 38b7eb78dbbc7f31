-- Where market prices are read, by the zone of the market in which they are valid. A source that is no longer configured stays with what it told.
CREATE TABLE market_sources (
  zone text PRIMARY KEY CHECK (zone ~ '^[A-Z0-9][A-Z0-9-]{0,15}$'),
  is_configured boolean NOT NULL DEFAULT false,
  -- Of the prices; null = none came yet.
  currency text,
  -- Counts what was written, so that who holds prices reads what is new alone.
  changes integer NOT NULL DEFAULT 0,
  asked_at timestamptz,
  answered_at timestamptz
);

-- Net prices of quarters of an hour, per kWh in millionths of the currency.
CREATE TABLE market_prices (
  zone text NOT NULL REFERENCES market_sources (zone) ON DELETE CASCADE,
  start_at timestamptz NOT NULL CHECK (extract(epoch FROM start_at)::bigint % 900 = 0),
  micro integer NOT NULL,
  -- `changes` of its source when it was written.
  written integer NOT NULL,
  PRIMARY KEY (zone, start_at)
);
CREATE INDEX market_prices_written ON market_prices (zone, written);

-- A price of purchase that follows a market, in place of the one price: {"zone": "DE-LU", "markup": "0.145", "vat": "19"}.
ALTER TABLE sites
  ADD COLUMN purchase_market jsonb,
  ADD CHECK (purchase_market IS NULL OR (purchase_price IS NULL AND purchase_periods IS NULL));
ALTER TABLE site_prices
  ADD COLUMN purchase_market jsonb,
  ADD CHECK (purchase_market IS NULL OR (purchase_price IS NULL AND purchase_periods IS NULL));
CREATE INDEX sites_of_market ON sites ((purchase_market ->> 'zone')) WHERE purchase_market IS NOT NULL;
CREATE INDEX site_prices_of_market ON site_prices ((purchase_market ->> 'zone')) WHERE purchase_market IS NOT NULL;

CREATE OR REPLACE FUNCTION recalculate_changed_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.time_zone, NEW.feed_in_price, NEW.purchase_price, NEW.feed_in_periods, NEW.purchase_periods, NEW.purchase_market, NEW.currency)
    IS DISTINCT FROM
    (OLD.time_zone, OLD.feed_in_price, OLD.purchase_price, OLD.feed_in_periods, OLD.purchase_periods, OLD.purchase_market, OLD.currency) THEN
    INSERT INTO recalculations (site_id, depth) VALUES (NEW.id, 'calendar');
  END IF;
  RETURN NULL;
END
$$;
DROP TRIGGER sites_recalculate ON sites;
CREATE TRIGGER sites_recalculate
  AFTER UPDATE OF time_zone, feed_in_price, purchase_price, feed_in_periods, purchase_periods, purchase_market, currency ON sites
  FOR EACH ROW EXECUTE FUNCTION recalculate_changed_site();

-- Those beside the others, for the new column alone.
CREATE TRIGGER sites_market_changed AFTER UPDATE OF purchase_market ON sites FOR EACH ROW
  WHEN (OLD.purchase_market IS DISTINCT FROM NEW.purchase_market) EXECUTE FUNCTION note_change();
CREATE TRIGGER sites_market_insight AFTER UPDATE OF purchase_market ON sites FOR EACH ROW
  WHEN (OLD.purchase_market IS DISTINCT FROM NEW.purchase_market) EXECUTE FUNCTION note_insight_of_site();

-- Market prices have come, or were corrected: whoever holds the prices of a plant reads them again, and what has passed is reckoned anew.
CREATE FUNCTION market_prices_came(told_zone text, from_at timestamptz, until_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  plants uuid[] := ARRAY(
    SELECT id FROM sites WHERE purchase_market ->> 'zone' = told_zone
    UNION
    SELECT site_id FROM site_prices WHERE purchase_market ->> 'zone' = told_zone
    ORDER BY 1);
BEGIN
  PERFORM FROM sites WHERE id = ANY(plants) ORDER BY id FOR UPDATE;
  UPDATE sites SET price_changes = price_changes + 1 WHERE id = ANY(plants);
  IF from_at >= now() THEN
    RETURN;
  END IF;
  INSERT INTO recalculations (site_id, depth, from_at, to_at)
    SELECT id, 'calendar', from_at, until_at FROM sites WHERE id = ANY(plants) AND deleted_at IS NULL;
  PERFORM insight_due_between(id, from_at, until_at) FROM unnest(plants) AS id;
END
$$;

-- Images of plants that were made before hold the new column as it is, so that they can still be undone.
UPDATE row_images SET before = before || '{"purchase_market": null}', after = after || '{"purchase_market": null}'
WHERE table_name = 'sites';
