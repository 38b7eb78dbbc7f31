-- Prices by the time of day, in place of the one price of their row: {"weekday": [{"from": "00:00", "price": "0.24"}, ...], "weekend": null}.
-- Ascending quarter hours of the plant's clock, the first 00:00; weekend: null = as on other days. null: the one price is valid at all times.
ALTER TABLE sites
  ADD COLUMN feed_in_periods jsonb,
  ADD COLUMN purchase_periods jsonb,
  ADD CHECK (feed_in_periods IS NULL OR feed_in_price IS NULL),
  ADD CHECK (purchase_periods IS NULL OR purchase_price IS NULL);
ALTER TABLE site_prices
  ADD COLUMN feed_in_periods jsonb,
  ADD COLUMN purchase_periods jsonb,
  ADD CHECK (feed_in_periods IS NULL OR feed_in_price IS NULL),
  ADD CHECK (purchase_periods IS NULL OR purchase_price IS NULL);

CREATE OR REPLACE FUNCTION recalculate_changed_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.time_zone, NEW.feed_in_price, NEW.purchase_price, NEW.feed_in_periods, NEW.purchase_periods, NEW.currency)
    IS DISTINCT FROM (OLD.time_zone, OLD.feed_in_price, OLD.purchase_price, OLD.feed_in_periods, OLD.purchase_periods, OLD.currency) THEN
    INSERT INTO recalculations (site_id, depth) VALUES (NEW.id, 'calendar');
  END IF;
  RETURN NULL;
END
$$;
DROP TRIGGER sites_recalculate ON sites;
CREATE TRIGGER sites_recalculate
  AFTER UPDATE OF time_zone, feed_in_price, purchase_price, feed_in_periods, purchase_periods, currency ON sites
  FOR EACH ROW EXECUTE FUNCTION recalculate_changed_site();

DROP TRIGGER sites_changed ON sites;
CREATE TRIGGER sites_changed AFTER UPDATE OF key, time_zone, rated_power_w, feed_in_price, purchase_price, feed_in_periods, purchase_periods,
    currency, price_changes, deleted_at
  ON sites FOR EACH ROW
  WHEN ((OLD.key, OLD.time_zone, OLD.rated_power_w, OLD.feed_in_price, OLD.purchase_price, OLD.feed_in_periods, OLD.purchase_periods,
      OLD.currency, OLD.price_changes, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.key, NEW.time_zone, NEW.rated_power_w, NEW.feed_in_price, NEW.purchase_price, NEW.feed_in_periods, NEW.purchase_periods,
      NEW.currency, NEW.price_changes, NEW.deleted_at))
  EXECUTE FUNCTION note_change();

-- Images of plants that were made before hold the new columns as they are, so that they can still be undone.
UPDATE row_images SET
  before = before || '{"feed_in_periods": null, "purchase_periods": null}',
  after = after || '{"feed_in_periods": null, "purchase_periods": null}'
WHERE table_name = 'sites';
