-- Whoever holds passwords is told of former ones as well, which 0171 had left out.
DROP TRIGGER loggers_changed ON loggers;
CREATE TRIGGER loggers_changed
  AFTER UPDATE OF key, site_id, quarantined, token_hash, former_token_hash, former_token_until, next_token_hash, revoked_at
  ON loggers FOR EACH ROW
  WHEN ((OLD.key, OLD.site_id, OLD.quarantined, OLD.token_hash, OLD.former_token_hash, OLD.former_token_until, OLD.next_token_hash,
      OLD.revoked_at)
    IS DISTINCT FROM
    (NEW.key, NEW.site_id, NEW.quarantined, NEW.token_hash, NEW.former_token_hash, NEW.former_token_until, NEW.next_token_hash,
      NEW.revoked_at))
  EXECUTE FUNCTION note_change();

-- The password that a command tells is asked for by the command.
CREATE INDEX loggers_offered ON loggers (next_token_command) WHERE next_token_command IS NOT NULL;
