-- A password that a datalogger was told to take, good beside its own until then. It becomes its own once the datalogger has connected with it.
ALTER TABLE loggers
  ADD COLUMN next_token_hash bytea,
  ADD COLUMN next_token_until timestamptz,
  -- The command that told it.
  ADD COLUMN next_token_command text;

DROP TRIGGER loggers_changed ON loggers;
CREATE TRIGGER loggers_changed AFTER UPDATE OF key, site_id, quarantined, token_hash, next_token_hash, revoked_at ON loggers FOR EACH ROW
  WHEN ((OLD.key, OLD.site_id, OLD.quarantined, OLD.token_hash, OLD.next_token_hash, OLD.revoked_at)
    IS DISTINCT FROM (NEW.key, NEW.site_id, NEW.quarantined, NEW.token_hash, NEW.next_token_hash, NEW.revoked_at))
  EXECUTE FUNCTION note_change();
