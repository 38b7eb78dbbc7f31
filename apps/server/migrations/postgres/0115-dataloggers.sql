ALTER TABLE loggers
  -- Samples that it says wait in its buffer; null: it does not tell.
  ADD COLUMN pending double precision,
  -- By which door it came last: tls or plain; empty where it has not come or another broker is used.
  ADD COLUMN uplink text NOT NULL DEFAULT '' CHECK (uplink IN ('', 'tls', 'plain')),
  -- SHA-256 of the passwords before the newest, one behind the other, which are good until then: a datalogger is given a new one while it is
  -- connected with an old one.
  ADD COLUMN former_token_hash bytea,
  ADD COLUMN former_token_until timestamptz;

-- Those of an organisation that are in no plant: imported, or taken off one.
CREATE INDEX loggers_free ON loggers (organisation_id) WHERE site_id IS NULL;

DROP TRIGGER loggers_changed ON loggers;
CREATE TRIGGER loggers_changed
  AFTER UPDATE OF key, site_id, quarantined, token_hash, former_token_hash, former_token_until, revoked_at ON loggers FOR EACH ROW
  WHEN ((OLD.key, OLD.site_id, OLD.quarantined, OLD.token_hash, OLD.former_token_hash, OLD.former_token_until, OLD.revoked_at)
    IS DISTINCT FROM
    (NEW.key, NEW.site_id, NEW.quarantined, NEW.token_hash, NEW.former_token_hash, NEW.former_token_until, NEW.revoked_at))
  EXECUTE FUNCTION note_change();

ALTER TABLE deletions DROP CONSTRAINT deletions_kind_check;
ALTER TABLE deletions ADD CONSTRAINT deletions_kind_check CHECK (kind IN ('organisation', 'account', 'site', 'member', 'datalogger'));
