-- Changes of rows that a process holds in memory: it reads on from the last change that it knows, and the rows that this names. `xid` is the transaction; one that ends later than another that began after it is found by it.
CREATE TABLE changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  row_id uuid,
  -- Of dataloggers, whose rows are looked for by it.
  sn text
);
CREATE INDEX changes_xid ON changes (xid);
CREATE INDEX changes_at ON changes (at);

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  INSERT INTO changes (kind, row_id, sn) VALUES (
    CASE TG_TABLE_NAME WHEN 'device_claims' THEN 'devices' ELSE TG_TABLE_NAME END,
    (changed ->> CASE TG_TABLE_NAME WHEN 'device_claims' THEN 'claimant_id' ELSE 'id' END)::uuid,
    CASE TG_TABLE_NAME WHEN 'loggers' THEN changed ->> 'sn' END);
  RETURN NULL;
END $$;

CREATE TRIGGER sites_made AFTER INSERT OR DELETE ON sites FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER sites_changed AFTER UPDATE OF key, time_zone, rated_power_w, feed_in_price, purchase_price, currency, price_changes, deleted_at
  ON sites FOR EACH ROW
  WHEN ((OLD.key, OLD.time_zone, OLD.rated_power_w, OLD.feed_in_price, OLD.purchase_price, OLD.currency, OLD.price_changes, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.key, NEW.time_zone, NEW.rated_power_w, NEW.feed_in_price, NEW.purchase_price, NEW.currency, NEW.price_changes, NEW.deleted_at))
  EXECUTE FUNCTION note_change();

CREATE TRIGGER loggers_made AFTER INSERT OR DELETE ON loggers FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER loggers_changed AFTER UPDATE OF key, site_id, quarantined, token_hash, revoked_at ON loggers FOR EACH ROW
  WHEN ((OLD.key, OLD.site_id, OLD.quarantined, OLD.token_hash, OLD.revoked_at)
    IS DISTINCT FROM (NEW.key, NEW.site_id, NEW.quarantined, NEW.token_hash, NEW.revoked_at))
  EXECUTE FUNCTION note_change();

CREATE TRIGGER devices_made AFTER INSERT OR DELETE ON devices FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER devices_changed
  AFTER UPDATE OF key, sn, told_sn, kind, kind_guessed, role, logger_id, site_id, rated_power_w, capacity_wh, deleted_at
  ON devices FOR EACH ROW
  WHEN ((OLD.key, OLD.sn, OLD.told_sn, OLD.kind, OLD.kind_guessed, OLD.role, OLD.logger_id, OLD.site_id, OLD.rated_power_w,
      OLD.capacity_wh, OLD.deleted_at)
    IS DISTINCT FROM (NEW.key, NEW.sn, NEW.told_sn, NEW.kind, NEW.kind_guessed, NEW.role, NEW.logger_id, NEW.site_id, NEW.rated_power_w,
      NEW.capacity_wh, NEW.deleted_at))
  EXECUTE FUNCTION note_change();
CREATE TRIGGER device_claims_changed AFTER INSERT OR UPDATE OR DELETE ON device_claims FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE FUNCTION note_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (kind) VALUES ('provisioning_keys');
  RETURN NULL;
END $$;
CREATE TRIGGER provisioning_keys_changed AFTER INSERT OR UPDATE OR DELETE ON provisioning_keys
  FOR EACH STATEMENT EXECUTE FUNCTION note_key_change();
